/** Arithmetic on moments. */

export function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000)
}

/** Whole seconds since 1970, as JWTs count them (RFC 7519 2, `NumericDate`). */
export function epochSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

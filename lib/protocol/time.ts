/** Arithmetic on moments. */

export function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000)
}

/** Returns `null` for an empty list. */
export function latestOf(times: readonly Date[]): Date | null {
  return times.length === 0 ? null : new Date(Math.max(...times.map(time => time.getTime())))
}

/** Whole seconds since 1970, as JWTs count them (RFC 7519 2, `NumericDate`). */
export function epochSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

/** The last moment that `isoText` formatted. */
const written = { ms: Number.NaN, text: '' }

/**
 * The ISO 8601 text, in UTC, of milliseconds since 1970. NOTE: a busy server formats the same millisecond a dozen times, and
 * formatting costs as much as two digests.
 */
export function isoText(ms: number): string {
  if (written.ms !== ms) {
    written.text = new Date(ms).toISOString()
    written.ms = ms
  }
  return written.text
}

export const daySeconds = 86_400

/** Days since 1970, UTC. */
export function dayNumber(time: Date): number {
  return Math.floor(epochSeconds(time) / daySeconds)
}

/** The first moment of a day. */
export function startOfDay(day: number): Date {
  return new Date(day * daySeconds * 1000)
}

/** The beginning of the hour, UTC. */
export function hourOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 3_600_000) * 3_600_000)
}

/** Arithmetic with times. */

export function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000)
}

/** Returns the latest time; `null` for an empty list. */
export function latestOf(times: readonly Date[]): Date | null {
  return times.length === 0 ? null : new Date(Math.max(...times.map(time => time.getTime())))
}

/** Returns whole seconds since 1970, as in JWTs (RFC 7519 2, `NumericDate`). */
export function epochSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

/** The last time that `isoText` formatted. */
const written = { ms: Number.NaN, text: '' }

/**
 * Formats milliseconds since 1970 as ISO 8601 text in UTC. NOTE: a busy server formats the same millisecond a dozen
 * times, and formatting takes as long as two digests.
 */
export function isoText(ms: number): string {
  if (written.ms !== ms) {
    written.text = new Date(ms).toISOString()
    written.ms = ms
  }
  return written.text
}

export const daySeconds = 86_400

/** Returns the number of days since 1970, UTC. */
export function dayNumber(time: Date): number {
  return Math.floor(epochSeconds(time) / daySeconds)
}

/** Returns the beginning of a day, UTC. */
export function startOfDay(day: number): Date {
  return new Date(day * daySeconds * 1000)
}

/** Returns the beginning of the hour, UTC. */
export function hourOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 3_600_000) * 3_600_000)
}

/** Ids of stored events: `<milliseconds, base 36>-<random>`. They sort by time, byte by byte. */

/** The prefix of every id of that moment; all earlier ids sort before it. Valid until the year 2059. */
export function eventIdMark(time: Date): string {
  return Math.max(0, time.getTime()).toString(36).padStart(8, '0')
}

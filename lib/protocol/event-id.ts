/** Ids of stored events: `<milliseconds, base 36>-<random>`. They sort by time, byte by byte. */

/** What every id of that moment begins with, and before which every earlier one comes. Holds until the year 2059. */
export function eventIdMark(time: Date): string {
  return Math.max(0, time.getTime()).toString(36).padStart(8, '0')
}

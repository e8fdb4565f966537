/** Who this process has counted lately: for all but the first visit of a day it is one look into a map. */
import { visitors as limits } from '#lib/config/limits.ts'
import type { Visit } from '#lib/ports/roll-ups.ts'
import { dayNumber } from '#lib/protocol/time.ts'

export type SeenVisitors = {
  readonly unseen: (visits: readonly Visit[]) => readonly Visit[]
  /** Once they are written for good. */
  readonly remember: (visits: readonly Visit[]) => void
}

export function createSeenVisitors(): SeenVisitors {
  const latest = new Map<string, number>()
  const isUnseen = ({ subject, time }: Visit) => (latest.get(subject) ?? -1) < dayNumber(time)
  return {
    unseen: visits => visits.filter(isUnseen),
    remember: visits => {
      for (const visit of visits.filter(isUnseen)) {
        if (latest.size >= limits.remembered) latest.clear()
        latest.set(visit.subject, dayNumber(visit.time))
      }
    },
  }
}

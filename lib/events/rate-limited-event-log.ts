/**
 * Whoever sends a thousand wrong requests a second would bury what people did below their refusals. Of one kind from one
 * address so many of each minute are kept. The others are in the sums that charts read and in the log, and one event tells
 * how many they were.
 */
import { refusalEventLimits as limits } from '#lib/config/limits.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { EventLog, StoredEvent } from '#lib/ports/event-log.ts'
import { addressKey } from '#lib/protocol/address-key.ts'

export type RateLimitedEventLog = Pick<EventLog, 'write'> & {
  /** Tells of those that were left out in minutes that are over. */
  readonly settle: () => Promise<void>
}

/** Refusals of one kind from one address in one minute. */
type Flood = {
  readonly minute: number
  readonly kept: number
  readonly left: number
  /** Of those that were left out. */
  readonly last: StoredEvent
}
type Floods = Map<string, Flood>

/** NOTE: each process counts for itself, and whoever has thousands of networks gets past it. */
export function rateLimitedEventLog(log: Pick<EventLog, 'write'>, clock: Clock): RateLimitedEventLog {
  const floods: Floods = new Map()
  let sweptAt = 0

  function takeOver(): readonly (readonly [string, Flood])[] {
    const minute = minuteOf(clock.now())
    if (minute === sweptAt) return []
    sweptAt = minute
    const over = [...floods].filter(([, flood]) => flood.minute < minute)
    for (const [key] of over) floods.delete(key)
    return over.filter(([, { left }]) => left > 0)
  }

  async function write(events: readonly StoredEvent[], additions?: Parameters<EventLog['write']>[1]) {
    const over = takeOver()
    const counted: Floods = new Map()
    const kept = events.filter(event => isKept(event, floods, counted))
    try {
      await log.write([...kept, ...over.map(([, flood]) => droppedRefusals(flood))], additions)
    } catch (error) {
      // They all come again, and are counted then
      for (const [key, flood] of over) floods.set(key, flood)
      sweptAt = 0
      throw error
    }
    for (const [key, flood] of counted) floods.set(key, flood)
  }

  return {
    write,
    settle: async () => {
      const isOver = ({ minute, left }: Flood) => left > 0 && minute < minuteOf(clock.now())
      if ([...floods.values()].some(isOver)) await write([])
    },
  }
}

/** Counts the event in `counted`, where `floods` says how many there were before. */
function isKept(event: StoredEvent, floods: Floods, counted: Floods): boolean {
  const key = keyOf(event)
  if (key === null) return true
  const before = counted.get(key) ?? floods.get(key)
  if (before === undefined && floods.size + counted.size >= limits.kinds) return true
  const { kept, left, last } = before ?? { kept: 0, left: 0, last: event }
  const isRoom = kept < limits.perMinute
  const minute = minuteOf(event.time)
  counted.set(
    key,
    isRoom ? { minute, kept: kept + 1, left, last } : { minute, kept, left: left + 1, last: event },
  )
  return isRoom
}

/** `null`: always kept. An administrator who is refused is known, and answers for it. */
function keyOf({ name, outcome, reason, address, subject, time }: StoredEvent): string | null {
  if (outcome === 'success' || address === null) return null
  if (subject !== null && (name === 'admin_refused' || name === 'request_refused')) return null
  // What follows a colon was said by somebody else
  const [kind] = reason?.split(':') ?? []
  return JSON.stringify([minuteOf(time), addressKey(address), name, kind])
}

/** Under the reference of the last one, which leads to it. */
function droppedRefusals({ left, last }: Flood): StoredEvent {
  return {
    ...last,
    name: 'refusals_not_kept',
    clientId: null,
    subject: null,
    grantType: null,
    flow: null,
    grantId: null,
    userAgent: null,
    details: { count: left, kind: last.name },
    checks: null,
  }
}

function minuteOf(time: Date): number {
  return Math.floor(time.getTime() / 60_000)
}

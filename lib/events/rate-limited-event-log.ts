/**
 * Limits stored events: a flood of refused requests, or of sign-ins that only begin, would hide the events of users.
 * Only a limited number of each kind is stored per minute and address, or IPv6 site; of sign-ins that begin, also in all.
 * Exceptions: see `boundsOf`. All events are in the aggregates that charts read and in the log, and one event contains
 * the number of dropped ones.
 */
import { refusalEventLimits as limits, pausedEventLimits as pauses } from '#lib/config/limits.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { EventLog, StoredEvent } from '#lib/ports/events.ts'
import { siteNetwork } from '#lib/protocol/text/addresses.ts'

type RateLimitedEventLog = Pick<EventLog, 'write'> & {
  /** Writes the number of events that were left out in the past minutes. */
  readonly settle: () => Promise<void>
}

/** The events under one limit in one minute. */
type Flood = {
  readonly minute: number
  readonly kept: number
  readonly left: number
  /** The last event that was left out; while `left` is 0, the first event. */
  readonly last: StoredEvent
}
type Floods = Map<string, Flood>

/**
 * Creates the limited log. NOTE: each process counts separately, and a sender with thousands of networks can exceed the
 * limit.
 * @param shareOf The part of a limit that is for this process.
 */
export function rateLimitedEventLog(
  log: Pick<EventLog, 'write'>,
  clock: Clock,
  shareOf: (limit: number) => number = limit => limit,
): RateLimitedEventLog {
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
    const kept = events.filter(event => isKept(event, { floods, counted, shareOf }))
    try {
      await log.write([...kept, ...over.map(([, flood]) => droppedRefusals(flood))], additions)
    } catch (error) {
      // The caller passes the events again, and they are counted then
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

type Counting = {
  readonly floods: Floods
  readonly counted: Floods
  readonly shareOf: (limit: number) => number
}

/** Whether the event is stored. Counts it in `counted`; `floods` has the counts before it. */
function isKept(event: StoredEvent, counting: Counting): boolean {
  return boundsOf(event).every(bound => isWithin(bound, event, counting))
}

function isWithin({ key, most }: Bound, event: StoredEvent, { floods, counted, shareOf }: Counting): boolean {
  const before = counted.get(key) ?? floods.get(key)
  if (before === undefined && floods.size + counted.size >= limits.kinds) return true
  const { kept, left, last } = before ?? { kept: 0, left: 0, last: event }
  const isRoom = kept < shareOf(most)
  const minute = minuteOf(event.time)
  counted.set(
    key,
    isRoom ? { minute, kept: kept + 1, left, last } : { minute, kept, left: left + 1, last: event },
  )
  return isRoom
}

type Bound = { readonly key: string; readonly most: number }

/**
 * Returns the limits for an event; an empty list: it is always stored. Refusals of an administrator, in the dashboard or
 * at the admin API, are always stored, because the administrator is known and responsible for them. Other users and
 * clients are limited, although they are known as well: any app can get a token and send it there.
 */
function boundsOf(event: StoredEvent): readonly Bound[] {
  const { name, outcome, reason, address, subject, time } = event
  const minute = minuteOf(time)
  if (name === 'authorize_paused') return boundsOfPauses(event, minute)
  if (outcome === 'success' || address === null) return []
  const isOfAdministrator =
    name === 'request_refused' || (name === 'admin_refused' && reason === 'not_allowed')
  if (subject !== null && isOfAdministrator) return []
  // The part after a colon comes from the request
  const [kind] = reason?.split(':') ?? []
  return [{ key: JSON.stringify([minute, siteNetwork(address), name, kind]), most: limits.perMinute }]
}

/** Returns the limits for sign-ins that begin: anyone can begin them, from any number of addresses. */
function boundsOfPauses({ name, address }: StoredEvent, minute: number): readonly Bound[] {
  const all = { key: JSON.stringify([minute, name]), most: pauses.fromAll }
  if (address === null) return [all]
  return [{ key: JSON.stringify([minute, siteNetwork(address), name]), most: pauses.fromOneAddress }, all]
}

/** Makes an event with the number of dropped ones. Its request ID is that of the last one. */
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

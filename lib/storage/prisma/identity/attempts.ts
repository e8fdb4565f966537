/**
 * The attempts that this process is checking, and its copies of the counters of failures. An attempt reserves a place
 * in each of its rules, in memory. A place is free only while the known failures and the taken places together are
 * below the limit. Only a failure is written.
 */
import { hash } from 'node:crypto'
import { attemptsInFlight, storage } from '#lib/config/limits.ts'
import { type NodeShare, shareOf } from '#lib/config/node-share.ts'
import type { Attempt, RateLimiter, RateLimitRule } from '#lib/ports/rate-limiter.ts'
import { secondsAfter } from '#lib/protocol/time.ts'

/** The failures in one window of one rule. */
export type Counter = { readonly attempts: number; readonly expiresAt: Date }

/** The place of an attempt that is being checked, or of a failed attempt that could not be written. */
type Place = { readonly begunAt: Date; hasFailed: boolean }

type Entry = {
  readonly id: string
  readonly rule: RateLimitRule
  /** The stored counter; `null` if it is not known. */
  counter: Counter | null
  /** The time when the read of the counter began, or when the counter was discarded, by `performance.now()`. */
  knownAt: number
  readonly places: Set<Place>
  /** The number of attempts that are waiting for a place or about to take one. */
  seekers: number
  /** Callbacks for when a place may be free. */
  readonly waiting: Set<() => void>
}

export type CountedRule = Pick<Entry, 'id' | 'rule'>

type Counters = {
  readonly load: (id: string) => Promise<Counter>
  /** Adds a failure to each of the rules. */
  readonly countFailure: (rules: readonly CountedRule[], now: Date) => Promise<void>
  /**
   * Whether no other process writes: then a counter is read again only after this process changed it, and only the
   * limit restricts the attempts in flight.
   */
  readonly isAlone: boolean
  /** The share of this process: the processes of a node divide the attempts in flight. */
  readonly share?: Pick<NodeShare, 'workers'>
}

type Attempts = Pick<RateLimiter, 'begin' | 'consume' | 'blockedSeconds'> & Pick<KnownCounters, 'forget'>

export function createAttempts(counters: Counters): Attempts {
  const { isAlone, share = { workers: 1 } } = counters
  const known = createKnownCounters(counters)

  /**
   * Calls `use` when every entry has a free place. Returns `null` if failures use up a limit. If only a place is
   * missing, returns `null` when the request does not wait, when too many others wait, or when no place became free in
   * time.
   */
  async function whenFree<T>(entries: readonly Entry[], asked: Asked, use: () => T): Promise<T | null> {
    const deadline = performance.now() + attemptsInFlight.longestWaitMs
    for (;;) {
      const oldest = isAlone ? 0 : performance.now() - attemptsInFlight.knownMs
      const decided = await known.read(entries, Math.max(asked.readSince, oldest), (): Decided<T> => {
        const obstacle = findObstacle(entries, { isAlone, share, ...asked })
        if (obstacle === null) return { used: use() }
        if (obstacle.full === null || !asked.isPatient) return { isFreed: false }
        // NOTE: the wait begins here and not after an `await`, during which a place could become free
        return { isFreed: isPlaceFreed(obstacle.full, { share, deadline }) }
      })
      if ('used' in decided) return decided.used
      if (!(await decided.isFreed)) return null
    }
  }

  async function begin(
    rules: readonly RateLimitRule[],
    asked: Omit<Asked, 'withSeekers'>,
  ): ReturnType<RateLimiter['begin']> {
    const { now } = asked
    const entries = known.find(rules, now)
    for (const entry of entries) entry.seekers += 1
    const taking = whenFree(entries, { ...asked, withSeekers: false }, () => takePlace(entries, now))
    const place = await taking.finally(() => {
      for (const entry of entries) entry.seekers -= 1
    })
    const [failures = 0] = entries.map(entry => tally(entry, now).failed)
    if (place !== null) return { kind: 'begun', failures, end: outcome => end(entries, place, outcome) }
    wake(entries)
    return { kind: 'limited', retryAfterSeconds: refusedSeconds(entries, now) }
  }

  async function end(entries: readonly Entry[], place: Place, outcome: Parameters<Attempt['end']>[0]) {
    try {
      if (outcome === 'failed') {
        await counters.countFailure(entries, place.begunAt)
        // The place becomes free only after this process has read the new counter
        await known.refresh(entries)
      }
      for (const { places } of entries) places.delete(place)
    } catch (error) {
      place.hasFailed = true
      throw error
    } finally {
      wake(entries)
    }
  }

  return {
    // NOTE: if there are several nodes, each of them reads the counters again for every attempt; with older copies,
    // each node would allow one more guess
    begin: (rules, now, isPatient = true) =>
      begin(rules, { now, readSince: isAlone ? 0 : performance.now(), isPatient }),
    consume: async (rules, now) => {
      const attempt = await begin(rules, { now, readSince: 0, isPatient: true })
      if (attempt.kind === 'limited') return attempt
      await attempt.end('failed')
      return { kind: 'allowed' }
    },
    blockedSeconds: async (rules, now) => {
      const entries = known.find(rules, now)
      const asked = { now, readSince: 0, withSeekers: true, isPatient: true }
      const free = await whenFree(entries, asked, () => 0)
      return free ?? refusedSeconds(entries, now)
    },
    forget: known.forget,
  }
}

type Decided<T> = { readonly used: T } | { readonly isFreed: boolean | Promise<boolean> }

/**
 * A request for places. `readSince`: counters that were read earlier are read again. `withSeekers`: attempts that are
 * waiting for a place take precedence.
 */
type Asked = {
  readonly now: Date
  readonly readSince: number
  readonly withSeekers: boolean
  /** Whether the request waits for a place. */
  readonly isPatient: boolean
}

type KnownCounters = ReturnType<typeof createKnownCounters>

function createKnownCounters({ load }: Pick<Counters, 'load'>) {
  const entries = new Map<string, Entry>()

  function entryOf(rule: RateLimitRule, now: Date): Entry {
    const key = keyOf(rule)
    const known = entries.get(key)
    if (known !== undefined) return known
    makeRoom(entries, now)
    const entry = createEntry(rule)
    entries.set(key, entry)
    return entry
  }

  async function refreshOne(entry: Entry): Promise<void> {
    const startedAt = performance.now()
    const counter = await load(entry.id)
    if (startedAt > entry.knownAt) Object.assign(entry, { counter, knownAt: startedAt })
  }

  async function refresh(known: readonly Entry[]): Promise<void> {
    await Promise.all(known.map(refreshOne))
  }

  return {
    refresh,
    find: (rules: readonly RateLimitRule[], now: Date) => rules.map(rule => entryOf(rule, now)),
    /**
     * Calls `decide` when all counters are known and not older than `since`. NOTE: no other code runs between this
     * check and `decide`.
     */
    read: async <T>(known: readonly Entry[], since: number, decide: () => T): Promise<T> => {
      for (;;) {
        const outdated = known.filter(({ counter, knownAt }) => counter === null || knownAt < since)
        if (outdated.length === 0) return decide()
        await refresh(outdated)
      }
    },
    /** Discards the copies of counters that were changed elsewhere; without rules, all copies. */
    forget: (rules?: readonly RateLimitRule[]): void => {
      const changed = rules?.flatMap(rule => entries.get(keyOf(rule)) ?? []) ?? entries.values()
      for (const entry of changed) Object.assign(entry, { counter: null, knownAt: performance.now() })
    },
  }
}

function keyOf({ windowSeconds, key }: RateLimitRule): string {
  return `${windowSeconds}:${key}`
}

/** The stored ID of a counter: a digest, because keys contain user names and addresses. */
export function counterId(rule: RateLimitRule): string {
  return hash('sha256', keyOf(rule), 'base64url')
}

function createEntry(rule: RateLimitRule): Entry {
  const [places, waiting] = [new Set<Place>(), new Set<() => void>()]
  return { id: counterId(rule), rule, counter: null, knownAt: -1, places, seekers: 0, waiting }
}

/** Removes the oldest entries. NOTE: an entry in use is kept, because its places are stored nowhere else. */
function makeRoom(entries: Map<string, Entry>, now: Date): void {
  for (const [key, entry] of entries) {
    if (entries.size < storage.cachedCounters) return
    const { failed, checking } = tally({ ...entry, counter: null }, now)
    if (entry.seekers + failed + checking === 0) entries.delete(key)
  }
}

/**
 * Counts the failures and the places of a rule. An attempt whose check takes longer than its window no longer has a
 * place.
 */
function tally({ counter, places, rule }: Pick<Entry, 'counter' | 'places' | 'rule'>, now: Date) {
  let failed = counter !== null && counter.expiresAt > now ? counter.attempts : 0
  let checking = 0
  for (const { begunAt, hasFailed } of places) {
    if (secondsAfter(begunAt, rule.windowSeconds) <= now) continue
    if (hasFailed) failed += 1
    else checking += 1
  }
  return { failed, checking }
}

type Look = Omit<Asked, 'readSince' | 'isPatient'> & Required<Pick<Counters, 'isAlone' | 'share'>>

/**
 * Finds the reason why there is no free place; `null` if every entry has one. `full` is the first entry without a free
 * place, or `null` when failures use up a limit.
 */
function findObstacle(
  entries: readonly Entry[],
  { isAlone, share, now, withSeekers }: Look,
): { readonly full: Entry | null } | null {
  let full: Entry | null = null
  for (const entry of entries) {
    const { limit } = entry.rule
    const { failed, checking } = tally(entry, now)
    if (failed >= limit) return { full: null }
    const taken = checking + (withSeekers ? entry.seekers : 0)
    if (failed + taken >= limit || (!isAlone && taken >= mostInFlight(limit, share))) full ??= entry
  }
  return full && { full }
}

function takePlace(entries: readonly Entry[], now: Date): Place {
  const place = { begunAt: now, hasFailed: false }
  for (const { places } of entries) places.add(place)
  return place
}

/**
 * Returns the maximum number of attempts in flight in this process, its share of the node's maximum. Other nodes do not
 * know them, so each further node adds its maximum to the failures that a limit allows.
 */
function mostInFlight(limit: number, share: Pick<NodeShare, 'workers'>): number {
  return shareOf(Math.max(attemptsInFlight.perNode, Math.floor(limit / 10)), share)
}

type Wait = Required<Pick<Counters, 'share'>> & {
  /** The latest time to wait until, by `performance.now()`. */
  readonly deadline: number
}

/** Waits for a free place. Returns false if too many attempts are waiting already, or after the deadline. */
async function isPlaceFreed({ waiting }: Entry, { share, deadline }: Wait): Promise<boolean> {
  if (waiting.size >= shareOf(attemptsInFlight.waiting, share)) return false
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const wake = () => resolve(true)
  const timer = setTimeout(resolve, deadline - performance.now(), false)
  waiting.add(wake)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    waiting.delete(wake)
  }
}

function wake(entries: readonly Entry[]): void {
  for (const { waiting } of entries) for (const wakeOne of waiting) wakeOne()
}

/** Returns the seconds until failures no longer block any of the rules; at least 1. */
function refusedSeconds(entries: readonly Entry[], now: Date): number {
  return Math.max(1, ...entries.map(entry => blockedFor(entry, now)))
}

/**
 * Returns the seconds until the window of the stored failures ends; 0 if fewer attempts than the limit have failed.
 * NOTE: not positive if the rule is blocked only by failures that could not be stored.
 */
function blockedFor({ counter, rule, places }: Entry, now: Date): number {
  if (tally({ counter, rule, places }, now).failed < rule.limit) return 0
  const endsAt = counter?.expiresAt ?? now
  return Math.ceil((endsAt.getTime() - now.getTime()) / 1000)
}

/** Rate limits: counted attempts in windows that begin with the first attempt. */
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { attemptsInFlight, countedAtMost, storage } from '#lib/config/limits.ts'
import type { Attempt, RateLimiter, RateLimitRule } from '#lib/ports/rate-limiter.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { Database, Tables } from '../../database.ts'
import { refusingWhenUnavailable } from '../../database-errors.ts'
import { expired, type Store } from '../../store.ts'
import { batchedRead, cachedRead } from '../reads.ts'

type Counter = {
  readonly id: string
  readonly attempts: number
  readonly inFlight: number
  readonly expiresAt: Date
}
/** One window of one counter: what a counted attempt is taken back from. */
type CountedIn = Pick<Counter, 'id' | 'expiresAt'>

const uncounted: Counter = { id: '', attempts: 0, inFlight: 0, expiresAt: new Date(0) }

/** `isAlone`: no other process writes here, so that counters at rest need not be read for every request. */
export const rateLimitStore: Store<RateLimiter> = {
  create: createRateLimiter,
  purge: [expired('attempts', 'RateLimitCounter')],
}

function createRateLimiter(database: Database, { isAlone }: { readonly isAlone: boolean }): RateLimiter {
  const stored = batchedRead(ids => readCounters(database, ids), storage.batchedReads)
  // Most counters do not exist, and that is kept, too
  const load = async (id: string) => (await stored(id)) ?? uncounted
  const cached = cachedRead({ load, size: storage.cachedCounters })
  const read = isAlone ? cached.read : stored
  const lines = createWaitingLines(attemptsInFlight.waiting)
  const changing = async <T>(rules: readonly RateLimitRule[], change: () => Promise<T>): Promise<T> => {
    try {
      return await change()
    } finally {
      cached.forget(rules.map(counterId))
    }
  }
  const blockedSeconds: RateLimiter['blockedSeconds'] = async (rules, now) => {
    const waits = rules.map(async rule => blockedFor(rule, await read(counterId(rule)), now))
    // An attempt passes only when every rule lets it
    return Math.max(0, ...(await Promise.all(waits)))
  }
  const limited = async (rules: readonly RateLimitRule[], now: Date) =>
    ({ kind: 'limited', retryAfterSeconds: Math.max(1, await blockedSeconds(rules, now)) }) as const
  return {
    consume: async (rules, now) => {
      const counted = await changing(rules, () => countAll(database, rules, { now, inFlight: 0 }))
      return counted.kind === 'counted' ? { kind: 'allowed' } : limited(rules, now)
    },
    refund: async (rules, now) => {
      const where = { id: { in: rules.map(counterId) }, attempts: { gt: 0 }, expiresAt: { gt: now } }
      const data = { attempts: { decrement: 1 } }
      await changing(rules, () => database.rateLimitCounter.updateMany({ where, data }))
    },
    begin: async (rules, now) => {
      const count = () => changing(rules, () => countAll(database, rules, { now, inFlight: 1 }))
      const counters = await lines.run(counterIdOfLine(rules), () => countWhenSettled(count))
      if (counters === null) return limited(rules, now)
      const end: Attempt['end'] = outcome => changing(rules, () => endAttempt(database, counters, outcome))
      return { kind: 'begun', ...refusingWhenUnavailable({ end }) }
    },
    blockedSeconds,
    blocksOf: async (accounts, now) => {
      const ids = new Map(accounts.map(account => [accountId(account), account]))
      const counters = await database.rateLimitCounter.findMany({
        where: { account: { in: [...ids.keys()] }, expiresAt: { gt: now } },
      })
      const blocks = new Map<string, { until: Date; failures: number }>()
      for (const { account, attempts, inFlight, expiresAt } of counters.filter(isBlocking)) {
        const name = ids.get(account ?? '') ?? ''
        const known = blocks.get(name) ?? { until: expiresAt, failures: 0 }
        const until = known.until > expiresAt ? known.until : expiresAt
        blocks.set(name, { until, failures: Math.max(known.failures, attempts - inFlight) })
      }
      return blocks
    },
    countBlocked: async now => {
      const counters = await database.rateLimitCounter.findMany({
        where: { account: { not: null }, most: { gt: 0 }, expiresAt: { gt: now } },
        orderBy: { expiresAt: 'desc' },
        take: countedAtMost + 1,
      })
      const count = new Set(counters.filter(isBlocking).map(({ account }) => account)).size
      return { count, isMore: counters.length > countedAtMost }
    },
    allow: async account => {
      await database.rateLimitCounter.deleteMany({ where: { account: accountId(account) } })
      cached.forget()
    },
  }
}

type Failures = { readonly attempts: number; readonly inFlight: number; readonly most: number }

/** Attempts that are still being checked are not failures yet. */
function isBlocking({ attempts, inFlight, most }: Failures): boolean {
  return attempts - inFlight >= most
}

/** Attempts for the same account from the same kind of place wait for each other in one line. */
function counterIdOfLine([first]: readonly RateLimitRule[]): string {
  return first === undefined ? '' : counterId(first)
}

/**
 * Waits while only attempts that are still being checked, here or on another node, use the limit up: each of them may
 * turn out right. `null`: it is used up by failures, or the wait took too long.
 */
async function countWhenSettled(count: () => Promise<Counting>): Promise<readonly CountedIn[] | null> {
  const deadline = performance.now() + attemptsInFlight.longestWaitMs
  for (;;) {
    const counting = await count()
    if (counting.kind === 'counted') return counting.counters
    if (counting.kind === 'limited' || performance.now() > deadline) return null
    await sleep(attemptsInFlight.pollMs)
  }
}

/** NOTE: only in the window in which it was counted: a late answer must not take back what a later attempt added. */
async function endAttempt(
  database: Database,
  counters: readonly CountedIn[],
  outcome: Parameters<Attempt['end']>[0],
): Promise<void> {
  const where = { OR: counters.map(({ id, expiresAt }) => ({ id, expiresAt })), inFlight: { gt: 0 } }
  const settled = { inFlight: { decrement: 1 } }
  const data = outcome === 'failed' ? settled : { ...settled, attempts: { decrement: 1 } }
  await database.rateLimitCounter.updateMany({ where, data })
}

type Counting =
  | { readonly kind: 'counted'; readonly counters: readonly CountedIn[] }
  /** `busy`: attempts that are still being checked use the limit up. */
  | { readonly kind: 'limited' | 'busy' }
type CountedAttempt = { readonly now: Date; readonly inFlight: 0 | 1 }

const overLimit = Symbol('overLimit')

/** AU-09: counts every rule or none. The increments themselves decide, so a thousand concurrent attempts cannot all pass. */
async function countAll(
  database: Database,
  rules: readonly RateLimitRule[],
  attempt: CountedAttempt,
): Promise<Counting> {
  // A flood against an exhausted limit costs one read each, without a transaction
  const kind = await exhaustion(database, rules, attempt.now)
  if (kind !== null) return { kind }
  try {
    return await database.$transaction(async tables => {
      if ((await exhaustion(tables, rules, attempt.now)) !== null) throw overLimit
      const counters: CountedIn[] = []
      for (const rule of inLockOrder(rules)) counters.push(await countOne(tables, rule, attempt))
      return { kind: 'counted', counters }
    })
  } catch (error) {
    if (error === overLimit) return { kind: (await exhaustion(database, rules, attempt.now)) ?? 'busy' }
    throw error
  }
}

/** Why no further attempt can be counted now; `null` when it can. */
async function exhaustion(
  tables: Tables,
  rules: readonly RateLimitRule[],
  now: Date,
): Promise<'limited' | 'busy' | null> {
  const counters = await readCounters(tables, rules.map(counterId))
  const counted = rules.map(rule => ({ rule, counter: counters.get(counterId(rule)) ?? null }))
  if (counted.some(({ rule, counter }) => blockedFor(rule, counter, now) > 0)) return 'limited'
  const isFull = counted.some(
    ({ rule, counter }) => counter !== null && counter.expiresAt > now && counter.attempts >= rule.limit,
  )
  return isFull ? 'busy' : null
}

/** The same order in every transaction: two of them never wait for each other. */
function inLockOrder(rules: readonly RateLimitRule[]): readonly RateLimitRule[] {
  return rules.toSorted((left, right) => (counterId(left) < counterId(right) ? -1 : 1))
}

/** Throws `overLimit`, which rolls the transaction back, when this attempt would be one too many. */
async function countOne(
  tables: Tables,
  rule: RateLimitRule,
  { now, inFlight }: CountedAttempt,
): Promise<CountedIn> {
  const id = counterId(rule)
  const expiresAt = secondsAfter(now, rule.windowSeconds)
  const about = { account: rule.account === undefined ? null : accountId(rule.account), most: rule.limit }
  await tables.rateLimitCounter.updateMany({
    where: { id, expiresAt: { lte: now } },
    data: { attempts: 0, inFlight: 0, expiresAt },
  })
  const counter = await tables.rateLimitCounter.upsert({
    where: { id },
    create: { id, attempts: 1, inFlight, expiresAt, ...about },
    update: { attempts: { increment: 1 }, inFlight: { increment: inFlight }, ...about },
  })
  if (counter.attempts > rule.limit) throw overLimit
  return counter
}

async function readCounters(tables: Tables, ids: string[]): Promise<ReadonlyMap<string, Counter>> {
  const counters = await tables.rateLimitCounter.findMany({ where: { id: { in: ids } } })
  return new Map(counters.map(counter => [counter.id, counter]))
}

/** How many seconds failures block this rule; 0 while it has attempts left, or while some are still being checked. */
function blockedFor(rule: RateLimitRule, counter: Counter | null, now: Date): number {
  if (counter === null || counter.attempts - counter.inFlight < rule.limit) return 0
  return Math.max(0, Math.ceil((counter.expiresAt.getTime() - now.getTime()) / 1000))
}

/** A digest, because keys name users and addresses. */
function counterId(rule: RateLimitRule): string {
  return hash('sha256', `${rule.windowSeconds}:${rule.key}`, 'base64url')
}

function accountId(account: string): string {
  return hash('sha256', `account:${account}`, 'base64url')
}

/** Callers with the same key run their steps one after the other. Beyond `most` of them, `run` returns `null`. */
function createWaitingLines(most: number) {
  const lines = new Map<string, { last: Promise<unknown>; length: number }>()
  return {
    run: async <T>(key: string, step: () => Promise<T>): Promise<T | null> => {
      const line = lines.get(key) ?? { last: Promise.resolve(), length: 0 }
      if (line.length >= most) return null
      lines.set(key, line)
      line.length += 1
      const turn = line.last.then(step)
      line.last = turn.catch(() => {})
      try {
        return await turn
      } finally {
        line.length -= 1
        if (line.length === 0) lines.delete(key)
      }
    },
  }
}

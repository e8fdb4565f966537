/**
 * Rate limits: counts the attempts that failed, or with `consume` every attempt, in windows that begin with the first
 * one that counts.
 */
import { hash } from 'node:crypto'
import { countedAtMost } from '#lib/config/limits.ts'
import type { RateLimiter } from '#lib/ports/rate-limiter.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { Database } from '../../database.ts'
import { refusingWhenUnavailable } from '../../database-errors.ts'
import { type Bound, statement } from '../../sql/statement.ts'
import { timeOf } from '../../sql/table.ts'
import { expired, type Store, type StoreContext } from '../../store.ts'
import { type CountedRule, type Counter, counterId, createAttempts } from './attempts.ts'

export const rateLimitStore: Store<RateLimiter> = {
  create: createRateLimiter,
  purge: [expired('attempts', 'RateLimitCounter')],
}

function createRateLimiter(
  database: Database,
  { isAlone, share }: Pick<StoreContext, 'isAlone' | 'share'>,
): RateLimiter {
  const { begin, consume, blockedSeconds, forget } = createAttempts({
    load: id => readCounter(database, id),
    countFailure: (rules, now) => countFailure(database, rules, now),
    isAlone,
    share,
  })
  return {
    consume,
    refund: async (rules, now) => {
      // Sorted as in `inLockOrder`
      const ids = rules.map(counterId).toSorted()
      const writes = ids.map((id): Bound => [statements.takeFailureBack, [id, now]])
      await database.$change({ writes }).finally(() => forget(rules))
    },
    begin: async (rules, now, isPatient) => {
      const attempt = await begin(rules, now, isPatient)
      return attempt.kind === 'begun'
        ? { ...attempt, ...refusingWhenUnavailable({ end: attempt.end }) }
        : attempt
    },
    blockedSeconds,
    blocksOf: async (accounts, now) => {
      const ids = new Map(accounts.map(account => [accountId(account), account]))
      const counters = await database.rateLimitCounter.findMany({
        where: { account: { in: [...ids.keys()] }, most: { gt: 0 }, expiresAt: { gt: now } },
      })
      const blocks = new Map<string, { until: Date; failures: number }>()
      for (const { account, attempts, expiresAt } of counters.filter(isBlocking)) {
        const name = ids.get(account ?? '') ?? ''
        const known = blocks.get(name) ?? { until: expiresAt, failures: 0 }
        const until = known.until > expiresAt ? known.until : expiresAt
        blocks.set(name, { until, failures: Math.max(known.failures, attempts) })
      }
      return blocks
    },
    usedUpUntil: async (rules, now) => {
      const limits = new Map(rules.map(rule => [counterId(rule), rule.limit]))
      const counters = await database.rateLimitCounter.findMany({
        where: { id: { in: [...limits.keys()] }, expiresAt: { gt: now } },
      })
      const ends = counters
        .filter(({ id, attempts }) => attempts >= (limits.get(id) ?? Number.POSITIVE_INFINITY))
        .map(({ expiresAt }) => expiresAt.getTime())
      return ends.length === 0 ? null : new Date(Math.max(...ends))
    },
    forget: async rules => {
      await database.rateLimitCounter.deleteMany({ where: { id: { in: rules.map(counterId) } } })
      forget(rules)
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
      forget()
    },
  }
}

function isBlocking({ attempts, most }: { readonly attempts: number; readonly most: number }): boolean {
  return attempts >= most
}

const uncounted: Counter = { attempts: 0, expiresAt: new Date(0) }

async function readCounter(database: Database, id: string): Promise<Counter> {
  const cells = await database.$first(statements.rateLimitCounter, [id])
  if (cells === null) return uncounted
  const [attempts = null, expiresAt = null] = cells
  return { attempts: Number(attempts), expiresAt: timeOf(expiresAt) ?? uncounted.expiresAt }
}

/** AU-09: adds a failure to each stored counter, so that failures on several nodes add up. */
async function countFailure(database: Database, rules: readonly CountedRule[], now: Date): Promise<void> {
  const writes = inLockOrder(rules).map(({ id, rule }): Bound => {
    const account = rule.account === undefined ? null : accountId(rule.account)
    // 0: the counter is never shown as a block
    const most = rule.isSpare === true ? 0 : rule.limit
    return [statements.countFailure, [id, secondsAfter(now, rule.windowSeconds), account, most, now]]
  })
  await database.$change({ writes })
}

/** Sorts the rules in the same order for every transaction, so that two of them never deadlock. */
function inLockOrder(rules: readonly CountedRule[]): readonly CountedRule[] {
  return rules.toSorted((left, right) => (left.id < right.id ? -1 : 1))
}

function accountId(account: string): string {
  return hash('sha256', `account:${account}`, 'base64url')
}

const statements = {
  /** $1 ID */
  rateLimitCounter: statement(`SELECT "attempts", "expiresAt" FROM "RateLimitCounter" WHERE "id" = $1`),

  /** Adds a failure, or begins a new window. $1 ID, $2 end of a new window, $3 account, $4 limit, $5 now */
  countFailure: statement(
    `INSERT INTO "RateLimitCounter" ("id", "attempts", "expiresAt", "account", "most") VALUES ($1, 1, $2, $3, $4)
     ON CONFLICT ("id") DO UPDATE SET
       "attempts" = CASE WHEN "RateLimitCounter"."expiresAt" > $5 THEN "RateLimitCounter"."attempts" + 1 ELSE 1 END,
       "expiresAt" = CASE WHEN "RateLimitCounter"."expiresAt" > $5 THEN "RateLimitCounter"."expiresAt" ELSE $2 END,
       "account" = $3, "most" = $4`,
  ),

  /** $1 ID, $2 now */
  takeFailureBack: statement(
    `UPDATE "RateLimitCounter" SET "attempts" = "attempts" - 1 WHERE "id" = $1 AND "attempts" > 0 AND "expiresAt" > $2`,
  ),
}

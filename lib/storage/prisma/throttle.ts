/** Counted limits with windows that begin at the first try. */
import { createHash } from 'node:crypto'
import type { Throttle, ThrottleRule } from '#lib/ports/sessions.ts'
import type { Client, Tables } from '../client.ts'

export function createThrottle(client: Client): Throttle {
  return {
    consume: async (rules, now) => {
      const isAllowed = await countAll(client, rules, now)
      if (isAllowed) return { kind: 'allowed' }
      return { kind: 'limited', retryAfterSeconds: Math.max(1, await blockedSeconds(client, rules, now)) }
    },
    refund: async (rules, now) => {
      const where = { id: { in: rules.map(counterId) }, tries: { gt: 0 }, expiresAt: { gt: now } }
      await client.throttleCounter.updateMany({ where, data: { tries: { decrement: 1 } } })
    },
    blockedSeconds: (rules, now) => blockedSeconds(client, rules, now),
  }
}

const limited = Symbol('limited')

/** AU-09: counts every rule or none. The increments themselves decide, so a thousand at once cannot pass together. */
async function countAll(client: Client, rules: readonly ThrottleRule[], now: Date): Promise<boolean> {
  // A flood against an exhausted limit costs one read each, also for those who already wait.
  if ((await blockedSeconds(client, rules, now)) > 0) return false
  try {
    await client.$transaction(async tables => {
      if ((await blockedSeconds(tables, rules, now)) > 0) throw limited
      for (const rule of inLockOrder(rules)) await countOne(tables, rule, now)
    })
    return true
  } catch (error) {
    if (error === limited) return false
    throw error
  }
}

/** The same order for everybody: two transactions never wait for each other. */
function inLockOrder(rules: readonly ThrottleRule[]): readonly ThrottleRule[] {
  return rules.toSorted((left, right) => (counterId(left) < counterId(right) ? -1 : 1))
}

/** Throws `limited`, which rolls the transaction back, when this try would be one too many. */
async function countOne(tables: Tables, rule: ThrottleRule, now: Date): Promise<void> {
  const id = counterId(rule)
  const expiresAt = new Date(now.getTime() + rule.windowSeconds * 1000)
  await tables.throttleCounter.updateMany({
    where: { id, expiresAt: { lte: now } },
    data: { tries: 0, expiresAt },
  })
  const counter = await tables.throttleCounter.upsert({
    where: { id },
    create: { id, tries: 1, expiresAt },
    update: { tries: { increment: 1 } },
  })
  if (counter.tries > rule.limit) throw limited
}

/** The longest wait among the exhausted rules: a try passes only when every rule lets it. */
async function blockedSeconds(tables: Tables, rules: readonly ThrottleRule[], now: Date): Promise<number> {
  const limits = new Map(rules.map(rule => [counterId(rule), rule.limit]))
  const where = { id: { in: [...limits.keys()] }, expiresAt: { gt: now } }
  const counters = await tables.throttleCounter.findMany({ where })
  const waits = counters
    .filter(counter => counter.tries >= (limits.get(counter.id) ?? Number.POSITIVE_INFINITY))
    .map(counter => Math.ceil((counter.expiresAt.getTime() - now.getTime()) / 1000))
  return Math.max(0, ...waits)
}

/** A digest, because keys name people and addresses. */
function counterId(rule: ThrottleRule): string {
  return createHash('sha256').update(`${rule.windowSeconds}:${rule.key}`).digest('base64url')
}

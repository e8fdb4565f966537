/** Counted limits with windows that begin at the first try. */
import { hash } from 'node:crypto'
import { storage } from '#lib/config/limits.ts'
import type { Throttle, ThrottleRule } from '#lib/ports/sessions.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { Database, Tables } from '../../database.ts'
import { rememberedRead } from '../configuration/remembered-read.ts'
import { groupedRead } from '../grouped-read.ts'

type Counter = { readonly id: string; readonly tries: number; readonly expiresAt: Date }

/** `isAlone`: no other process writes here, so that counters at rest need not be read for every request. */
export function createThrottle(database: Database, { isAlone }: { readonly isAlone: boolean }): Throttle {
  const stored = groupedRead(ids => readCounters(database, ids), storage.groupedReads)
  const remembered = rememberedRead(stored, storage.rememberedCounters)
  const read = isAlone ? remembered.read : stored
  const changing = async <T>(rules: readonly ThrottleRule[], change: () => Promise<T>): Promise<T> => {
    try {
      return await change()
    } finally {
      remembered.forget(rules.map(counterId))
    }
  }
  const blockedSeconds: Throttle['blockedSeconds'] = async (rules, now) => {
    const waits = rules.map(async rule => waitSeconds(rule, await read(counterId(rule)), now))
    // A try passes only when every rule lets it
    return Math.max(0, ...(await Promise.all(waits)))
  }
  return {
    consume: async (rules, now) => {
      const isAllowed = await changing(rules, () => countAll(database, rules, now))
      if (isAllowed) return { kind: 'allowed' }
      return { kind: 'limited', retryAfterSeconds: Math.max(1, await blockedSeconds(rules, now)) }
    },
    refund: async (rules, now) => {
      const where = { id: { in: rules.map(counterId) }, tries: { gt: 0 }, expiresAt: { gt: now } }
      const data = { tries: { decrement: 1 } }
      await changing(rules, () => database.throttleCounter.updateMany({ where, data }))
    },
    blockedSeconds,
  }
}

const limited = Symbol('limited')

/** AU-09: counts every rule or none. The increments themselves decide, so a thousand at once cannot pass together. */
async function countAll(database: Database, rules: readonly ThrottleRule[], now: Date): Promise<boolean> {
  // A flood against an exhausted limit costs one read each, also for those who already wait: each reads for itself
  if (await isExhausted(database, rules, now)) return false
  try {
    await database.$transaction(async tables => {
      if (await isExhausted(tables, rules, now)) throw limited
      for (const rule of inLockOrder(rules)) await countOne(tables, rule, now)
    })
    return true
  } catch (error) {
    if (error === limited) return false
    throw error
  }
}

async function isExhausted(tables: Tables, rules: readonly ThrottleRule[], now: Date): Promise<boolean> {
  const counters = await readCounters(tables, rules.map(counterId))
  return rules.some(rule => waitSeconds(rule, counters.get(counterId(rule)) ?? null, now) > 0)
}

/** The same order for everybody: two transactions never wait for each other. */
function inLockOrder(rules: readonly ThrottleRule[]): readonly ThrottleRule[] {
  return rules.toSorted((left, right) => (counterId(left) < counterId(right) ? -1 : 1))
}

/** Throws `limited`, which rolls the transaction back, when this try would be one too many. */
async function countOne(tables: Tables, rule: ThrottleRule, now: Date): Promise<void> {
  const id = counterId(rule)
  const expiresAt = secondsAfter(now, rule.windowSeconds)
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

async function readCounters(tables: Tables, ids: string[]): Promise<ReadonlyMap<string, Counter>> {
  const counters = await tables.throttleCounter.findMany({ where: { id: { in: ids } } })
  return new Map(counters.map(counter => [counter.id, counter]))
}

/** How long a rule holds everybody up; 0 while it has tries left. */
function waitSeconds(rule: ThrottleRule, counter: Counter | null, now: Date): number {
  if (counter === null || counter.tries < rule.limit) return 0
  return Math.max(0, Math.ceil((counter.expiresAt.getTime() - now.getTime()) / 1000))
}

/** A digest, because keys name people and addresses. */
function counterId(rule: ThrottleRule): string {
  return hash('sha256', `${rule.windowSeconds}:${rule.key}`, 'base64url')
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptsInFlight, storage } from '#lib/config/limits.ts'
import type { RateLimitRule } from '#lib/ports/rate-limiter.ts'
import { atOnce } from '../../testing/races.ts'
import { later, now } from '../../testing/samples.ts'
import { type Counter, createAttempts } from './attempts.ts'

type Behavior = {
  readonly isAlone?: boolean
  readonly workers?: number
  readonly load?: (stored: Counter) => Promise<Counter>
}

/** Creates attempts on counters in memory. */
function openAttempts({ isAlone = true, workers = 1, load = async stored => stored }: Behavior = {}) {
  const stored = new Map<string, Counter>()
  const done = { loads: 0, writes: 0, isBroken: false }
  const find = (id: string) => stored.get(id) ?? { attempts: 0, expiresAt: new Date(0) }
  const attempts = createAttempts({
    isAlone,
    share: { workers },
    load: async id => {
      done.loads += 1
      return load(find(id))
    },
    countFailure: async rules => {
      done.writes += 1
      if (done.isBroken) throw new Error('the database is read-only')
      for (const { id } of rules) stored.set(id, { attempts: find(id).attempts + 1, expiresAt: later(300) })
    },
  })
  const begin = async (rules: readonly RateLimitRule[], at = now) => {
    const attempt = await attempts.begin(rules, at)
    return attempt.kind === 'begun' ? attempt : assert.fail('limited')
  }
  return { ...attempts, attempts, begin, done }
}

const rule = (limit: number, key = 'alice'): RateLimitRule => ({ key, limit, windowSeconds: 300 })

test('a right attempt writes nothing, and the only process reads a counter once', async () => {
  const { begin, blockedSeconds, done } = openAttempts()
  for (let count = 0; count < 3; count += 1) await (await begin([rule(2), rule(9, 'bob')])).end('passed')
  assert.equal(await blockedSeconds([rule(2)], now), 0)
  assert.deepEqual([done.loads, done.writes], [2, 0])
})

test('one of several nodes reads before each attempt, and otherwise at most once a second', async t => {
  let time = 1
  t.mock.method(performance, 'now', () => (time += 0.001))
  const { begin, blockedSeconds, done } = openAttempts({ isAlone: false })
  for (let count = 0; count < 3; count += 1) await (await begin([rule(2)])).end('passed')
  assert.equal(done.loads, 3)
  await blockedSeconds([rule(2)], now)
  assert.equal(done.loads, 3)
  time += attemptsInFlight.knownMs
  await blockedSeconds([rule(2)], now)
  assert.equal(done.loads, 4)
})

test('AU-09 a failure that could not be stored counts until its window ends', async () => {
  const { begin, attempts, blockedSeconds, done } = openAttempts({ isAlone: false })
  done.isBroken = true
  for (let count = 0; count < 3; count += 1) await assert.rejects((await begin([rule(3)])).end('failed'))
  assert.equal((await attempts.begin([rule(3)], later(299))).kind, 'limited')
  assert.ok((await blockedSeconds([rule(3)], later(299))) > 0)
  await (await begin([rule(3)], later(300))).end('passed')
})

test('AU-09 a counter that was read before a failure does not hide it', async () => {
  const slow = Promise.withResolvers<void>()
  let isSlow = false
  const { begin, attempts } = openAttempts({
    isAlone: false,
    load: async stored => {
      if (isSlow) await slow.promise
      return stored
    },
  })
  const first = await begin([rule(1)])
  isSlow = true
  const second = attempts.begin([rule(1)], now)
  isSlow = false
  await first.end('failed')
  slow.resolve()
  assert.equal((await second).kind, 'limited')
})

test('AU-09 counters of made-up names do not push out the one of an attempt in flight', async () => {
  const { begin, attempts } = openAttempts()
  const first = await begin([rule(1)])
  for (let count = 0; count <= storage.cachedCounters; count += 1)
    await attempts.blockedSeconds([rule(1, `made-up-${count}`)], now)
  const second = attempts.begin([rule(1)], now)
  await first.end('failed')
  assert.equal((await second).kind, 'limited')
})

test('an attempt that waits takes no place of its other rules, and is refused after the deadline', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { begin, attempts } = openAttempts()
  await begin([rule(1), rule(2, 'address')])
  await begin([rule(1, 'bob'), rule(2, 'address')])
  const waiting = attempts.begin([rule(1, 'carol'), rule(2, 'address')], now)
  await begin([rule(1, 'carol')])
  t.mock.timers.tick(attemptsInFlight.longestWaitMs)
  assert.deepEqual(await waiting, { kind: 'limited', retryAfterSeconds: 1 })
})

test('more attempts than may wait are refused immediately', async () => {
  const { begin, attempts } = openAttempts()
  const first = await begin([rule(1)])
  let refused = 0
  const others = atOnce(attemptsInFlight.waiting + 3, async () => {
    const { kind } = await attempts.begin([rule(1)], now)
    if (kind === 'limited') refused += 1
  })
  await new Promise(setImmediate)
  assert.equal(refused, 3)
  await first.end('failed')
  await others
  assert.equal(refused, attemptsInFlight.waiting + 3)
})

test('the workers of a node divide the attempts that are checked, and those that wait', async () => {
  const { begin, attempts } = openAttempts({ isAlone: false, workers: attemptsInFlight.perNode })
  const first = await begin([rule(9)])
  const mayWait = attemptsInFlight.waiting / attemptsInFlight.perNode
  let refused = 0
  let begun = 0
  const others = atOnce(mayWait + 3, async () => {
    const attempt = await attempts.begin([rule(9)], now)
    if (attempt.kind === 'limited') refused += 1
    else {
      begun += 1
      await attempt.end('passed')
    }
  })
  await new Promise(setImmediate)
  assert.deepEqual([refused, begun], [3, 0])
  await first.end('passed')
  await others
  assert.deepEqual([refused, begun], [3, mayWait])
})

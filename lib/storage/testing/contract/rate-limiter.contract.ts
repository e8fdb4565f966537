import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import type { Host } from '../host.ts'
import { atOnce } from '../races.ts'
import { later, newDigest, now } from '../samples.ts'

export function rateLimiterContract(host: () => Host): void {
  describe('the rate limiter', () => {
    const rateLimiter = () => host().storage.rateLimiter
    const rule = (limit: number, windowSeconds = 300) => ({ key: newDigest(), limit, windowSeconds })
    const blockOf = async (account: string) =>
      (await rateLimiter().blocksOf([account, newDigest()], now)).get(account) ?? null
    const isAllowed = async (rules: ReturnType<typeof rule>[], at = now) =>
      (await rateLimiter().consume(rules, at)).kind === 'allowed'

    test('allows as many attempts as the limit, until the window ends', async () => {
      const rules = [rule(2, 300)]
      assert.deepEqual([await isAllowed(rules), await isAllowed(rules, later(10))], [true, true])
      const refused = await rateLimiter().consume(rules, later(100))
      assert.deepEqual(refused, { kind: 'limited', retryAfterSeconds: 200 })
      assert.equal(await rateLimiter().blockedSeconds(rules, later(100)), 200)
      assert.equal(await isAllowed(rules, later(299)), false)
      assert.equal(await isAllowed(rules, later(300)), true)
    })

    test('counts an attempt for every rule or for none', async () => {
      const [wide, narrow] = [rule(10), rule(1)]
      assert.equal(await isAllowed([wide, narrow]), true)
      for (let count = 0; count < 20; count += 1) assert.equal(await isAllowed([wide, narrow]), false)
      assert.equal(await rateLimiter().blockedSeconds([wide], now), 0)
      const results = await atOnce(20, () => isAllowed([wide]))
      assert.equal(results.filter(Boolean).length, 9)
    })

    test('refunds a successful attempt, and never below zero', async () => {
      const rules = [rule(1)]
      await rateLimiter().refund(rules, now)
      assert.equal(await isAllowed(rules), true)
      await rateLimiter().refund(rules, now)
      await rateLimiter().refund(rules, now)
      assert.equal(await isAllowed(rules), true)
      assert.equal(await isAllowed(rules), false)
    })

    test('AU-09 a thousand concurrent attempts do not all pass', async () => {
      const rules = [rule(10), rule(25)]
      // A caller that waits too long for a connection is refused like callers over the limit (LG-06).
      const results = await atOnce(1000, () => isAllowed(rules).catch(turnedAway))
      assert.equal(results.filter(Boolean).length, 10)
    })

    test('AU-09 attempts with the same rules in a different order do not deadlock', async () => {
      const [first, second] = [rule(1000), rule(1000)]
      const results = await atOnce(60, index =>
        isAllowed(index % 2 === 0 ? [first, second] : [second, first]),
      )
      assert.ok(results.every(Boolean))
    })

    const begun = async (rules: ReturnType<typeof rule>[], at = now) => {
      const attempt = await rateLimiter().begin(rules, at)
      return attempt.kind === 'begun' ? attempt : assert.fail('limited')
    }

    test('an attempt that passed does not count, one that failed does', async () => {
      const rules = [rule(2), rule(10)]
      for (let count = 0; count < 5; count += 1) await (await begun(rules)).end('passed')
      for (let count = 0; count < 2; count += 1) await (await begun(rules)).end('failed')
      assert.deepEqual(await rateLimiter().begin(rules, later(100)), {
        kind: 'limited',
        retryAfterSeconds: 200,
      })
      assert.equal(await rateLimiter().blockedSeconds(rules, later(100)), 200)
      await (await begun(rules, later(300))).end('passed')
    })

    test('AU-16 an attempt knows how many failed before it in the window of its first rule', async () => {
      const rules = [rule(5, 60), rule(9)]
      for (const [at, outcome, failures] of [
        [now, 'failed', 0],
        [now, 'failed', 1],
        [now, 'passed', 2],
        [later(59), 'passed', 2],
        [later(60), 'passed', 0],
      ] as const) {
        const attempt = await begun(rules, at)
        assert.equal(attempt.failures, failures)
        await attempt.end(outcome)
      }
    })

    test('attempts beyond the limit wait for those that are being checked', async () => {
      const rules = [rule(2)]
      const [first, second] = [await begun(rules), await begun(rules)]
      const third = rateLimiter().begin(rules, now)
      const blocked = rateLimiter().blockedSeconds(rules, now)
      await first.end('passed')
      const waited = await third
      assert.ok(waited.kind === 'begun')
      const fourth = rateLimiter().begin(rules, now)
      await waited.end('failed')
      await second.end('failed')
      assert.equal((await fourth).kind, 'limited')
      assert.equal(await blocked, 300)
    })

    test('asking whether a rule is blocked waits for attempts that are being checked', async () => {
      const rules = [rule(1)]
      const attempt = await begun(rules)
      const blocked = rateLimiter().blockedSeconds(rules, now)
      await attempt.end('passed')
      assert.equal(await blocked, 0)
    })

    test('all of many parallel attempts pass when each of them is right', async () => {
      const rules = [rule(5), rule(10)]
      await (await begun(rules)).end('failed')
      await atOnce(40, async () => (await begun(rules)).end('passed'))
      assert.equal(await rateLimiter().blockedSeconds(rules, now), 0)
    })

    test('two hundred parallel right attempts store nothing', async () => {
      const before = await host().tables.rateLimitCounter.count({ where: {} })
      const rules = [rule(5), rule(10)]
      await atOnce(200, async () => (await begun(rules)).end('passed'))
      assert.equal(await host().tables.rateLimitCounter.count({ where: {} }), before)
    })

    test('AU-09 no more of many parallel attempts fail than the limit says', async () => {
      const rules = [rule(5), rule(10)]
      const outcomes = await atOnce(1000, async () => {
        const attempt = await rateLimiter().begin(rules, now)
        if (attempt.kind === 'begun') await attempt.end('failed')
        return attempt.kind
      })
      assert.equal(outcomes.filter(kind => kind === 'begun').length, 5)
    })

    test('an attempt that ends after its window takes nothing from the next one', async () => {
      const rules = [rule(1, 60)]
      const slow = await begun(rules)
      await (await begun(rules, later(60))).end('failed')
      await slow.end('passed')
      assert.equal((await rateLimiter().begin(rules, later(61))).kind, 'limited')
    })

    test('returns until when rules are used up, and forgets their failures', async () => {
      const rules = [rule(1, 60), rule(2, 300)]
      const until = () => rateLimiter().usedUpUntil(rules, later(1))
      assert.equal(await until(), null)
      await (await begun(rules)).end('failed')
      assert.deepEqual(await until(), later(60))
      assert.equal(await rateLimiter().usedUpUntil(rules, later(60)), null)
      await (await begun(rules, later(60))).end('failed')
      assert.deepEqual(await rateLimiter().usedUpUntil(rules, later(61)), later(300))
      await rateLimiter().forget(rules)
      assert.equal(await until(), null)
      assert.equal((await rateLimiter().begin(rules, later(61))).kind, 'begun')
    })

    test('returns the end of the block of an account, and allows the account again', async () => {
      const account = newDigest()
      const rules = [
        { ...rule(2, 300), account },
        { ...rule(1, 60), account },
      ]
      const spare = { ...rule(1, 600), account, isSpare: true } as const
      await (await begun([spare])).end('failed')
      assert.equal(await blockOf(account), null)
      await (await begun([rules[0] ?? rule(1)])).end('failed')
      assert.equal(await blockOf(account), null, 'one is left')
      await (await begun(rules)).end('failed')
      assert.deepEqual(await blockOf(account), { until: later(300), failures: 2 })
      assert.equal(await blockOf(newDigest()), null)
      const { count } = await rateLimiter().countBlocked(now)
      await rateLimiter().allow(account)
      assert.equal(await blockOf(account), null)
      assert.deepEqual(await rateLimiter().countBlocked(now), { count: count - 1, isMore: false })
      await (await begun([...rules, spare])).end('passed')
    })

    test('stores only digests of keys', async () => {
      const key = 'account:alice@example.org'
      await rateLimiter().consume([{ key, limit: 5, windowSeconds: 60 }], now)
      assert.ok(!JSON.stringify(await host().tables.rateLimitCounter.findMany()).includes('alice'))
    })
  })
}

function turnedAway(error: unknown): false {
  if (isOauthError(error) && error.code === 'temporarily_unavailable') return false
  throw error
}

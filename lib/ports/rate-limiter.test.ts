import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInRateLimits } from './rate-limiter.ts'

test('AU-07 counts attempts by account, by account and address, and by address', () => {
  const rules = signInRateLimits({ canonicalUsername: 'alice', address: '192.0.2.1' })
  assert.deepEqual(
    rules.map(rule => rule.limit),
    [10, 5, 100],
  )
  assert.equal(new Set(rules.map(rule => rule.key)).size, 3)
})

test('AU-07 counts attempts only by account when the address is unknown', () => {
  assert.equal(signInRateLimits({ canonicalUsername: 'alice', address: null }).length, 1)
})

test('AU-07 all addresses of an IPv6 /64 network share the counters', () => {
  const keys = (address: string) =>
    signInRateLimits({ canonicalUsername: 'alice', address }).map(rule => rule.key)
  assert.deepEqual(keys('2001:db8::1'), keys('2001:db8::ffff:1'))
  assert.notDeepEqual(keys('2001:db8::1'), keys('2001:db8:0:1::1'))
})

test('AU-07 no name can be chosen to share the counter of another', () => {
  const honest = signInRateLimits({ canonicalUsername: 'a', address: 'b' }).map(rule => rule.key)
  const crafted = signInRateLimits({ canonicalUsername: 'a","b', address: null }).map(rule => rule.key)
  assert.ok(crafted.every(key => !honest.includes(key)))
})

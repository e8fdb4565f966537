import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RateLimitRule } from '#lib/ports/rate-limiter.ts'
import { networkRules } from '#lib/protocol/network-limits.ts'
import {
  type AttemptLimits,
  clientRateLimits,
  passwordGrantRateLimits,
  signInRateLimits,
} from './attempt-limits.ts'

const all = ({ own, shared, spare }: AttemptLimits) => [...own, ...shared, ...spare]
const keys = (rules: readonly RateLimitRule[]) => rules.map(({ key }) => key)
const limits = (rules: readonly RateLimitRule[]) => rules.map(({ limit }) => limit)
const signInKeys = (canonicalUsername: string, address: string | null) =>
  keys(all(signInRateLimits({ canonicalUsername, address })))

test('AU-07 counts attempts by account and address, by address, and by account', () => {
  const rules = signInRateLimits({ canonicalUsername: 'alice', address: '192.0.2.1' })
  assert.deepEqual([limits(rules.own), limits(rules.shared), limits(rules.spare)], [[5, 100], [10], [1, 15]])
  assert.equal(new Set(keys(all(rules))).size, 5)
})

test('unblocking an account resets every counter of the account', () => {
  const rules = all(signInRateLimits({ canonicalUsername: 'alice', address: '192.0.2.1' }))
  const ofAccount = rules.filter(({ key }) => key.includes('alice'))
  assert.deepEqual(
    [ofAccount.length, new Set(ofAccount.map(({ account }) => account))],
    [4, new Set(['alice'])],
  )
})

test('AU-07 counts attempts only by account when the address is unknown', () => {
  assert.equal(signInKeys('alice', null).length, 1)
})

test('AU-07 all addresses of an IPv6 /64 network share the counters', () => {
  assert.deepEqual(signInKeys('alice', '2001:db8::1'), signInKeys('alice', '2001:db8::ffff:1'))
  assert.notDeepEqual(signInKeys('alice', '2001:db8::1'), signInKeys('alice', '2001:db8:0:1::1'))
})

test('AU-07 the /64 networks of one /56 and one /48 share further counters with larger limits', () => {
  const [host, household, site] = networkRules('sign-in', '2001:db8:1:2::1', {
    limit: 100,
    windowSeconds: 60,
  })
  const neighbor = networkRules('sign-in', '2001:db8:1:3::1', { limit: 100, windowSeconds: 60 })
  const sameSite = networkRules('sign-in', '2001:db8:1:ff00::1', { limit: 100, windowSeconds: 60 })
  assert.deepEqual(limits(neighbor), [100, 200, 400])
  assert.deepEqual(neighbor.slice(1), [household, site])
  assert.deepEqual(sameSite.slice(2), [site])
  assert.notEqual(neighbor[0]?.key, host?.key)
  assert.notEqual(sameSite[1]?.key, household?.key)
})

test('TK-07 an address is limited for all client IDs together, and for each', () => {
  const { own, shared, spare } = clientRateLimits({ id: 'web', address: '2001:db8:1:2::1' })
  assert.deepEqual([limits(own), limits(shared), limits(spare)], [[20, 200, 400, 800], [100], [1]])
})

test('TK-16 the users of a client with the password grant do not share the limit of its address', () => {
  const { own, shared } = passwordGrantRateLimits({ canonicalUsername: 'alice', address: '192.0.2.1' })
  assert.deepEqual([limits(own), limits(shared)], [[5], [100, 10]])
})

test('AU-07 no name can be chosen to share the counter of another', () => {
  const honest = signInKeys('a', 'b')
  const crafted = signInKeys('a","b', null)
  assert.ok(crafted.every(key => !honest.includes(key)))
})

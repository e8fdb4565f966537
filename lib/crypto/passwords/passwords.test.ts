import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkQueue } from '#lib/config/limits.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { callerAt, knownCaller } from '#lib/ports/check-caller.ts'
import { createPasswords } from './passwords.ts'

const cheap = { memoryKiB: 64, passes: 1, lanes: 1 }
const passwords = createPasswords(cheap)

test('CR-02 hashes with Argon2id as a PHC string with today’s parameters', async () => {
  const hash = await createPasswords().hash('correct horse battery staple')
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.equal(await passwords.verify('correct horse battery staple', hash), true)
})

test('accepts only the right password', async () => {
  const hash = await passwords.hash('wonderland-tea-party')
  assert.equal(await passwords.verify('wonderland-tea-party', hash), true)
  for (const wrong of [
    '',
    'wonderland-tea-part',
    'wonderland-tea-party ',
    ' wonderland-tea-party',
    'Wonderland-tea-party',
  ]) {
    assert.equal(await passwords.verify(wrong, hash), false, JSON.stringify(wrong))
  }
})

test('AU-01 neither cuts off nor trims: long, NUL and blank differences count', async () => {
  const long = 'x'.repeat(100)
  const pairs = [
    [`${long}1`, `${long}2`],
    ['secret\0one', 'secret\0two'],
    ['blank', 'blank '],
    ['pass', 'pass\0'],
  ] as const
  for (const [stored, presented] of pairs) {
    assert.equal(await passwords.verify(presented, await passwords.hash(stored)), false)
  }
})

test('AU-01 the same letters in another Unicode form are the same password', async () => {
  assert.equal(await passwords.verify('cafe\u0301 noir', await passwords.hash('caf\u00e9 noir')), true)
})

test('AU-01 refuses passwords over 1,024 bytes and broken Unicode instead of changing them', async () => {
  for (const wrong of ['x'.repeat(1025), 'ü'.repeat(513), 'lone\ud800surrogate']) {
    await assert.rejects(passwords.hash(wrong), RangeError)
  }
  const replaced = await passwords.hash('lone\ufffdsurrogate')
  assert.equal(await passwords.verify('lone\ud800surrogate', replaced), false)
})

test('AU-06 a missing hash is never right, even for the empty password', async () => {
  for (const presented of ['', 'anything']) assert.equal(await passwords.verify(presented, null), false)
})

test('a stored text that is not a PHC string never matches', async () => {
  for (const stored of ['', 'wonderland', '$2b$10$abcdefghijklmnopqrstuv', '$argon2id$v=19$m=x$a$b']) {
    assert.equal(await passwords.verify('wonderland', stored), false)
  }
})

test('CR-02 weaker hashes need a rehash, equal and stronger ones do not', async () => {
  const stronger = createPasswords({ ...cheap, passes: 2 })
  assert.equal(stronger.needsRehash(await passwords.hash('a')), true)
  assert.equal(passwords.needsRehash(await stronger.hash('a')), false)
  assert.equal(passwords.needsRehash(await passwords.hash('a')), false)
  assert.equal(passwords.needsRehash('not a hash'), true)
})

test('LIM-05 refuses beyond the queue with temporarily_unavailable and a time to try again', async () => {
  const passwords = createPasswords(cheap)
  const capacity = checkQueue.passwords.inFlight + checkQueue.passwords.waiting
  const guesses = Array.from({ length: capacity + 20 }, () => passwords.verify('guess', null))
  const results = await Promise.allSettled(guesses)
  const refused = results.filter(result => result.status === 'rejected').map(result => result.reason)
  assert.equal(refused.length, 20)
  for (const error of refused) {
    assert.ok(isOauthError(error))
    assert.equal(error.code, 'temporarily_unavailable')
    assert.ok((error.retryAfterSeconds ?? 0) > 0)
  }
  assert.equal(await passwords.verify('guess', null), false)
})

test('LIM-05 new passwords of strangers wait behind the sign-ins of known browsers and of other networks', async () => {
  const passwords = createPasswords(cheap)
  let hashed = 0
  const flood = Array.from({ length: 60 }, async () => {
    await passwords.hash('chosen by a stranger', callerAt('198.51.100.1'))
    hashed += 1
  })
  for (const caller of [knownCaller, callerAt('192.0.2.1')]) {
    await passwords.verify('guess', null, caller)
    assert.ok(hashed < 30, `${hashed} of the flood`)
  }
  await Promise.all(flood)
})

import assert from 'node:assert/strict'
import crypto, { createHash } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { mock, test } from 'node:test'
import { handlePrefixes, parseHandle, timePrefixOf } from '#lib/protocol/ids.ts'
import { keptChallenge, verifierMatches } from '#lib/protocol/wire/pkce.ts'
import { areSameBytes, createHashing, isSameDigest } from './hashing.ts'
import { createRandom } from './random.ts'

const hashing = createHashing()

test('digests as RFC 7636 appendix B computes its code challenge', () => {
  assert.equal(
    hashing.digest('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'),
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})

test('JW-13 halves the hash that belongs to the algorithm', () => {
  // The example token of OpenID Connect Core A.3 and its at_hash
  assert.equal(
    hashing.halfHash('jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y', 'RS256'),
    '77QmUPtjPfzWtF2AnpK9RQ',
  )
  assert.equal(
    hashing.halfHash('Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk', 'ES256'),
    'LDktKdoQak3Pk0cnXxCltA',
  )
  const half = createHash('sha512').update('token').digest().subarray(0, 32).toString('base64url')
  assert.equal(hashing.halfHash('token', 'EdDSA'), half)
})

test('CD-11 compares texts of any length', () => {
  assert.equal(hashing.equal('same', 'same'), true)
  for (const other of ['', 'sam', 'same ', 'Same', 'samesame'])
    assert.equal(hashing.equal('same', other), false)
})

test('CD-11 comparisons use timingSafeEqual, with as many bytes on both sides', () => {
  const verifier = 'v'.repeat(43)
  const kept = keptChallenge(hashing.digest(verifier), 'S256', hashing)
  const comparisons: ReadonlyArray<readonly [number, boolean, () => boolean]> = [
    [64, true, () => hashing.equal('same', 'same')],
    [64, false, () => hashing.equal('same', 'a much longer text')],
    [64, true, () => verifierMatches(verifier, kept, hashing)],
    [64, false, () => verifierMatches('w'.repeat(43), kept, hashing)],
    [43, true, () => isSameDigest(kept, kept)],
    [43, false, () => isSameDigest(kept, hashing.digest('another'))],
    [3, true, () => areSameBytes(Buffer.from('abc'), Buffer.from('abc'))],
    [3, false, () => areSameBytes(Buffer.from('abc'), Buffer.from('abd'))],
  ]
  for (const [bytes, expected, compare] of comparisons) {
    const { outcome, lengths } = watched(compare)
    assert.equal(outcome, expected, String(compare))
    assert.deepEqual(lengths, [[bytes, bytes]], String(compare))
  }
})

test('CD-01 a thousand handles are well-formed and different, and IDs are well-formed', () => {
  const random = createRandom()
  const made = Array.from({ length: 1000 }, () => random.handle('code'))
  assert.equal(new Set(made).size, made.length)
  assert.ok(made.every(handle => parseHandle('code', handle) === handle))
  assert.match(random.grantId(), /^g[\w-]{22}$/)
  assert.match(random.sessionId(), /^[\w-]{22}$/)
  assert.match(random.id(), /^[\w-]{22}$/)
})

for (const kind of ['accessToken', 'refreshToken', 'pending'] as const)
  test(`CD-01 each ${kind} starts with 24 bits of the time, stored before the digest, and 232 random bits follow`, () => {
    const hour = 3_600_000
    let now = Date.parse('2026-11-20T12:00:00Z')
    const random = createRandom(() => now++)
    const start = handlePrefixes[kind].length
    const made = Array.from({ length: 1000 }, () => random.handle(kind))
    assert.equal(new Set(made.map(handle => handle.slice(start + 4))).size, made.length)
    assert.ok(made.every(handle => parseHandle(kind, handle) === handle))
    const digests = made.map(hashing.tokenDigest)
    for (const [index, handle] of made.entries())
      assert.equal(digests[index], `${handle.slice(start, start + 4)}${hashing.digest(handle)}`)
    const prefixes = new Set(digests.map(digest => digest.slice(0, 4)))
    assert.ok(prefixes.size >= 16 && prefixes.size <= 17, `${prefixes.size} prefixes in one second`)
    now += hour
    assert.ok(!prefixes.has(timePrefixOf(random.handle(kind))))
  })

test('grant ids start with the same time, and 104 random bits follow', () => {
  const random = createRandom(() => Date.parse('2026-11-20T12:00:00Z'))
  const ids = Array.from({ length: 1000 }, () => random.grantId())
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(
    new Set(ids.map(id => id.slice(1, 5))),
    new Set([timePrefixOf(random.handle('accessToken'))]),
  )
  assert.ok(ids.every(id => /^g[\w-]{22}$/.test(id)))
})

/** Returns the result of a comparison, and the number of bytes of each side when it reached `timingSafeEqual`. */
function watched(compare: () => boolean) {
  const spy = mock.method(crypto, 'timingSafeEqual')
  syncBuiltinESMExports()
  try {
    const outcome = compare()
    const lengths = spy.mock.calls.map(call => call.arguments.map(({ byteLength }) => byteLength))
    return { outcome, lengths }
  } finally {
    spy.mock.restore()
    syncBuiltinESMExports()
  }
}

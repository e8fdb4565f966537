import assert from 'node:assert/strict'
import { createHash, timingSafeEqual } from 'node:crypto'
import { test } from 'node:test'
import { isChallengeShaped, isVerifierShaped, keptChallenge, verifierMatches } from './pkce.ts'

const hashing = {
  digest: (value: string) => createHash('sha256').update(value).digest('base64url'),
  equal: (left: string, right: string) =>
    left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right)),
}

// RFC 7636 appendix B
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

test('the verifier of RFC 7636 appendix B matches its challenge', () => {
  assert.equal(verifierMatches(verifier, keptChallenge(challenge, 'S256', hashing), hashing), true)
})

test('CD-11 a verifier matches only its own challenge', () => {
  const proves = (sent: string, asked: string, method: 'plain' | 'S256') =>
    verifierMatches(sent, keptChallenge(asked, method, hashing), hashing)
  assert.equal(proves(verifier, verifier, 'plain'), true)
  assert.equal(proves(verifier, challenge, 'plain'), false)
  assert.equal(proves(verifier, verifier, 'S256'), false)
  assert.equal(proves(`${verifier}A`, challenge, 'S256'), false)
  assert.equal(proves('', '', 'plain'), false)
})

test('CD-01 the stored form of a plain challenge is not a valid verifier', () => {
  const kept = keptChallenge(verifier, 'plain', hashing)
  assert.notEqual(kept, verifier)
  assert.equal(verifierMatches(kept, kept, hashing), false)
})

const verifierShapes: ReadonlyArray<readonly [string, boolean]> = [
  ['a'.repeat(42), false],
  ['a'.repeat(43), true],
  ['a'.repeat(128), true],
  ['a'.repeat(129), false],
  [`${'a'.repeat(42)}~`, true],
  [`${'a'.repeat(42)}+`, false],
  [`${'a'.repeat(42)} `, false],
  [`${'a'.repeat(43)}\n`, false],
  [`${'a'.repeat(42)}é`, false],
]

test('CD-10 verifiers have 43 to 128 unreserved characters', () => {
  for (const [value, expected] of verifierShapes) assert.equal(isVerifierShaped(value), expected, value)
})

test('CD-10 a plain challenge has the form of a verifier', () => {
  for (const [value, expected] of verifierShapes)
    assert.equal(isChallengeShaped(value, 'plain'), expected, value)
})

test('CD-10 an S256 challenge has exactly 43 base64url characters', () => {
  assert.equal(isChallengeShaped(challenge, 'S256'), true)
  assert.equal(isChallengeShaped(`${challenge}a`, 'S256'), false)
  assert.equal(isChallengeShaped(challenge.slice(1), 'S256'), false)
  assert.equal(isChallengeShaped(`${challenge.slice(1)}~`, 'S256'), false)
  assert.equal(isChallengeShaped(`${challenge.slice(1)}=`, 'S256'), false)
})

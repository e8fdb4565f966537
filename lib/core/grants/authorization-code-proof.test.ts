import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { createHashing } from '#lib/crypto/hashing.ts'
import type { CodeChallengeMethod } from '#lib/protocol/vocabulary.ts'
import { challengeShapes, keptChallenge, verifierMatches } from '#lib/protocol/wire/pkce.ts'
import { type CodeProof, findProofMistake, type ProofMistake } from './authorization-code.ts'

const hashing = createHashing()
const verifier = 'v'.repeat(43)
const s256 = createHash('sha256').update(verifier).digest('base64url')
const redirectUri = 'https://app.example/callback'

type Challenge = readonly [challenge: string | null, method: CodeChallengeMethod | null]
const unbound: Challenge = [null, null]
const hashed: Challenge = [s256, 'S256']
const plain: Challenge = [verifier, 'plain']

const rows: ReadonlyArray<readonly [string, Challenge, Partial<CodeProof>, ProofMistake | null]> = [
  ['CD-08 the right S256 verifier', hashed, { verifier }, null],
  ['CD-08 the right plain verifier', plain, { verifier }, null],
  ['CD-09 no challenge and no verifier', unbound, {}, null],
  ['CD-09 a challenge without a verifier', hashed, {}, 'verifier_missing'],
  ['CD-09 a challenge and a blank verifier', hashed, { verifier: ' ' }, 'verifier_wrong'],
  ['CD-09 a verifier without a challenge', unbound, { verifier }, 'verifier_unexpected'],
  [
    'CD-10 a verifier of 42 characters',
    ['v'.repeat(42), 'plain'],
    { verifier: 'v'.repeat(42) },
    'verifier_wrong',
  ],
  [
    'CD-10 a verifier of 129 characters',
    ['v'.repeat(129), 'plain'],
    { verifier: 'v'.repeat(129) },
    'verifier_wrong',
  ],
  ['CD-06 another verifier', hashed, { verifier: 'w'.repeat(43) }, 'verifier_wrong'],
  ['CD-06 the challenge itself as verifier', hashed, { verifier: s256 }, 'verifier_wrong'],
  [
    'CD-07 another redirect URI',
    hashed,
    { verifier, redirectUri: `${redirectUri}/` },
    'redirect_uri_differs',
  ],
  ['CD-07 an empty redirect URI', hashed, { verifier, redirectUri: '' }, 'redirect_uri_differs'],
]

for (const [title, [challenge, method], sent, expected] of rows) {
  test(`${title}: ${expected ?? 'accepted'}`, () => {
    const codeChallenge = challenge && method && keptChallenge(challenge, method, hashing)
    const proof = { redirectUri, verifier: null, ...sent }
    assert.equal(findProofMistake({ redirectUri, codeChallenge }, proof, hashing), expected)
  })
}

// The example of RFC 7636 appendix B
const rfcVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const rfcChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

test('the verifier of RFC 7636 appendix B matches its challenge', () => {
  assert.equal(verifierMatches(rfcVerifier, keptChallenge(rfcChallenge, 'S256', hashing), hashing), true)
})

test('CD-11 a verifier matches only its own challenge', () => {
  const proves = (sent: string, asked: string, method: 'plain' | 'S256') =>
    verifierMatches(sent, keptChallenge(asked, method, hashing), hashing)
  assert.equal(proves(rfcVerifier, rfcVerifier, 'plain'), true)
  assert.equal(proves(rfcVerifier, rfcChallenge, 'plain'), false)
  assert.equal(proves(rfcVerifier, rfcVerifier, 'S256'), false)
  assert.equal(proves(`${rfcVerifier}A`, rfcChallenge, 'S256'), false)
  assert.equal(proves('', '', 'plain'), false)
})

test('CD-01 the stored form of a plain challenge is not a valid verifier', () => {
  const kept = keptChallenge(rfcVerifier, 'plain', hashing)
  assert.notEqual(kept, rfcVerifier)
  assert.equal(verifierMatches(kept, kept, hashing), false)
})

const isChallengeShaped = (challenge: string, method: CodeChallengeMethod) =>
  challengeShapes[method].pattern.test(challenge)

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
  for (const [value, expected] of verifierShapes)
    assert.equal(verifierMatches(value, hashing.digest(value), hashing), expected, value)
})

test('CD-10 a plain challenge has the form of a verifier', () => {
  for (const [value, expected] of verifierShapes)
    assert.equal(isChallengeShaped(value, 'plain'), expected, value)
})

test('CD-10 an S256 challenge has exactly 43 base64url characters', () => {
  assert.equal(isChallengeShaped(rfcChallenge, 'S256'), true)
  assert.equal(isChallengeShaped(`${rfcChallenge}a`, 'S256'), false)
  assert.equal(isChallengeShaped(rfcChallenge.slice(1), 'S256'), false)
  assert.equal(isChallengeShaped(`${rfcChallenge.slice(1)}~`, 'S256'), false)
  assert.equal(isChallengeShaped(`${rfcChallenge.slice(1)}=`, 'S256'), false)
})

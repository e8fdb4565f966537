import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { createHashing } from '#lib/crypto/hashing.ts'
import type { CodeChallengeMethod } from '#lib/protocol/vocabulary.ts'
import { keptChallenge } from '#lib/protocol/wire/pkce.ts'
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
  ['CD-09 a challenge and an empty verifier', hashed, { verifier: '' }, 'verifier_missing'],
  ['CD-09 a challenge and a blank verifier', hashed, { verifier: ' ' }, 'verifier_wrong'],
  ['CD-09 a verifier without a challenge', unbound, { verifier }, 'verifier_unexpected'],
  ['CD-09 an empty verifier without a challenge', unbound, { verifier: '' }, 'verifier_unexpected'],
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

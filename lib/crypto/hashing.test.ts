import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { parseHandle } from '#lib/protocol/ids.ts'
import { createHashing } from './hashing.ts'
import { createRandom } from './random.ts'

const hashing = createHashing()

test('digests as RFC 7636 appendix B computes its code challenge', () => {
  assert.equal(
    hashing.digest('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'),
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})

test('JW-13 halves the hash that belongs to the algorithm', () => {
  // The example token of OpenID Connect Core A.3 and its at_hash.
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

test('CD-01 handles carry 256 random bits, a prefix, and never repeat', () => {
  const random = createRandom()
  const made = Array.from({ length: 1000 }, () => random.handle('code'))
  assert.equal(new Set(made).size, made.length)
  assert.ok(made.every(handle => parseHandle('code', handle) === handle))
  assert.match(random.grantId(), /^g[\w-]{22}$/)
  assert.match(random.sessionId(), /^[\w-]{22}$/)
  assert.match(random.id(), /^[\w-]{22}$/)
})

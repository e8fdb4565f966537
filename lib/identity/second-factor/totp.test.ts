import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newTotpSecret, parseTotp, stepOfTotp, totpKeyUri } from './totp.ts'

/** The secret of the test vectors in RFC 6238, `12345678901234567890`, in Base32. */
const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

/** RFC 6238 appendix B, SHA-1: the last six of the eight digits. */
const vectors = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const

const at = (seconds: number) => new Date(seconds * 1000)

for (const [seconds, code] of vectors) {
  test(`MF-01 RFC 6238 appendix B: ${code} is the code after ${seconds} seconds`, () => {
    assert.equal(stepOfTotp(rfcSecret, code, at(seconds)), Math.floor(seconds / 30))
  })
}

describe('MF-01 a code of a time step is right', () => {
  const step = Math.floor(1_234_567_890 / 30)
  const start = step * 30
  const rows = [
    ['right in its step', start + 29, step],
    ['right in the step before', start - 1, step],
    ['right in the step after', start + 59, step],
    ['wrong two steps before', start - 31, null],
    ['wrong two steps after', start + 60, null],
  ] as const
  for (const [name, seconds, expected] of rows) {
    test(`MF-01 a code is ${name}`, () =>
      assert.equal(stepOfTotp(rfcSecret, '005924', at(seconds)), expected))
  }
})

test('MF-01 a code of another secret is wrong', () => {
  assert.equal(stepOfTotp(newTotpSecret(), '005924', at(1_234_567_890)), null)
})

test('MF-01 secrets have 160 bits and differ', () => {
  const secrets = Array.from({ length: 100 }, newTotpSecret)
  assert.equal(new Set(secrets).size, 100)
  for (const secret of secrets) assert.match(secret, /^[A-Z2-7]{32}$/)
})

describe('MF-01 the typed code', () => {
  const rows = [
    ['287082', '287082'],
    [' 287 082 ', '287082'],
    ['287-082', '287082'],
    ['287 082', '287082'],
    ['28708', null],
    ['2870821', null],
    ['28708a', null],
    ['', null],
    ['٢٨٧٠٨٢', null],
    [`${' '.repeat(100)}287082`, null],
  ] as const
  for (const [typed, code] of rows) {
    test(`MF-01 the typed text ${JSON.stringify(typed)} is ${code === null ? 'no code' : `the code ${code}`}`, () => {
      assert.equal(parseTotp(typed), code)
    })
  }

  test('MF-01 a typed code is read in the same time, however long it is', () => {
    const started = performance.now()
    for (let run = 0; run < 1000; run++) parseTotp(' -'.repeat(30_000))
    assert.ok(performance.now() - started < 1000)
  })
})

test('the key address names issuer and account, escaped and without colons', () => {
  const names = { siteName: 'Ames & Co: Login', accountName: 'alice:1@example.com' }
  const uri = new URL(totpKeyUri({ secret: rfcSecret, ...names }))
  assert.equal(uri.protocol, 'otpauth:')
  assert.equal(decodeURIComponent(uri.pathname), '/Ames & Co Login:alice 1@example.com')
  assert.deepEqual(Object.fromEntries(uri.searchParams), {
    issuer: 'Ames & Co Login',
    secret: rfcSecret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})

test('the key address is short enough for a QR code, however long the names are', () => {
  const names = { siteName: '𝒜'.repeat(300), accountName: `e${'\u0301'.repeat(2000)}`.repeat(60) }
  assert.ok(totpKeyUri({ secret: rfcSecret, ...names }).length < 1100)
})

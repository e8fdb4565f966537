import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createHashing } from '#lib/crypto/hashing.ts'
import { createRandom } from '#lib/crypto/random.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { newRecoveryCodes, parseRecoveryCode, recoveryCodeDigest } from './recovery-codes.ts'

const random = createRandom()

test('MF-02 a set has ten different codes of fifteen characters that do not look alike', () => {
  const codes = newRecoveryCodes(random)
  assert.equal(new Set(codes).size, 10)
  for (const code of codes) assert.match(code, /^(?:[2-9A-HJKMNP-TV-Z]{5}-){2}[2-9A-HJKMNP-TV-Z]{5}$/)
})

test('MF-02 all characters are equally frequent in codes', () => {
  const counts = new Map<string, number>()
  for (let run = 0; run < 400; run++)
    for (const character of newRecoveryCodes(random).join('').replaceAll('-', ''))
      counts.set(character, (counts.get(character) ?? 0) + 1)
  assert.equal(counts.size, 30)
  // 60,000 characters: 2,000 each, with a standard deviation of 44
  for (const [character, count] of counts) assert.ok(Math.abs(count - 2000) < 300, `${character}: ${count}`)
})

describe('MF-02 the typed code', () => {
  const rows = [
    ['ABCDE-FGHJK-MNPQR', 'ABCDEFGHJKMNPQR'],
    [' abcde fghjk mnpqr ', 'ABCDEFGHJKMNPQR'],
    ['abcdefghjkmnpqr', 'ABCDEFGHJKMNPQR'],
    ['ABCDE-FGHJK-MNPQ', null],
    ['ABCDE-FGHJK-MNPQRS', null],
    ['ABCDE-FGHJK-MNPQ0', null],
    ['', null],
  ] as const
  for (const [typed, code] of rows) {
    test(`MF-02 the typed text ${JSON.stringify(typed)} is ${code === null ? 'no' : 'a'} recovery code`, () => {
      assert.equal(parseRecoveryCode(typed), code)
    })
  }
})

test('MF-02 equal codes of different subjects have different digests', () => {
  const hashing = createHashing()
  const [alice, bob] = [subjectIdSchema.parse('alice'), subjectIdSchema.parse('bob')]
  const code = 'ABCDEFGHJKMNPQR'
  assert.notEqual(recoveryCodeDigest(hashing, alice, code), recoveryCodeDigest(hashing, bob, code))
  assert.equal(
    recoveryCodeDigest(hashing, alice, code),
    recoveryCodeDigest(hashing, alice, 'ABCDE-FGHJK-MNPQR'),
  )
})

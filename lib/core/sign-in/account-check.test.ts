import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHashing } from '#lib/crypto/hashing.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { accountCheck } from './account-check.ts'

const hashing = createHashing()
const proven = hashing.digest('$argon2id$proven')
const standing = {
  subject: subjectIdSchema.parse('alice'),
  username: 'alice',
  passwordHash: '$argon2id$proven',
  mustChangePassword: false,
  enabled: true,
  claims: {},
}

test('SE-06 RT-08 a sign-in counts while the account is open and its password the one that was proved', () => {
  const rows = [
    [standing, true, true],
    [{ ...standing, passwordHash: '$argon2id$other' }, false, true],
    [{ ...standing, passwordHash: null }, false, true],
    [{ ...standing, enabled: false }, false, false],
    [null, false, true],
  ] as const
  for (const [account, afterPassword, afterProvider] of rows) {
    assert.equal(accountCheck(hashing, proven)(account), afterPassword)
    assert.equal(accountCheck(hashing, null)(account), afterProvider)
  }
})

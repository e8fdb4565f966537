import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { type TestContext, test } from 'node:test'
import { importedHashing } from '#lib/config/limits.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import {
  parseImportedHash,
  readImportedPasswordHash,
  workOf,
} from '#lib/protocol/registration/imported-hashes.ts'
import { countArgon2 } from '../testing/count-argon2.ts'
import fixtures from '../testing/imported-hashes.json' with { type: 'json' }
import { createPasswords, storedImportedWork } from './passwords.ts'

const cheap = { memoryKiB: 64, passes: 1, lanes: 1 }

function stored(exported: string): string {
  const read = readImportedPasswordHash(exported)
  return 'passwordHash' in read ? read.passwordHash : assert.fail(read.problem)
}

const rows = fixtures.passwords.map(row => ({ ...row, hash: stored(row.exported) }))
const quick = rows[0] ?? assert.fail()

for (const { kind, password, hash } of rows) {
  test(`CR-02 verifies and replaces a hash of ${kind}`, async () => {
    const passwords = createPasswords(cheap)
    assert.equal(await passwords.verify(password, hash), true)
    for (const wrong of ['', `${password} `, password.toUpperCase(), 'another']) {
      assert.equal(await passwords.verify(wrong, hash), false, JSON.stringify(wrong))
    }
    assert.equal(passwords.needsRehash(hash), true)
  })
}

test('a password that could not be stored here is wrong, whatever the other server made of it', async () => {
  const passwords = createPasswords(cheap)
  for (const password of ['x'.repeat(1025), 'lone\ud800surrogate']) {
    const subkey = crypto.pbkdf2Sync(password, Buffer.alloc(16), 1, 32, 'sha1')
    const exported = Buffer.concat([Buffer.of(0), Buffer.alloc(16), subkey]).toString('base64')
    assert.equal(await passwords.verify(password, stored(`1.${exported}`)), false)
  }
})

test('a damaged hash is never right and costs one own hash', async t => {
  const passwords = createPasswords(cheap)
  const argon2 = countArgon2(t)
  for (const damaged of [
    quick.exported,
    quick.hash.slice(0, -30),
    quick.hash.replace('i=1000', 'i=99999999'),
    quick.hash.replace('i=1000', 'i=0'),
    '$pbkdf2-sha1$i=1000$$',
  ]) {
    assert.equal(await passwords.verify(quick.password, damaged), false)
    assert.equal(argon2.count(), 1, damaged)
  }
})

/** Applications of each pseudorandom function in `crypto.pbkdf2`, by its blocks. */
function countPbkdf2(t: TestContext) {
  const bytes: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha512: 64 }
  const { mock } = t.mock.method(crypto, 'pbkdf2')
  syncBuiltinESMExports()
  t.after(() => {
    mock.restore()
    syncBuiltinESMExports()
  })
  return {
    /** Since it was last asked. */
    count: () => {
      const work: Record<string, number> = { sha1: 0, sha256: 0, sha512: 0 }
      for (const { arguments: given } of mock.calls) {
        const [, , iterations, length, prf] = given
        work[prf] = (work[prf] ?? 0) + iterations * Math.ceil(length / (bytes[prf] ?? 1))
      }
      mock.resetCalls()
      return work
    },
  }
}

test('AU-05 a refusal costs the same for unknown users, own hashes, imported ones and damaged ones', async t => {
  const passwords = createPasswords(cheap)
  const own = await passwords.hash('another')
  const imported = rows.map(({ hash }) => hash.replace(/i=(\d+)/, (_, count) => `i=${Number(count) / 100}`))
  const accounts = [null, own, ...imported, quick.hash.slice(0, -30)]
  const argon2 = countArgon2(t)
  const pbkdf2 = countPbkdf2(t)
  const refuse = async (account: string | null, password: string) => {
    assert.equal(await passwords.verify(password, account), false)
    await passwords.equalizeCost(account)
    return { argon2: argon2.count(), ...pbkdf2.count() }
  }
  assert.deepEqual(await refuse(null, 'wrong'), { argon2: 1, sha1: 0, sha256: 0, sha512: 0 })
  for (const hash of imported) passwords.expectImported(workOf(parseImportedHash(hash)))
  const most = { argon2: 1, sha1: 5120, sha256: 100, sha512: 1000 }
  for (const account of accounts) {
    for (const password of ['wrong', 'x'.repeat(1025), 'lone\ud800surrogate', '']) {
      assert.deepEqual(await refuse(account, password), most, `${account} ${password.slice(0, 20)}`)
    }
  }
})

test('AU-05 the cost of an imported hash is learned when it is verified, and a right password pays no more', async t => {
  const passwords = createPasswords(cheap)
  const own = await passwords.hash('another')
  const pbkdf2 = countPbkdf2(t)
  assert.equal(await passwords.verify(quick.password, quick.hash), true)
  assert.deepEqual(pbkdf2.count(), { sha1: 2000, sha256: 0, sha512: 0 })
  assert.equal(await passwords.verify('another', own), true)
  assert.deepEqual(pbkdf2.count(), { sha1: 0, sha256: 0, sha512: 0 })
  await passwords.equalizeCost(own)
  assert.deepEqual(pbkdf2.count(), { sha1: 2000, sha256: 0, sha512: 0 })
})

test('the stored work counts only as long as a user has an imported hash', async () => {
  const stored = JSON.stringify({ sha1: 2000, sha256: 0, sha512: 0 })
  const workWith = (meta: string | null, isOneLeft: boolean) =>
    storedImportedWork({
      meta: { find: async () => meta },
      users: { hasImportedHash: async () => isOneLeft },
    })
  assert.equal((await workWith(stored, true)).sha1, 2000)
  assert.equal((await workWith(stored, false)).sha1, 0)
  assert.equal((await workWith(null, true)).sha1, 0)
})

test('LIM-05 imported hashes have a separate queue, which refuses what would wait too long', async () => {
  const passwords = createPasswords(cheap)
  const capacity = importedHashing.inFlight + importedHashing.queue
  const guesses = Array.from({ length: capacity + 5 }, () => passwords.verify('guess', quick.hash))
  const results = Promise.allSettled(guesses)
  assert.equal(await passwords.verify('guess', null), false)
  const refused = (await results).flatMap(it => (it.status === 'rejected' ? [it.reason] : []))
  assert.equal(refused.length, 5)
  for (const error of refused) assert.ok(isOauthError(error) && error.code === 'temporarily_unavailable')
})

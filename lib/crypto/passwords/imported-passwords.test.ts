import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { type TestContext, test } from 'node:test'
import { checkQueue } from '#lib/config/limits.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { readImportedPasswordHash } from '#lib/protocol/registration/exported-hashes.ts'
import { hashOfNoPassword, parseImportedHash } from '#lib/protocol/registration/imported-hashes.ts'
import { countArgon2 } from '../testing/count-argon2.ts'
import fixtures from '../testing/imported-hashes.json' with { type: 'json' }
import { createPasswords } from './passwords.ts'

const cheap = { memoryKiB: 64, passes: 1, lanes: 1 }

function stored(exported: string): string {
  const read = readImportedPasswordHash(exported)
  return 'passwordHash' in read ? read.passwordHash : assert.fail(read.problem)
}

const rows = fixtures.passwords.map(row => ({ ...row, hash: stored(row.exported) }))
const quick = rows[0] ?? assert.fail()

for (const { kind, password, hash } of rows) {
  test(`CR-02 verifies a hash of ${kind}, and asks to replace it`, async () => {
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

test('a damaged hash is never right and costs one Argon2 hash', async t => {
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

/** Counts the applications of each pseudorandom function in `crypto.pbkdf2`, by its blocks. */
function countPbkdf2(t: TestContext) {
  const bytes: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha512: 64 }
  const { mock } = t.mock.method(crypto, 'pbkdf2')
  syncBuiltinESMExports()
  t.after(() => {
    mock.restore()
    syncBuiltinESMExports()
  })
  return {
    /** Returns the count since the last call. */
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

const kindOf = (hash: string) => {
  const { method, parameters } = parseImportedHash(hash) ?? assert.fail(hash)
  return { prf: method.replace('pbkdf2-', ''), iterations: parameters.i }
}

test('AU-05 a name without a password costs what the hash of some user costs, always the same one', async t => {
  const passwords = createPasswords(cheap, { substituteKey: Buffer.alloc(32) })
  assert.equal(passwords.substituteHash('alice'), null)
  const [first, second] = [{ cost: '$pbkdf2-sha1$i=1000' }, { cost: '$pbkdf2-sha512$i=300' }] as const
  passwords.expectImported([
    { ...first, share: 0.6 },
    { ...second, share: 0.3 },
  ])
  const names = Array.from({ length: 2000 }, (_, number) => `name-${number}`)
  const kinds = Map.groupBy(names, name => JSON.stringify(passwords.substituteHash(name)))
  const shares = [...kinds.values()].map(({ length }) => Math.round((length / names.length) * 10) / 10)
  assert.deepEqual(shares.toSorted(), [0.1, 0.3, 0.6])
  const pbkdf2 = countPbkdf2(t)
  const argon2 = countArgon2(t)
  for (const [substitute = '', [name = ''] = []] of kinds) {
    const stored: string | null = JSON.parse(substitute)
    assert.equal(passwords.substituteHash(name), stored)
    assert.equal(await passwords.verify('', stored), false)
    const expected = { sha1: 0, sha256: 0, sha512: 0 }
    const kind = stored === null ? null : kindOf(stored)
    assert.deepEqual(pbkdf2.count(), kind === null ? expected : { ...expected, [kind.prf]: kind.iterations })
    assert.equal(argon2.count(), stored === null ? 1 : 0)
  }
})

test('AU-05 the cost of a made-up name is the same for the same key, and depends on the key', () => {
  const kinds = [{ cost: '$pbkdf2-sha1$i=1000', share: 0.5 }] as const
  const openNode = (substituteKey?: Buffer) => {
    const passwords = createPasswords(cheap, { substituteKey })
    passwords.expectImported(kinds)
    return Array.from({ length: 64 }, (_, number) => passwords.substituteHash(`name-${number}`))
  }
  const key = Buffer.alloc(32, 7)
  assert.deepEqual(openNode(key), openNode(Buffer.from(key)))
  assert.notDeepEqual(openNode(key), openNode())
})

test('AU-05 a right and a wrong password, also an impossible one, cost one block of each imported hash', async t => {
  const passwords = createPasswords(cheap)
  const pbkdf2 = countPbkdf2(t)
  for (const { password, hash } of rows) {
    const { prf, iterations } = kindOf(hash)
    for (const typed of [password, 'wrong', '', 'x'.repeat(1025)]) {
      assert.equal(await passwords.verify(typed, hash), typed === password)
      assert.deepEqual(pbkdf2.count(), { sha1: 0, sha256: 0, sha512: 0, [prf]: iterations })
    }
  }
})

test('LIM-05 slow imported hashes have a separate queue, which refuses what would wait too long', async t => {
  t.mock.method(crypto, 'pbkdf2', (...[, , , , , done]: Parameters<typeof crypto.pbkdf2>) => {
    setImmediate(done, null, Buffer.alloc(20, 1))
  })
  syncBuiltinESMExports()
  t.after(syncBuiltinESMExports)
  const passwords = createPasswords(cheap)
  const slow = hashOfNoPassword('$pbkdf2-sha1$i=10000000')
  const capacity = 1 + checkQueue.slowPasswords.waiting
  const guesses = Array.from({ length: capacity + 5 }, () => passwords.verify('guess', slow))
  const results = Promise.allSettled(guesses)
  assert.equal(await passwords.verify('guess', null), false)
  const refused = (await results).flatMap(it => (it.status === 'rejected' ? [it.reason] : []))
  assert.equal(refused.length, 5)
  for (const error of refused) assert.ok(isOauthError(error) && error.code === 'temporarily_unavailable')
})

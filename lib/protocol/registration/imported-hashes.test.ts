import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { importedHashes } from '#lib/config/limits.ts'
import fixtures from '#lib/crypto/testing/imported-hashes.json' with { type: 'json' }
import { readImportedPasswordHash } from './exported-hashes.ts'
import {
  costOf,
  digestOfSecretHash,
  hashOfNoPassword,
  isSlow,
  parseImportedHash,
  readHashKinds,
  readImportedSecret,
} from './imported-hashes.ts'

const salt = Buffer.alloc(16, 1)
const subkey = Buffer.alloc(32, 2)
const base64 = (...parts: readonly Uint8Array[]) => Buffer.concat(parts).toString('base64')
const version2 = base64(Buffer.of(0), salt, subkey)

function version3(prf: number, iterations: number, saltLength = 16, rest = [salt, subkey]) {
  const header = Buffer.alloc(13)
  header[0] = 1
  header.writeUInt32BE(prf, 1)
  header.writeUInt32BE(iterations, 5)
  header.writeUInt32BE(saltLength, 9)
  return base64(header, ...rest)
}

function stored(exported: string): string {
  const read = readImportedPasswordHash(exported)
  return 'passwordHash' in read ? read.passwordHash : assert.fail(read.problem)
}

test('reads every kind of exported password hash', () => {
  const text = `${salt.toString('base64').replace(/=+$/, '')}$${subkey.toString('base64').replace(/=+$/, '')}`
  for (const [exported, expected] of [
    [version2, `$pbkdf2-sha1$i=1000$${text}`],
    [`FA00.${version2}`, `$pbkdf2-sha1$i=64000$${text}`],
    [`fa00.${version2}`, `$pbkdf2-sha1$i=64000$${text}`],
    [`7D0000.${version2}`, `$pbkdf2-sha1$i=8192000$${text}`],
    [version3(0, 10_000), `$pbkdf2-sha1$i=10000$${text}`],
    [version3(1, 10_000), `$pbkdf2-sha256$i=10000$${text}`],
    [version3(2, 100_000), `$pbkdf2-sha512$i=100000$${text}`],
  ] as const) {
    assert.equal(stored(exported), expected)
  }
})

test('a stored hash is read as what was exported', () => {
  assert.deepEqual(parseImportedHash(stored(`FA00.${version2}`)), {
    ...{ method: 'pbkdf2-sha1', parameters: { i: 64_000 }, salt, key: subkey },
  })
  for (const { exported } of fixtures.passwords) assert.ok(parseImportedHash(stored(exported)), exported)
})

const { mostIterations } = importedHashes
const malformed: ReadonlyArray<readonly [string, RegExp]> = [
  ['', /is not a hash/],
  ['wonderland', /is not a hash/],
  ['$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA', /is not a hash/],
  [version2.slice(0, -4), /is not a hash/],
  [`${version2} `, /is not a hash/],
  [base64(Buffer.of(2), salt, subkey), /is not a hash/],
  [base64(Buffer.of(1, 0, 0)), /is not a hash/],
  [`.${version2}`, /is not a hash/],
  [`FA00.FA00.${version2}`, /is not a hash/],
  [`0xFA.${version2}`, /is not a hash/],
  [`FA00.${version3(1, 10_000)}`, /is not a hash/],
  [version3(3, 10_000), /is not a hash/],
  [version3(0xffffffff, 10_000), /is not a hash/],
  [`0.${version2}`, /has 0 iterations/],
  [`FFFFFFFF.${version2}`, /has 4294967295 iterations, and may have from 1 to 10000000/],
  [version3(1, 0), /has 0 iterations/],
  [version3(2, mostIterations + 1), /iterations/],
  [version3(1, 1000, 15, [salt.subarray(1), subkey]), /salt of 15/],
  [version3(1, 1000, 0xffffffff), /subkey of 0/],
  [version3(1, 1000, 16, [salt, subkey.subarray(17)]), /subkey of 15/],
  [version3(1, 1000, 16, [salt, Buffer.alloc(65)]), /subkey of 65/],
  [version3(1, 1000, 65, [Buffer.alloc(65), subkey]), /salt of 65/],
]
for (const [exported, problem] of malformed) {
  test(`refuses the password hash ${JSON.stringify(exported.slice(0, 40))} (${exported.length})`, () => {
    const read = readImportedPasswordHash(exported)
    assert.match('problem' in read ? read.problem : 'accepted', problem)
  })
}

test('a stored text outside the bounds of an import is not an imported hash', () => {
  const text = '$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA'
  assert.ok(parseImportedHash(`$pbkdf2-sha1$i=1000${text}`))
  for (const wrong of [
    `$pbkdf2-sha1$i=${mostIterations + 1}${text}`,
    `$pbkdf2-sha1$i=0${text}`,
    `$pbkdf2-md5$i=1000${text}`,
    `$pbkdf2-sha1$i=1000$AAAA$AAAAAAAAAAAAAAAAAAAAAA`,
    `$pbkdf2-sha1$i=1000$AAAAAAAAAAAAAAAAAAAAAA$`,
    `x$pbkdf2-sha1$i=1000${text}`,
  ]) {
    assert.equal(parseImportedHash(wrong), null, wrong)
  }
})

test('a hash of no password is an imported hash of its kind, and slow above a million iterations', () => {
  for (const [iterations, slow] of [
    [64_000, false],
    [importedHashes.slowIterations, false],
    [importedHashes.slowIterations + 1, true],
  ] as const) {
    for (const prf of ['sha1', 'sha256', 'sha512'] as const) {
      const cost = `$pbkdf2-${prf}$i=${iterations}`
      const hash = parseImportedHash(hashOfNoPassword(cost)) ?? assert.fail()
      assert.deepEqual([costOf(hash), isSlow(hash)], [cost, slow])
    }
  }
})

test('a hash of no password of each method is an imported hash of its cost', () => {
  for (const cost of [
    '$scrypt$ln=14,r=8,p=1',
    '$firebase-scrypt$ln=14,r=8,p=1',
    '$other-argon2d$m=65536,t=3,p=4',
    '$other-argon2i$m=65536,t=3,p=4',
    '$other-argon2id$m=7168,t=5,p=1',
    '$bcrypt$c=10',
    '$bcrypt-sha256$c=12',
    '$phpass$n=13',
  ]) {
    const hash = parseImportedHash(hashOfNoPassword(cost)) ?? assert.fail(cost)
    assert.equal(costOf(hash), cost)
    assert.equal(isSlow(hash), false, cost)
  }
  for (const cost of ['$bcrypt$c=13', '$scrypt$ln=17,r=8,p=2', '$other-argon2id$m=131072,t=4,p=1'])
    assert.equal(isSlow(parseImportedHash(hashOfNoPassword(cost)) ?? assert.fail(cost)), true, cost)
})

test('LIM-05 a hash whose check needs too much time or memory is not an imported hash', () => {
  for (const cost of [
    '$bcrypt$c=15',
    '$bcrypt$c=0',
    '$scrypt$ln=17,r=9,p=1',
    '$scrypt$ln=24,r=8,p=1',
    '$scrypt$ln=14,r=8,p=17',
    '$other-argon2id$m=131073,t=1,p=1',
    '$other-argon2id$m=65536,t=65,p=1',
    '$other-argon2id$m=8,t=1,p=2',
    '$phpass$n=19',
    '$bcrypt$c=10,c=4',
    '$scrypt$r=8,ln=14,p=1',
    '$md5$i=1',
    '$constructor$i=1',
  ])
    assert.equal(parseImportedHash(hashWithCost(cost)), null, cost)
})

/** Makes a hash also of a cost that is not valid. */
function hashWithCost(cost: string): string {
  return `${cost}$${Buffer.alloc(22).toString('base64').replace(/=+$/, '')}$${Buffer.alloc(32).toString('base64').replace(/=+$/, '')}`
}

test('reads the kinds that an earlier release counted', () => {
  const kinds = [{ prf: 'sha512', iterations: 100_000, share: 0.5 }]
  assert.deepEqual(readHashKinds(JSON.stringify({ countedAt: 7, kinds })), {
    countedAt: 7,
    kinds: [{ cost: '$pbkdf2-sha512$i=100000', share: 0.5 }],
  })
})

test('reads secrets as IdentityServer3 and IdentityServer4 store them', () => {
  for (const { secret, sha256, sha512 } of fixtures.secrets) {
    assert.deepEqual(readImportedSecret(sha256), { sha256 })
    assert.deepEqual(readImportedSecret(sha512), { sha512 })
    assert.equal(digestOfSecretHash({ sha256 }), `sha256:${hash('sha256', secret, 'base64url')}`)
    assert.equal(digestOfSecretHash({ sha512 }), `sha512:${hash('sha512', secret, 'base64url')}`)
  }
})

test('refuses plain texts, other hashes and the hash of an empty secret', () => {
  const sha256 = fixtures.secrets[0]?.sha256 ?? ''
  for (const wrong of [
    'secret',
    '',
    sha256.slice(0, -1),
    `${sha256}=`,
    ` ${sha256}`,
    `${sha256.slice(0, 42)}J=`,
    hash('sha256', 'secret', 'hex'),
    hash('sha1', 'secret', 'base64'),
    hash('sha384', 'secret', 'base64'),
  ]) {
    const read = readImportedSecret(wrong)
    assert.match('problem' in read ? read.problem : 'accepted', /neither/, wrong)
  }
  for (const algorithm of ['sha256', 'sha512']) {
    const read = readImportedSecret(hash(algorithm, '', 'base64'))
    assert.match('problem' in read ? read.problem : 'accepted', /empty secret/)
  }
})

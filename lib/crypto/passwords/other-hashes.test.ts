/** Tests hashes of other products, which `make-exported-users.py` makes with the libraries that those products use. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTextHash } from '#lib/protocol/registration/exported-hashes.ts'
import { costOf, hashOfNoPassword, parseImportedHash } from '#lib/protocol/registration/imported-hashes.ts'
import fixtures from '../testing/exported-users.json' with { type: 'json' }
import { createPasswords } from './passwords.ts'

const passwords = createPasswords({ memoryKiB: 64, passes: 1, lanes: 1 })

function stored(exported: string): string {
  const read = readTextHash(exported)
  return 'passwordHash' in read ? read.passwordHash : assert.fail(read.problem)
}

for (const { kind, password, exported } of fixtures.texts) {
  test(`CR-02 verifies a hash of ${kind}, and asks to replace it`, async () => {
    const hash = stored(exported)
    assert.ok(parseImportedHash(hash), hash)
    assert.equal(await passwords.verify(password, hash), true)
    for (const wrong of ['', password.toUpperCase(), `x${password}`])
      assert.equal(await passwords.verify(wrong, hash), false, JSON.stringify(wrong))
    assert.equal(passwords.needsRehash(hash), true)
  })
}

test('AU-01 no password with NUL matches a hash of bcrypt, which libraries read differently', async () => {
  const { password, exported } = fixtures.texts[0] ?? assert.fail()
  assert.equal(await passwords.verify(`${password}\0`, stored(exported)), false)
  assert.equal(await passwords.verify(`${password}\0x`, stored(exported)), false)
})

test('AU-05 a hash of no password can be checked for each cost, and matches nothing', async () => {
  const costs = new Set(
    fixtures.texts.map(({ exported }) => costOf(parseImportedHash(stored(exported)) ?? assert.fail())),
  )
  for (const cost of [...costs, '$firebase-scrypt$ln=14,r=8,p=1'])
    for (const typed of ['', 'guess', '\0'.repeat(3)])
      assert.equal(await passwords.verify(typed, hashOfNoPassword(cost)), false, cost)
})

test('hashes that are computed in the thread at the same time do not get each other’s results', async () => {
  const rows = fixtures.texts.filter(({ kind }) => /bcrypt|phpass/.test(kind))
  const checks = rows.flatMap(({ password, exported }) =>
    [password, 'wrong'].map(async typed => [
      typed === password,
      await passwords.verify(typed, stored(exported)),
    ]),
  )
  for (const [expected, found] of await Promise.all(checks)) assert.equal(found, expected)
})

test('LIM-05 checks that wait for the thread do not delay those that need none', async () => {
  const own = await passwords.hash('a password of this server')
  const slow = hashOfNoPassword('$bcrypt$c=12')
  const ended: string[] = []
  const check = (name: string, typed: string, hash: string) =>
    passwords.verify(typed, hash).then(() => ended.push(name))
  const flood = Array.from({ length: 8 }, () => check('in the thread', 'guess', slow))
  await Promise.all([...flood, check('own', 'a password of this server', own)])
  assert.equal(ended[0], 'own')
})

const refused: ReadonlyArray<readonly [string, RegExp]> = [
  ['', /is not a hash/],
  ['the white rabbit', /is not a hash/],
  ['$2x$10$GKOGikgWtLGlJ4GsWW6ryO7iLfClsbk74TjjR.nf0W6v5OJn.Lfsa', /is not a hash/],
  ['$2b$10$GKOGikgWtLGlJ4GsWW6ryO7iLfClsbk74TjjR.nf0W6v5OJn.Lf', /is not a hash/],
  ['$2b$15$GKOGikgWtLGlJ4GsWW6ryO7iLfClsbk74TjjR.nf0W6v5OJn.Lfsa', /has 15 as its cost/],
  ['$2b$31$GKOGikgWtLGlJ4GsWW6ryO7iLfClsbk74TjjR.nf0W6v5OJn.Lfsa', /has 31 as its cost/],
  [
    '$argon2id$v=16$m=7168,t=5,p=1$pWFFJwzms769HdAStzlIZw$RQH6iTqP8BYNKf7vXV6effe1QW3Hgt1LKAVkz4ztGK8',
    /is not/,
  ],
  [
    '$argon2id$v=19$m=999999,t=5,p=1$pWFFJwzms769HdAStzlIZw$RQH6iTqP8BYNKf7vXV6effe1QW3Hgt1LKAVkz4ztGK8',
    /has 999999 KiB/,
  ],
  [
    '$argon2id$v=19$m=8,t=5,p=4$pWFFJwzms769HdAStzlIZw$RQH6iTqP8BYNKf7vXV6effe1QW3Hgt1LKAVkz4ztGK8',
    /needs 8 for each/,
  ],
  [
    '$scrypt$ln=20,r=8,p=1$mNMaY6wVAoDwHuOc817LWQ$7Yf287398ol3Dgd27DP6jR10PoKtKnlLIcd/nqlxS9s',
    /needs 1024 MiB/,
  ],
  [
    '$scrypt$ln=99,r=8,p=1$mNMaY6wVAoDwHuOc817LWQ$7Yf287398ol3Dgd27DP6jR10PoKtKnlLIcd/nqlxS9s',
    /as the logarithm/,
  ],
  ['scrypt$16385$ZIjTI7VbWCHoD81FziPHs7$8$5$wiJUmC019cFVNTqasStdmg==', /is not a hash/],
  [
    '$pbkdf2-sha256$99999999$OgfAGANgTMn5f49RKiWktA$QOMufA52aMzDPhMQ5VYPO4OE4FE3/K4qKqVutBom8AY',
    /iterations/,
  ],
  ['pbkdf2_sha256$1000$short$du8rQdnxW7K0AsEDCRHXU0X7dXzJb1quFO5Mi0qJO20=', /salt of 5/],
  ['md5$salt$d41d8cd98f00b204e9800998ecf8427e', /is not a hash/],
  ['$P$zVxY5rNzkkxuby0y34aGhWji4L77ma0', /has 63 as its exponent/],
]
for (const [exported, problem] of refused) {
  test(`LIM-05 refuses the hash ${JSON.stringify(exported.slice(0, 40))}`, () => {
    const read = readTextHash(exported)
    assert.match('problem' in read ? read.problem : 'accepted', problem)
  })
}

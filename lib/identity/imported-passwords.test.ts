/** Tests first sign-ins of users whose password hashes were imported. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fixtures from '#lib/crypto/testing/imported-hashes.json' with { type: 'json' }
import type { Passwords } from '#lib/ports/passwords.ts'
import { readImportedPasswordHash } from '#lib/protocol/registration/exported-hashes.ts'
import { standardUserService } from './standard-user-service.ts'
import { openTestSignIn, type TestSignIn } from './testing/sign-in.ts'

let setup: TestSignIn
const hints = { client: null, tenant: null, acrValues: [] }

before(async () => {
  setup = await openTestSignIn()
  await setup.addUser('external-only')
})
after(() => setup.close())

function serviceWith(changes: Partial<Passwords>) {
  return standardUserService({ ...setup.ports, passwords: { ...setup.ports.passwords, ...changes } })
}

const imported = fixtures.passwords.map(({ kind, password, exported }) => {
  const read = readImportedPasswordHash(exported)
  return { kind, password, passwordHash: 'passwordHash' in read ? read.passwordHash : assert.fail() }
})

for (const [index, { kind, password, passwordHash }] of imported.entries()) {
  test(`CR-02 a hash of ${kind} is replaced by Argon2id at the first sign-in`, async () => {
    const username = `imported-${index}`
    const { subject } = await setup.addUser(username, { passwordHash })
    const service = setup.ports.userService
    const storedHash = async () => (await setup.ports.users.findBySubject(subject))?.passwordHash
    const wrong = await service.authenticate({ username, password: `${password}!` }, hints)
    assert.deepEqual(wrong, { kind: 'refused', message: null, cause: { reason: 'wrong_password', subject } })
    assert.equal(await storedHash(), passwordHash)
    const first = await service.authenticate({ username, password }, hints)
    assert.ok(first.kind === 'full')
    const replaced = await storedHash()
    assert.match(replaced ?? '', /^\$argon2id\$/)
    assert.equal(first.provenHash, setup.ports.hashing.digest(replaced ?? ''))
    assert.equal((await service.authenticate({ username, password }, hints)).kind, 'full')
    assert.equal(await storedHash(), replaced)
  })
}

test('AU-01 concurrent first sign-ins with an imported hash all succeed, and one hash is kept', async () => {
  const [{ password, passwordHash } = assert.fail()] = imported
  const { subject } = await setup.addUser('twice', { passwordHash })
  const service = setup.ports.userService
  const signIn = () => service.authenticate({ username: 'twice', password }, hints)
  const outcomes = await Promise.all([signIn(), signIn(), signIn()])
  const digest = setup.ports.hashing.digest(
    (await setup.ports.users.findBySubject(subject))?.passwordHash ?? '',
  )
  for (const outcome of outcomes) assert.ok(outcome.kind === 'full' && outcome.provenHash === digest)
})

test('AU-01 a password that was changed while an imported hash was replaced stays changed', async () => {
  const [{ password, passwordHash } = assert.fail()] = imported
  const { subject } = await setup.addUser('ingrid', { passwordHash })
  const { users, passwords, clock } = setup.ports
  const hash: typeof passwords.hash = async chosen => {
    const hashes = { replaced: passwordHash, successor: await passwords.hash('a new rope altogether') }
    assert.equal(await users.choosePassword(subject, hashes, { now: clock.now(), notices: [] }), true)
    return passwords.hash(chosen)
  }
  const service = serviceWith({ hash })
  assert.equal((await service.authenticate({ username: 'ingrid', password }, hints)).kind, 'refused')
  const stored = (await users.findBySubject(subject))?.passwordHash ?? null
  assert.equal(await passwords.verify('a new rope altogether', stored), true)
})

test('a damaged imported hash is a failed sign-in', async () => {
  const [{ password, passwordHash } = assert.fail()] = imported
  const { subject } = await setup.addUser('damaged', { passwordHash: passwordHash.slice(0, -30) })
  const outcome = await setup.ports.userService.authenticate({ username: 'damaged', password }, hints)
  assert.deepEqual(outcome, { kind: 'refused', message: null, cause: { reason: 'wrong_password', subject } })
})

test('AU-05 each sign-in verifies one hash: that of the user, or the substitute for the name', async () => {
  const [{ password, passwordHash } = assert.fail()] = imported
  await setup.addUser('locked-import', { passwordHash, enabled: false })
  await setup.addUser('open-import', { passwordHash })
  const verified: (string | null)[] = []
  const service = serviceWith({
    substituteHash: name => `substitute for ${name}`,
    verify: async (typed, stored) => {
      verified.push(stored)
      return stored === passwordHash && typed === password
    },
  })
  for (const [username, typed, expected] of [
    ['Unknown', password, 'substitute for unknown'],
    ['External-Only', password, 'substitute for external-only'],
    ['locked-import', password, passwordHash],
    ['locked-import', 'wrong', passwordHash],
    ['open-import', 'wrong', passwordHash],
  ] as const) {
    const outcome = await service.authenticate({ username, password: typed }, hints)
    assert.equal(outcome.kind, 'refused')
    assert.deepEqual(verified.splice(0), [expected], `${username} ${typed}`)
  }
})

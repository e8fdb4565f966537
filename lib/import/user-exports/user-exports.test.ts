/** Tests imports of exports of users in the shapes that the other products document, and that their users can sign in. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type AdminTestPorts, openAdminTestPorts } from '#lib/admin/testing/admin-ports.ts'
import fixtures from '#lib/crypto/testing/exported-users.json' with { type: 'json' }
import { parseImportedHash } from '#lib/protocol/registration/imported-hashes.ts'
import { type ImportRequest, runImport } from '../run-import.ts'
import { importOf, writeExport } from '../testing/write-export.ts'

const { rabbit, umlaut, firebase } = fixtures.passwords
const lines = (objects: readonly unknown[]) => objects.map(object => `${JSON.stringify(object)}\n`).join('')

describe('an export of users of another product', () => {
  let opened: AdminTestPorts
  beforeEach(async () => {
    opened = await openAdminTestPorts()
    await opened.addProvider('corp')
  })
  afterEach(() => opened.close())

  const run = (product: ImportRequest['product'], content: unknown, changes = {}) =>
    runImport(opened.ports, importOf(writeExport(content), { product, skipsRefused: true, ...changes }))
  const user = async (name: string) =>
    (await opened.ports.users.findByUsername(name)) ?? assert.fail(`${name} is missing`)

  /** Signs in as the default user service does, twice: the first sign-in replaces the hash. */
  async function signsIn(username: string, password: string): Promise<void> {
    const { userService } = opened.ports
    const hints = { client: null, tenant: null, acrValues: [] }
    assert.ok(
      parseImportedHash((await user(username)).passwordHash ?? ''),
      `${username} has an imported hash`,
    )
    const wrong = await userService.authenticate({ username, password: `${password}.` }, hints)
    assert.equal(wrong.kind, 'refused')
    for (const attempt of ['first', 'second']) {
      const found = await userService.authenticate({ username, password }, hints)
      assert.equal(found.kind, 'full', `${username}, ${attempt} sign-in`)
      assert.match((await user(username)).passwordHash ?? '', /^\$argon2id\$/)
    }
  }

  test('users of a Keycloak realm sign in with their passwords, and keep subject, claims, roles and links', async () => {
    const { outcome, report } = await run('keycloak', fixtures.keycloak)
    assert.equal(outcome, 'imported', report)
    const alice = await user('alice')
    assert.equal(alice.subject, '3f6b6b1e-0000-4000-8000-000000000001')
    assert.deepEqual(alice.claims, {
      ...{ locale: 'de', phone_number: '+49 30 1234', preferred_username: 'alice', name: 'Alice Liddell' },
      ...{ given_name: 'Alice', family_name: 'Liddell', email: 'alice@example.org', email_verified: true },
      ...{ role: ['staff'], groups: ['/garden'] },
    })
    const link = { scheme: 'corp', issuer: 'https://corp.example', subject: 'a-1' }
    const linked = await opened.ports.adminLists.user(alice.subject)
    assert.deepEqual(
      linked?.linked.map(({ scheme, subject }) => [scheme, subject]),
      [[link.scheme, link.subject]],
    )
    for (const [name, password] of [
      ['alice', rabbit],
      ['bob', umlaut],
      ['carol', rabbit],
      ['frank', rabbit],
    ] as const)
      await signsIn(name, password)
    assert.equal((await user('dave')).mustChangePassword, true)
    assert.equal((await user('erin')).enabled, false)
    for (const name of ['erin', 'grace', 'heidi']) assert.equal((await user(name)).passwordHash, null, name)
    assert.match(report, /heidi\)?: password: is not a hash of PBKDF2 or Argon2 as Keycloak stores it/)
    assert.match(report, /frank\)?: credentials: signs in with the password only/)
    assert.match(report, /attributes department: is left out/)
  })

  test('users of Auth0 sign in with their passwords, from one file of both exports', async () => {
    const { outcome, report } = await run('auth0', lines(fixtures.auth0))
    assert.equal(outcome, 'imported', report)
    const alice = await user('alice@example.org')
    assert.equal(alice.subject, 'auth0|60425dc43519d90068f80001')
    assert.deepEqual([alice.claims.nickname, alice.claims.email_verified], ['alice', false])
    assert.deepEqual((await opened.ports.adminLists.user(alice.subject))?.linked.length, 1)
    await signsIn('alice@example.org', rabbit)
    await signsIn('bob@example.org', umlaut)
    assert.equal((await user('carol@example.org')).passwordHash, null)
    assert.deepEqual(
      [(await user('gina@example.org')).enabled, (await user('gina@example.org')).subject],
      [false, 'google-oauth2|1234'],
    )
    assert.match(report, /app_metadata: is left out/)
  })

  test('users of Firebase sign in with their passwords, and the signer key is not stored', async () => {
    const { outcome, report } = await run('firebase', fixtures.firebase)
    assert.equal(outcome, 'imported', report)
    const alice = await user('alice@example.org')
    assert.deepEqual([alice.claims.role, alice.claims.sub], ['staff', undefined])
    const { base64_signer_key: key } = fixtures.firebase.hash_config
    assert.ok(!alice.passwordHash?.includes(key.replace(/=+$/, '')))
    await signsIn('alice@example.org', firebase)
    await signsIn('bob@example.org', umlaut)
    assert.equal((await user('+15551234567')).enabled, false)
  })

  test('an export of Firebase without the parameters of its hashes is refused with where to find them', async () => {
    const { users } = fixtures.firebase
    await assert.rejects(run('firebase', { users }), /Add them as "hash_config"/)
  })

  test('a list of users has hashes in the text form of their algorithm', async () => {
    const users = fixtures.texts.map(({ kind, exported }, index) => ({
      sub: index,
      username: `user ${index}`,
      password_hash: exported,
      claims: { nickname: kind },
    }))
    const { outcome, report } = await run('users', { users })
    assert.equal(outcome, 'imported', report)
    const django = fixtures.texts.findIndex(({ kind }) => kind === 'Django PBKDF2')
    await signsIn(`user ${django}`, rabbit)
  })

  test('an import can be repeated, and keeps passwords that users have used or changed since', async () => {
    await run('keycloak', fixtures.keycloak)
    await signsIn('alice', rabbit)
    const { passwordHash } = await user('alice')
    const { outcome, report } = await run('keycloak', fixtures.keycloak)
    assert.equal(outcome, 'nothing', report)
    assert.equal((await user('alice')).passwordHash, passwordHash)
  })

  const wrong = [
    ['keycloak', '{"realm": "x"', /line 1/],
    ['keycloak', { realm: 'x' }, /cannot be read as that of Keycloak/],
    ['keycloak', [], /cannot be read as that of Keycloak/],
    ['auth0', '{"user_id": "a"}\n{"user', /line 2/],
    ['auth0', '{"email": "a"}\n', /cannot be read as that of Auth0/],
    ['firebase', '{"users": [], "users": []}', /names "users" twice/],
    ['users', Buffer.from('{"users": [{"username": "Zo\xeb"}]}', 'latin1'), /is not UTF-8/],
  ] as const
  for (const [product, content, problem] of wrong) {
    test(`a file that is not an export of ${product} is refused: ${String(content).slice(0, 30)}`, async () => {
      await assert.rejects(run(product, content), problem)
    })
  }

  test('an entry that is not a user is reported, and stops the import unless it may be skipped', async () => {
    const users = [
      { sub: 'a', username: 'ann' },
      { sub: 'b' },
      7,
      { sub: 'c', username: 'cy', pasword_hash: '' },
    ]
    const { outcome, report } = await run('users', { users }, { skipsRefused: false })
    assert.equal(outcome, 'refused')
    assert.match(report, /users\[1\]: has no valid "username"/)
    assert.match(report, /users\[2\]: is not an object/)
    assert.match(report, /users\[3\]: is not an object|users\[3\]: has no valid/)
  })
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { rateLimits } from '#lib/config/limits.ts'
import { signInRateLimits } from '#lib/core/limits/attempt-limits.ts'
import { context } from '#lib/core/testing/ports.ts'
import { signIn } from '#lib/identity/sign-in.ts'
import { form } from '#lib/identity/testing/sign-in.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { newPasswordPath } from '#lib/protocol/wire/local-paths.ts'
import { createClient } from '../clients/write-clients.ts'
import { type AdminTestPorts, callUntyped, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { Caller } from '../use-case.ts'
import { listUsers, readUser } from './read-users.ts'
import { allowSignIn } from './user-limits.ts'
import { signInBlock, userFromForm } from './user-resource.ts'
import { createUser, deleteUser, resetPassword, setUserEnabled, updateUser } from './write-users.ts'

let opened: AdminTestPorts
let support: Caller
before(async () => {
  opened = await openAdminTestPorts()
  support = await opened.caller('user_support')
})
after(() => opened.close())

async function created(username: string, claims: Record<string, string> = {}) {
  const result = await createUser.call(opened.ports, { username, claims }, support)
  assert.ok(result.kind === 'ok', JSON.stringify(result))
  return result.value
}

/** Whether the user can sign in. With a temporary password that means reaching the page that requires a new one. */
async function canSignIn(username: string, password: string): Promise<boolean> {
  const answer = await signIn(opened.ports, form({ username, password }), context)
  assert.notEqual(answer.kind, 'signed_in', 'AU-11 nothing is open before another password is chosen')
  return answer.kind === 'partial' && answer.path === newPasswordPath
}

test('a new user signs in with the password that was shown once', async () => {
  const { username, password, sub } = await created('Nora')
  assert.ok(await canSignIn(username, password))
  const rows = await opened.ports.adminStore.audit.list({ targetKind: 'user', targetId: sub }, null, 9)
  assert.ok(!/argon2|\$/.test(JSON.stringify(rows)) && !JSON.stringify(rows).includes(password))
})

test('a user name that is taken is refused at its field', async () => {
  await created('Taken')
  const result = await createUser.call(opened.ports, { username: 'tAkEn', claims: {} }, support)
  assert.deepEqual(result.kind === 'invalid' && result.errors.map(({ path }) => path), ['username'])
})

test('AD-02 only the user name and the claims can be changed, except reserved claims', async () => {
  const { sub } = await created('Massive')
  const raw = {
    sub,
    version: 1,
    username: 'Massive',
    claims: {},
    passwordHash: 'x',
    role: 'owner',
    enabled: false,
  }
  assert.equal((await callUntyped(updateUser, opened.ports, raw, support)).kind, 'ok')
  const read = await readUser.call(opened.ports, { sub }, support)
  assert.ok(read.kind === 'ok')
  assert.deepEqual([read.value.enabled, read.value.has_password], [true, true])
  const reserved = { sub, version: 2, username: 'Massive', claims: { sub: 'a-different-user' } }
  assert.equal((await updateUser.call(opened.ports, reserved, support)).kind, 'invalid')
})

test('a reset password replaces the old one', async () => {
  const { sub, username, password } = await created('Forgetful')
  const result = await resetPassword.call(opened.ports, { sub }, support)
  assert.ok(result.kind === 'ok')
  assert.equal(await canSignIn(username, password), false)
  assert.equal(await canSignIn(username, result.value.password), true)
})

async function failToSignIn(username: string): Promise<void> {
  const { own, shared } = signInRateLimits({ canonicalUsername: username, address: '198.51.100.9' })
  for (let failures = 0; failures < rateLimits.accountAndAddress.limit; failures += 1) {
    const attempt = await opened.ports.rateLimiter.begin([...own, ...shared], opened.ports.clock.now())
    if (attempt.kind === 'begun') await attempt.end('failed')
  }
}

/** Returns the end of the block from `readUser` and from `listUsers`. */
async function blockedUntil(sub: string): Promise<readonly (string | null)[]> {
  const read = await readUser.call(opened.ports, { sub: subjectIdSchema.parse(sub) }, support)
  const list = await listUsers.call(opened.ports, { q: 'blocked' }, support)
  assert.ok(read.kind === 'ok' && list.kind === 'ok')
  const listed = list.value.items.filter(item => item.sub === sub)
  return [read.value, ...listed].map(user => user.sign_in_blocked_until)
}

test('an admin sees that failed attempts block sign-ins of a user, and allows them again', async () => {
  const { sub, username } = await created('blocked')
  assert.equal(await signInBlock(opened.ports, username), null)
  await failToSignIn(username)
  assert.equal((await signInBlock(opened.ports, username))?.failures, rateLimits.accountAndAddress.limit)
  assert.ok((await blockedUntil(sub)).every(until => until !== null))
  const allowed = await allowSignIn.call(opened.ports, { sub }, support)
  assert.deepEqual(await blockedUntil(sub), [null, null])
  assert.deepEqual(allowed, {
    kind: 'ok',
    value: { sub, failed_attempts: rateLimits.accountAndAddress.limit, lifted: ['sign_in'] },
  })
  assert.equal(await signInBlock(opened.ports, username), null)
  const rows = await opened.ports.adminStore.audit.list({ targetKind: 'user', targetId: sub }, null, 9)
  assert.match(JSON.stringify(rows), /users\.allow_sign_in.*"failed_attempts":5/)
  const unknown = subjectIdSchema.parse('unknown')
  assert.equal((await allowSignIn.call(opened.ports, { sub: unknown }, support)).kind, 'not_found')
})

test('a temporary password ends the time for which failed attempts block sign-ins', async () => {
  const { sub, username } = await created('blocked-too')
  await failToSignIn(username)
  assert.equal((await resetPassword.call(opened.ports, { sub }, support)).kind, 'ok')
  assert.equal(await signInBlock(opened.ports, username), null)
})

test('AU-11 a temporary password must be changed until the user did, whatever else changes', async () => {
  const { sub, username } = await created('Handed')
  const mustChange = async () => {
    const read = await readUser.call(opened.ports, { sub }, support)
    return read.kind === 'ok' && read.value.must_change_password
  }
  await setUserEnabled.call(opened.ports, { sub, enabled: false }, support)
  await setUserEnabled.call(opened.ports, { sub, enabled: true }, support)
  await updateUser.call(opened.ports, { sub, version: 3, username, claims: { name: 'Hana' } }, support)
  assert.ok(await mustChange())
  const { users, clock } = opened.ports
  const replaced = (await users.findByUsername(username))?.passwordHash ?? ''
  const hashes = { replaced, successor: 'chosen' }
  assert.ok(await users.choosePassword(subjectIdSchema.parse(sub), hashes, { now: clock.now(), notices: [] }))
  assert.equal(await mustChange(), false)
  await resetPassword.call(opened.ports, { sub }, support)
  assert.ok(await mustChange())
})

test('an admin cannot reset their own password: the admin session that shows it would end', async () => {
  const owner = await opened.caller('owner')
  const result = await resetPassword.call(opened.ports, { sub: owner.actor.subject }, owner)
  assert.equal(result.kind, 'denied')
})

test('AD-03 user support cannot change the account of an administrator, an owner can', async () => {
  const owner = await opened.caller('owner')
  const { subject: sub } = await opened.actor('auditor')
  for (const attempt of [
    resetPassword.call(opened.ports, { sub }, support),
    setUserEnabled.call(opened.ports, { sub, enabled: false }, support),
    updateUser.call(opened.ports, { sub, version: 1, username: 'mine', claims: {} }, support),
  ]) {
    assert.equal((await attempt).kind, 'denied')
  }
  assert.equal((await resetPassword.call(opened.ports, { sub }, owner)).kind, 'ok')
})

test('AD-04 a first password, a reset and a deletion require a recent sign-in', async () => {
  const { sub } = await created('Guarded')
  const { actor, context } = await opened.caller('owner')
  const authenticatedAt = new Date(opened.ports.clock.now().getTime() - 300_000)
  const owner = { actor: { ...actor, authenticatedAt }, context }
  assert.equal((await resetPassword.call(opened.ports, { sub }, owner)).kind, 'fresh_sign_in_required')
  assert.equal(
    (await deleteUser.call(opened.ports, { sub, version: 1 }, owner)).kind,
    'fresh_sign_in_required',
  )
  assert.equal(
    (await createUser.call(opened.ports, { username: 'unseen' }, owner)).kind,
    'fresh_sign_in_required',
  )
})

test('a locked user cannot sign in until the account is unlocked', async () => {
  const { sub, username, password } = await created('Locked')
  await setUserEnabled.call(opened.ports, { sub, enabled: false }, support)
  assert.equal(await canSignIn(username, password), false)
  await setUserEnabled.call(opened.ports, { sub, enabled: true }, support)
  assert.equal(await canSignIn(username, password), true)
})

test('users are found by the beginnings of their names and addresses', async () => {
  await created('zelda', { name: 'Zelda Fitzgerald', email: 'zelda@jazz.example' })
  for (const q of ['zel', 'FITZ', 'zelda@j']) {
    const result = await listUsers.call(opened.ports, { q }, support)
    assert.deepEqual(result.kind === 'ok' && result.value.items.map(({ username }) => username), ['zelda'], q)
  }
})

test('AD-01 an owner can delete a user, user support cannot; afterwards no client can take the ID', async () => {
  const { sub, username, password } = await created('SignInOptions', { email: 'leaving@port.example' })
  assert.equal((await deleteUser.call(opened.ports, { sub, version: 1 }, support)).kind, 'denied')
  const owner = await opened.caller('owner')
  assert.equal((await deleteUser.call(opened.ports, { sub, version: 1 }, owner)).kind, 'ok')
  assert.equal(await canSignIn(username, password), false)
  assert.equal(await opened.ports.users.findBySubject(subjectIdSchema.parse(sub)), null)
  const [row] = await opened.ports.adminStore.audit.list({ targetId: sub }, null, 1)
  assert.deepEqual([row?.before, row?.after], [{ username }, null])
  const client = { kind: 'machine', metadata: { client_name: 'Heir', client_id: sub } } as const
  assert.equal((await createClient.call(opened.ports, client, owner)).kind, 'invalid')
})

test('an invalid standard claim is refused at its field, together with all other errors', async () => {
  const { username } = await created('Has it all')
  const claims = {
    email: 'alice',
    website: 'javascript:alert(1)',
    birthdate: 'in May',
    email_verified: 'yes',
    role: 7,
    sub: 'x',
  }
  const refused = await callUntyped(createUser, opened.ports, { username, claims }, support)
  assert.ok(refused.kind === 'invalid')
  assert.deepEqual(refused.errors.map(({ path }) => path).toSorted(), [
    'claims.birthdate',
    'claims.email',
    'claims.email_verified',
    'claims.sub',
    'claims.website',
    'username',
  ])
  const said = new Map(refused.errors.map(({ path, message }) => [path, message]))
  assert.match(said.get('claims.birthdate') ?? '', /^"birthdate" must be a day/)
  assert.match(said.get('claims.sub') ?? '', /^"sub" is set by the server/)
  assert.match(said.get('claims.email') ?? '', /^Must be an email address/)
})

test('an invalid stored claim may stay, but cannot be changed to a different invalid value', async () => {
  const { subject: sub } = await opened.addUser('from-afar', { claims: { locale: 'en_US', name: 'Afar' } })
  const update = (claims: Record<string, string>, version: number) =>
    updateUser.call(opened.ports, { sub, version, username: 'from-afar', claims }, support)
  assert.equal((await update({ locale: 'en_US', name: 'From afar' }, 1)).kind, 'ok')
  assert.equal((await update({ locale: 'de_DE', name: 'From afar' }, 2)).kind, 'invalid')
})

test('other claims that are not JSON do not hide errors in other fields', async () => {
  const { username, sub } = await created('Types JSON')
  const wrong = {
    username: [username],
    email: ['alice'],
    website: ['javascript:alert(1)'],
    claims: ['{"role": '],
  }
  const paths = ['claims', 'claims.email', 'claims.website']
  const attempts = [
    [createUser, wrong, [...paths, 'username']],
    [updateUser, { ...wrong, sub: [sub], version: ['1'] }, paths],
    [updateUser, { ...wrong, sub: [sub], version: ['1'], username: [''] }, [...paths, 'username']],
  ] as const
  for (const [useCase, fields, expected] of attempts) {
    const refused = await callUntyped(useCase, opened.ports, useCase.fromForm(fields), support)
    assert.ok(refused.kind === 'invalid')
    assert.deepEqual(refused.errors.map(({ path }) => path).toSorted(), expected)
  }
})

test('AD-04 errors are shown before a fresh sign-in is required, and only with the permission', async () => {
  const { username } = await created('Is there')
  const authenticatedAt = new Date(opened.ports.clock.now().getTime() - 300_000)
  const late = { ...support, actor: { ...support.actor, authenticatedAt } }
  const kindOf = async (input: object, visit: Caller) =>
    (await callUntyped(createUser, opened.ports, input, visit)).kind
  assert.equal(await kindOf({ username: 'Is new', claims: { email: 'alice' } }, late), 'invalid')
  assert.equal(await kindOf({ username, claims: {} }, late), 'invalid')
  assert.equal(await kindOf({ username: 'Is new', claims: {} }, late), 'fresh_sign_in_required')
  assert.equal(await kindOf({ username, claims: {} }, await opened.caller('auditor')), 'denied')
})

test('saving a user’s form without a change adds no claim, and a flag needs its address', () => {
  const fields = (more: Record<string, string[]>) => userFromForm({ username: ['nora'], ...more }).profile
  const flags = { email_verified: ['false'], phone_number_verified: ['false'] }
  for (const [what, sent, profile] of [
    ['no address', { email: [''], phone_number: [''], ...flags }, {}],
    ['a ticked box without an address', { email: [''], email_verified: ['false', 'true'] }, {}],
    ['an address without the claim', { email: ['n@a.test'], email_verified: [''] }, { email: 'n@a.test' }],
    [
      'an address with the claim',
      { email: ['n@a.test'], phone_number: [''], ...flags },
      { email: 'n@a.test', email_verified: false },
    ],
    [
      'a newly ticked box',
      { email: ['n@a.test'], email_verified: ['', 'true'] },
      { email: 'n@a.test', email_verified: true },
    ],
  ] as const)
    assert.deepEqual(fields(sent as never), profile, what)
})

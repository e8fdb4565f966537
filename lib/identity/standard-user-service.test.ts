import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testClient } from '#lib/core/testing/registrations.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Passwords } from '#lib/ports/passwords.ts'
import type { ExternalIdentity } from '#lib/ports/users.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import { providerSchemeSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { standardUserService } from './standard-user-service.ts'
import { alicePassword, openTestSignIn, type TestSignIn } from './testing/sign-in.ts'

let setup: TestSignIn
const hints = { client: null, tenant: null, acrValues: [] }

before(async () => {
  setup = await openTestSignIn()
  await setup.addUser('disabled', { password: alicePassword, enabled: false })
  await setup.addUser('external-only')
})
after(() => setup.close())

/** Wraps the real password check to count its calls. */
function counted(changes: Partial<Passwords> = {}) {
  const verified: boolean[] = []
  const passwords: Passwords = {
    ...setup.ports.passwords,
    verify: async (password, stored) => {
      verified.push(stored !== null)
      return setup.ports.passwords.verify(password, stored)
    },
    ...changes,
  }
  return { verified, service: standardUserService({ ...setup.ports, passwords }) }
}

const causes = [
  ['alice', 'wrong_password'],
  ['unknown', 'unknown_user'],
  ['disabled', 'wrong_password'],
  ['external-only', 'no_password'],
  ['', 'unknown_user'],
] as const
for (const [username, reason] of causes) {
  test(`AU-06 exactly one hash is computed for "${username}"`, async () => {
    const { verified, service } = counted()
    const outcome = await service.authenticate({ username, password: 'wrong' }, hints)
    const subject = reason === 'unknown_user' ? {} : { subject: username }
    assert.deepEqual(outcome, { kind: 'refused', message: null, cause: { reason, ...subject } })
    assert.equal(verified.length, 1)
  })
}

test('AU-05 a locked account is also refused with the right password', async () => {
  const outcome = await setup.ports.userService.authenticate(
    { username: 'disabled', password: alicePassword },
    hints,
  )
  const cause = { reason: 'account_disabled', subject: 'disabled' }
  assert.deepEqual(outcome, { kind: 'refused', message: null, cause })
})

test('AU-01 two Unicode forms of one password are one password', async () => {
  await setup.addUser('zoe', { password: 'Zürich geöffnet'.normalize('NFC') })
  const credentials = { username: 'zoe', password: 'Zürich geöffnet'.normalize('NFD') }
  assert.equal((await setup.ports.userService.authenticate(credentials, hints)).kind, 'full')
})

test('a hash made with older parameters is replaced at the next sign-in', async () => {
  const before = (await setup.ports.users.findByUsername('alice'))?.passwordHash
  const { service } = counted({ needsRehash: () => true })
  await service.authenticate({ username: 'alice', password: 'wrong' }, hints)
  assert.equal((await setup.ports.users.findByUsername('alice'))?.passwordHash, before)
  await service.authenticate({ username: 'alice', password: alicePassword }, hints)
  const rehashed = (await setup.ports.users.findByUsername('alice'))?.passwordHash
  assert.notEqual(rehashed, before)
  assert.equal(
    (await service.authenticate({ username: 'alice', password: alicePassword }, hints)).kind,
    'full',
  )
})

test('AU-01 a password that was reset while an old hash was replaced stays reset, and the old one is refused', async () => {
  const { subject } = await setup.addUser('rita', { password: 'an old rope' })
  const hash: typeof setup.ports.passwords.hash = async password => {
    await setup.addUser(subject, { password: 'a new rope altogether' })
    return setup.ports.passwords.hash(password)
  }
  const { service } = counted({ needsRehash: () => true, hash })
  const { kind } = await service.authenticate({ username: 'rita', password: 'an old rope' }, hints)
  assert.equal(kind, 'refused')
  const verified = async (password: string) => {
    const stored = await setup.ports.users.findBySubject(subject)
    return setup.ports.passwords.verify(password, stored?.passwordHash ?? null)
  }
  assert.deepEqual([await verified('a new rope altogether'), await verified('an old rope')], [true, false])
})

test('SE-06 a password that was reset while it was verified is refused', async () => {
  const { subject } = await setup.addUser('sven', { password: 'an old anchor' })
  for (const [changes, expected] of [
    [{ password: 'an old anchor' }, 'full'],
    [{ password: 'a new anchor' }, 'refused'],
    [{ password: 'an old anchor', enabled: false }, 'refused'],
  ] as const) {
    await setup.addUser(subject, { password: 'an old anchor' })
    const verify: typeof setup.ports.passwords.verify = async (password, stored) => {
      const isRight = await setup.ports.passwords.verify(password, stored)
      await setup.addUser(subject, changes)
      return isRight
    }
    const { service } = counted({ verify })
    const credentials = { username: 'sven', password: 'an old anchor' }
    assert.equal((await service.authenticate(credentials, hints)).kind, expected, JSON.stringify(changes))
  }
})

test('a full queue while the hash is replaced does not undo the sign-in', async () => {
  const hash = async () => {
    throw new OauthError('password_queue_full')
  }
  const { service } = counted({ needsRehash: () => true, hash })
  assert.equal(
    (await service.authenticate({ username: 'alice', password: alicePassword }, hints)).kind,
    'full',
  )
})

const partner = providerSchemeSchema.parse('partner')
const school = providerSchemeSchema.parse('school')

function una(changes: Partial<ExternalIdentity> = {}): ExternalIdentity {
  return {
    scheme: partner,
    issuer: 'https://partner.example',
    subject: 'una',
    authenticatedAt: null,
    scopes: ['openid', 'profile', 'email'],
    claims: { name: 'Una', email: 'una@partner.example' },
    ...changes,
  }
}

async function subjectOf(identity: ExternalIdentity) {
  const outcome = await setup.ports.userService.authenticateExternal(identity, hints)
  assert.ok(outcome.kind === 'full')
  return outcome.subject
}

test('the groups of a user follow a provider that is asked for them, and are taken from no other', async () => {
  const scopes = ['openid', 'groups']
  const signIn = async (subject: string, claims: Claims, asked: readonly string[] = scopes) => {
    const user = await subjectOf(una({ subject, scopes: asked, claims: { name: 'Gro', ...claims } }))
    return (await setup.ports.users.findBySubject(user))?.claims
  }
  assert.deepEqual(await signIn('gro', { groups: ['staff', 7, '', 'admins'] }), {
    name: 'Gro',
    groups: ['staff', 'admins'],
  })
  assert.deepEqual((await signIn('gro', { groups: 'staff', name: 'Renamed' }))?.groups, ['staff'])
  assert.deepEqual(await signIn('gro', { groups: 'staff' }), { name: 'Gro', groups: ['staff'] })
  assert.deepEqual(await signIn('gro', {}), { name: 'Gro' }, 'the user has left the last group')
  assert.deepEqual(await signIn('gro', { groups: ['admins'] }, ['openid']), { name: 'Gro' })
  assert.deepEqual(await signIn('other', { groups: ['admins'], role: 'owner' }, ['openid']), { name: 'Gro' })
})

test('FD-01 the account belongs to provider and subject together, never to an email address', async () => {
  const first = await subjectOf(una())
  assert.equal(await subjectOf(una()), first)
  assert.notEqual(await subjectOf(una({ scheme: school })), first)
  assert.notEqual(await subjectOf(una({ subject: 'UNA' })), first)
})

for (const username of ['victim', 'victim@ours.example']) {
  test(`FD-05 AU-18 a provider’s email address or name does not lead to ${username}, who exists`, async () => {
    const ours = { email: 'victim@ours.example', email_verified: true }
    await setup.addUser(username, { password: alicePassword, claims: ours })
    for (const [scheme, email_verified] of [
      [partner, true],
      [school, false],
    ] as const) {
      const claims = { ...ours, email_verified, preferred_username: username, sub: username }
      assert.notEqual(await subjectOf(una({ scheme, subject: username, claims })), username)
    }
  })
}

test('FD-01 only one of many concurrent first sign-ins creates the account', async () => {
  const subjects = await Promise.all(
    Array.from({ length: 10 }, () => subjectOf(una({ subject: 'newcomer' }))),
  )
  assert.equal(new Set(subjects).size, 1)
})

test('a user of a provider cannot sign in with a password', async () => {
  const user = await setup.ports.users.findByExternal(una())
  assert.equal(user?.passwordHash, null)
  const credentials = { username: user?.username ?? '', password: '' }
  assert.equal((await setup.ports.userService.authenticate(credentials, hints)).kind, 'refused')
})

test('AU-18 an address that the provider did not verify does not count as verified, and roles are not copied', async () => {
  for (const verified of [undefined, false, 'true', 1, null]) {
    const claims = {
      email: 'una@partner.example',
      ...(verified === undefined ? {} : { email_verified: verified }),
      role: 'admin',
    }
    const subject = await subjectOf(una({ subject: `verified-${String(verified)}`, claims }))
    const profile = await profileOf(subject, ['email', 'email_verified', 'role'])
    assert.deepEqual(profile, { email: 'una@partner.example', email_verified: false })
  }
  const subject = await subjectOf(
    una({ subject: 'verified', claims: { email: 'v@partner.example', email_verified: true } }),
  )
  assert.deepEqual(await profileOf(subject, ['email_verified']), { email_verified: true })
})

test('AU-10 a locked user is refused at every provider', async () => {
  const subject = await subjectOf(una({ subject: 'leaver' }))
  const user = await setup.ports.users.findBySubject(subjectIdSchema.parse(subject))
  assert.ok(user)
  await setup.addUser(user.subject, { enabled: false })
  assert.equal(await setup.ports.userService.isActive(user.subject), false)
  const outcome = await setup.ports.userService.authenticateExternal(una({ subject: 'leaver' }), hints)
  assert.equal(outcome.kind === 'refused' && outcome.cause?.reason, 'account_disabled')
  assert.deepEqual(await profileOf(user.subject, ['name']), {})
})

test('an unknown user is not active', async () => {
  assert.equal(await setup.ports.userService.isActive(subjectIdSchema.parse('unknown')), false)
})

test('a profile contains the requested claims and never a claim about the token', async () => {
  await setup.addUser('sly', {
    claims: { name: 'Sly', role: 'user', iss: 'https://evil.example', sub: 'alice', scope: 'admin' },
  })
  assert.deepEqual(await profileOf('sly', ['name', 'iss', 'sub', 'scope', 'email']), { name: 'Sly' })
})

test('a profile with all claims contains every claim of the user and never a claim about the token', async () => {
  await setup.addUser('open', { claims: { name: 'Open', team: 'blue', iss: 'https://evil.example' } })
  assert.deepEqual(await profileOf('open', [], true), { name: 'Open', team: 'blue' })
})

async function profileOf(subject: string, claims: readonly string[], allClaims = false) {
  return setup.ports.userService.profile({
    subject: subjectIdSchema.parse(subject),
    claims,
    allClaims,
    client: testClient(),
    caller: 'userinfo',
  })
}

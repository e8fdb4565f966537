import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { identityServer3SkewSeconds } from '#lib/config/limits.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { Grant } from '#lib/ports/grants.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { type ClientId, clientIdSchema, scopeNameSchema } from '#lib/protocol/ids.ts'
import { accountView, endOtherSessions } from './account.ts'
import { keepPermissions, revokeApp } from './connected-apps.ts'
import { openTestSignIn, type TestSignIn } from './testing/sign-in.ts'

let setup: TestSignIn
let alice: Session
let bob: Session

before(async () => {
  setup = await openTestSignIn()
  await setup.addUser('bob')
  await setup.addClient()
  await setup.addClient({ client_id: 'mobile', client_name: 'A Mobile App' })
})
after(() => setup.close())
beforeEach(async () => {
  const { sessions, clock } = setup.ports
  const { subject } = await setup.openSession('alice')
  for (const session of await sessions.allOf(subject, clock.now())) await sessions.end(session, clock.now())
  alice = await setup.openSession('alice', { name: 'Alice Ames', userAgent: 'Laptop' })
  bob = await setup.openSession('bob')
})

const web = clientIdSchema.parse('web')
const mobile = clientIdSchema.parse('mobile')
const scopes = (...names: readonly string[]) => names.map(name => scopeNameSchema.parse(name))

async function consent(session: Session, clientId: ClientId, ...names: readonly string[]): Promise<void> {
  const now = setup.ports.clock.now()
  const { subject } = session
  const times = { createdAt: now, updatedAt: now, expiresAt: null }
  await setup.ports.consents.store({ subject, clientId, scopes: scopes(...names), ...times })
}

async function grant(session: Session, clientId: ClientId, changes: Partial<Grant> = {}): Promise<Grant> {
  const now = setup.ports.clock.now()
  const { subject, idp, amr, acr, authenticatedAt, sessionId } = session
  const opened: Grant = {
    ...{ subject, idp, amr, acr, authenticatedAt, sessionId },
    id: setup.ports.random.grantId(),
    clientId,
    scopes: scopes('openid'),
    isOffline: false,
    createdAt: now,
    expiresAt: new Date(now.getTime() + 3_600_000),
    revokedAt: null,
    ...changes,
  }
  await setup.ports.grants.open(opened)
  return opened
}

async function isLive(opened: Grant): Promise<boolean> {
  return (await setup.ports.grants.find(opened.id))?.revokedAt === null
}

test('CN-07 lists every app once, with all its permissions, remembered or only granted', async () => {
  await consent(alice, web, 'openid', 'profile')
  await grant(alice, web, { scopes: scopes('openid', 'api'), isOffline: true })
  await grant(alice, mobile)
  await grant(alice, clientIdSchema.parse('not-registered'))
  await consent(bob, web, 'openid')
  const { apps, name } = await accountView(setup.ports, alice)
  assert.equal(name, 'Alice Ames')
  assert.deepEqual(
    apps.map(app => [app.clientName, app.scopes.map(scope => scope.name), app.isOffline]),
    [
      ['A Mobile App', ['openid'], false],
      ['Web App', ['openid', 'profile', 'api'], true],
    ],
  )
})

test('an app was last used when it last got tokens: at the grant, or at the latest refresh', async () => {
  const started = setup.ports.clock.now()
  const later = new Date(started.getTime() + 60_000)
  await consent(bob, mobile, 'openid')
  const { id: grantId, clientId, expiresAt } = await grant(bob, web)
  const lastUse = async () =>
    (await accountView(setup.ports, bob)).apps.map(app => [app.clientId, app.lastUsedAt])
  assert.deepEqual(await lastUse(), [
    ['mobile', null],
    ['web', started],
  ])
  await setup.ports.tokens.store({
    grantId: null,
    refreshToken: {
      ...{ grantId, clientId, expiresAt, absoluteExpiresAt: expiresAt, createdAt: later },
      digest: setup.ports.hashing.digest('refresh'),
      accessTokenClaims: {},
      ...{ spentAt: null, successor: null, sealedAnswer: null, answerExpiresAt: null },
    },
  })
  assert.deepEqual((await lastUse())[1], ['web', later])
})

test('an app that needs no consent stays connected in a session after its grants have expired, until its access is removed', async () => {
  const clientId = clientIdSchema.parse('connected')
  for (const name of ['connected', 'asking'])
    await setup.addClient({ client_id: name, client_name: name, require_consent: name === 'asking' })
  const carol = await setup.openSession('carol')
  const soon = { expiresAt: new Date(carol.createdAt.getTime() + 60_000) }
  await grant(carol, clientId, soon)
  await grant(carol, clientIdSchema.parse('asking'), soon)
  setup.advance(60 + identityServer3SkewSeconds)
  await setup.purge()
  const now = setup.ports.clock.now()
  assert.deepEqual(await setup.ports.grants.liveOf(carol.subject, now), [])
  const names = async () => (await accountView(setup.ports, carol)).apps.map(app => app.clientName)
  const since = (await accountView(setup.ports, carol)).apps.map(app => app.lastUsedAt)
  assert.deepEqual([await names(), since], [['connected'], [carol.createdAt]])
  await revokeApp(setup.ports, { session: carol, clientId }, context)
  assert.deepEqual(await names(), [])
})

test('CN-07 revoking removes the consent and every grant of that app and user, also offline grants, and nothing else', async () => {
  await consent(alice, web, 'openid')
  await consent(alice, mobile, 'openid')
  await consent(bob, web, 'openid')
  const mine = [await grant(alice, web), await grant(alice, web, { isOffline: true })]
  const others = [await grant(alice, mobile), await grant(bob, web)]
  assert.equal(await revokeApp(setup.ports, { session: alice, clientId: 'web' }, context), 'revoked')
  const now = setup.ports.clock.now()
  assert.equal(await setup.ports.consents.find(alice.subject, web, now), null)
  for (const opened of mine) assert.equal(await isLive(opened), false)
  for (const opened of others) assert.equal(await isLive(opened), true)
  assert.ok(await setup.ports.consents.find(alice.subject, mobile, now))
  assert.ok(await setup.ports.consents.find(bob.subject, web, now))
  assert.equal(setup.events.at(-1)?.name, 'consent_revoked')
})

test('CN-07 revoking an unknown app changes nothing and records nothing', async () => {
  const before = setup.events.length
  for (const clientId of ['never-heard-of', '', 'ü'])
    assert.equal(await revokeApp(setup.ports, { session: alice, clientId }, context), 'unknown_app')
  assert.equal(setup.events.length, before)
})

/** Stores an app that asks for consent, with a remembered consent and three grants of alice. */
async function connect(name: string) {
  const clientId = clientIdSchema.parse(name)
  await setup.addClient({ client_id: name, require_consent: true })
  await consent(alice, clientId, 'openid', 'profile', 'api', 'offline_access')
  const [narrow, wide, offline] = [
    await grant(alice, clientId, { scopes: scopes('openid', 'profile') }),
    await grant(alice, clientId, { scopes: scopes('openid', 'api') }),
    await grant(alice, clientId, { scopes: scopes('openid', 'offline_access'), isOffline: true }),
  ]
  const remove = (...shown: readonly string[]) =>
    keepPermissions(setup.ports, { session: alice, clientId, shown, kept: [] }, context)
  const remembered = async (session = alice) =>
    (await setup.ports.consents.find(session.subject, clientId, setup.ports.clock.now()))?.scopes ?? null
  return { clientId, narrow, wide, offline, remove, remembered }
}

test('CN-07 removing a permission narrows the consent and revokes the grants that include it, and nothing else', async () => {
  const { clientId, narrow, wide, offline, remove, remembered } = await connect('narrowed')
  const others = [
    await grant(alice, mobile, { scopes: scopes('api') }),
    await grant(bob, clientId, { scopes: scopes('api') }),
  ]
  await consent(bob, clientId, 'api')
  assert.equal(await remove('api'), 'narrowed')
  assert.deepEqual(await remembered(), ['openid', 'profile', 'offline_access'])
  assert.equal(await isLive(wide), false)
  for (const opened of [narrow, offline, ...others]) assert.equal(await isLive(opened), true)
  assert.deepEqual(await remembered(bob), ['api'])
  const event = setup.events.at(-1)
  assert.deepEqual([event?.name, event?.details], ['consent_revoked', { scope: 'api', grants: 1 }])
})

test('CN-07 permissions that the user keeps, or that the form did not show, stay', async () => {
  const { clientId, narrow, wide, offline, remembered } = await connect('kept')
  const choose = (shown: readonly string[], kept: readonly string[]) =>
    keepPermissions(setup.ports, { session: alice, clientId, shown, kept }, context)
  assert.equal(await choose(['profile', 'api'], ['profile', 'api']), 'unchanged')
  assert.equal(await choose(['profile'], []), 'narrowed')
  assert.deepEqual(await remembered(), ['openid', 'api', 'offline_access'])
  assert.deepEqual([await isLive(narrow), await isLive(wide), await isLive(offline)], [false, true, true])
})

test('CN-07 a required permission, or one of an app that never asks, cannot be removed', async () => {
  const { narrow, wide, remove, remembered } = await connect('required')
  assert.equal(await remove('openid'), 'unchanged')
  assert.equal(await remove(), 'unchanged')
  assert.equal(await remove('email', 'unheard-of'), 'unchanged')
  assert.deepEqual(await remembered(), ['openid', 'profile', 'api', 'offline_access'])
  assert.deepEqual([await isLive(narrow), await isLive(wide)], [true, true])
  await setup.addClient({ client_id: 'first-party', require_consent: false })
  const clientId = clientIdSchema.parse('first-party')
  const own = await grant(alice, clientId, { scopes: scopes('openid', 'api') })
  const choice = { session: alice, clientId, shown: ['api'], kept: [] }
  assert.equal(await keepPermissions(setup.ports, choice, context), 'unchanged')
  assert.equal(await isLive(own), true)
})

test('CN-07 a consent is removed when only offline access is left, or when it has changed since it was read', async () => {
  const { clientId, remove, remembered } = await connect('left-over')
  await consent(alice, clientId, 'api', 'offline_access')
  assert.equal(await remove('api'), 'narrowed')
  assert.equal(await remembered(), null)

  const raced = await connect('raced')
  const { consents } = setup.ports
  const narrow: typeof consents.narrow = async (...given) => {
    await consent(alice, raced.clientId, 'openid', 'api')
    return consents.narrow(...given)
  }
  const ports = { ...setup.ports, consents: { ...consents, narrow } }
  const choice = { session: alice, clientId: raced.clientId, shown: ['api'], kept: [] }
  assert.equal(await keepPermissions(ports, choice, context), 'narrowed')
  assert.equal(await raced.remembered(), null)
})

test('SE-07 lists every session of the user, this browser first', async () => {
  setup.advance(60)
  await setup.openSession('alice', { userAgent: 'Phone' })
  const { sessions } = await accountView(setup.ports, alice)
  assert.deepEqual(
    sessions.map(session => [session.userAgent, session.isCurrent]),
    [
      ['Laptop', true],
      ['Phone', false],
    ],
  )
})

test('SE-07 ends one other session and its grants, on the server', async () => {
  const phone = await setup.openSession('alice')
  const granted = await grant(phone, web)
  const kept = await grant(alice, web)
  const end = (sessionId: string | null) =>
    endOtherSessions(setup.ports, { session: alice, sessionIds: [sessionId ?? ''] }, context)
  assert.equal(await end(phone.sessionId), 1)
  assert.equal(await setup.ports.sessions.find(phone.digest, setup.ports.clock.now()), null)
  assert.deepEqual([await isLive(granted), await isLive(kept)], [false, true])
  assert.equal(await end(phone.sessionId), 0)
})

test('SE-07 neither the current session nor one of another user can be selected', async () => {
  for (const sessionId of [alice.sessionId, bob.sessionId, '', 'x']) {
    const outcome = await endOtherSessions(
      setup.ports,
      { session: alice, sessionIds: [sessionId ?? ''] },
      context,
    )
    assert.equal(outcome, 0)
  }
  assert.ok(await setup.ports.sessions.find(bob.digest, setup.ports.clock.now()))
})

test('SE-07 ends all other sessions together', async () => {
  await setup.openSession('alice')
  await setup.openSession('alice')
  assert.equal(await endOtherSessions(setup.ports, { session: alice, sessionIds: null }, context), 2)
  const left = await setup.ports.sessions.allOf(alice.subject, setup.ports.clock.now())
  assert.deepEqual(
    left.map(session => session.digest),
    [alice.digest],
  )
  assert.ok(await setup.ports.sessions.find(bob.digest, setup.ports.clock.now()))
})

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { lifetimeSeconds, storage } from '#lib/config/limits.ts'
import { authorize } from '#lib/core/authorize/authorize.ts'
import { signOut } from '#lib/core/logout/end-session.ts'
import { context } from '#lib/core/testing/ports.ts'
import { validParameters } from '#lib/core/testing/validation-input.ts'
import type { Grant } from '#lib/ports/grants.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { Digest, SessionHandle } from '#lib/protocol/ids.ts'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { currentSession, readCurrentSession, signOutView } from './session.ts'
import { signIn } from './sign-in.ts'
import { form, openTestSignIn, type TestSignIn } from './testing/sign-in.ts'

let setup: TestSignIn
let handle: SessionHandle

before(async () => {
  setup = await openTestSignIn()
  await setup.addClient()
})
after(() => setup.close())
beforeEach(async () => {
  handle = await openHandle(false)
})

async function openHandle(remember: boolean): Promise<SessionHandle> {
  const outcome = await signIn(setup.ports, form({ remember }), context)
  assert.ok(outcome.kind === 'signed_in')
  return outcome.session
}

async function isAlive(session: SessionHandle): Promise<boolean> {
  const found = await currentSession(setup.ports, session)
  await setup.ports.usage.flush()
  return found !== null
}

test('there is no session without a cookie or with an unknown one', async () => {
  assert.equal(await currentSession(setup.ports, null), null)
  assert.equal(await currentSession(setup.ports, setup.ports.random.handle('session')), null)
})

test('SE-01 only a digest of the cookie is stored', async () => {
  const session = await currentSession(setup.ports, handle)
  assert.ok(session)
  assert.ok(!JSON.stringify(session).includes(handle))
})

test('SE-05 an idle session ends, and use extends it', async () => {
  setup.advance(lifetimeSeconds.sessionIdle - 60)
  assert.ok(await isAlive(handle))
  setup.advance(lifetimeSeconds.sessionIdle - 60)
  assert.ok(await isAlive(handle))
  setup.advance(lifetimeSeconds.sessionIdle + 60)
  assert.ok(!(await isAlive(handle)))
})

test('SE-05 a use is marked only when the stored last use is older than the interval', async () => {
  const marks: Date[] = []
  const usage = { ...setup.ports.usage, session: (_: Digest, at: Date) => void marks.push(at) }
  const use = () => currentSession({ ...setup.ports, usage }, handle)
  await use()
  setup.advance(storage.sessionTouchSeconds - 1)
  await use()
  assert.deepEqual(marks, [])
  setup.advance(1)
  await use()
  assert.deepEqual(marks, [setup.ports.clock.now()])
})

test('SE-05 use does not move the absolute end', async () => {
  for (let passed = 0; passed < lifetimeSeconds.session - 3600; passed += 3600) {
    setup.advance(3600)
    assert.ok(await isAlive(handle))
  }
  setup.advance(3600)
  assert.ok(!(await isAlive(handle)))
})

test('SE-05 a remembered session lasts longer, but not without limit', async () => {
  const remembered = await openHandle(true)
  setup.advance(lifetimeSeconds.session + 1)
  assert.ok(await isAlive(remembered))
  setup.advance(lifetimeSeconds.rememberedSessionIdle + 60)
  assert.ok(!(await isAlive(remembered)))
})

test('SE-06 RT-08 locking a user ends the session and revokes its grants immediately', async () => {
  await setup.addUser('leaver', { password: 'correct horse' })
  const outcome = await signIn(setup.ports, form({ username: 'leaver', password: 'correct horse' }), context)
  assert.ok(outcome.kind === 'signed_in')
  const session = await currentSession(setup.ports, outcome.session)
  assert.ok(session)
  const grant = await openGrant(session, false)
  await setup.addUser('leaver', { enabled: false })
  assert.equal(await currentSession(setup.ports, outcome.session), null)
  assert.equal(await setup.ports.sessions.find(session.digest, setup.ports.clock.now()), null)
  assert.ok((await setup.ports.grants.find(grant.id))?.revokedAt)
})

test('AU-10 SE-06 RT-08 a user whom the user service reports as inactive also loses both, although the database has them as active', async () => {
  const session = await currentSession(setup.ports, handle)
  assert.ok(session)
  const grant = await openGrant(session, false)
  const userService = { ...setup.ports.userService, isActive: async () => false }
  assert.equal(await currentSession({ ...setup.ports, userService }, handle), null)
  assert.ok(!(await isAlive(handle)), 'for good')
  assert.ok((await setup.ports.grants.find(grant.id))?.revokedAt)
})

test('SE-06 RT-08 signing out ends the session on the server and revokes its grants, but not offline access', async () => {
  const session = await currentSession(setup.ports, handle)
  assert.ok(session)
  const online = await openGrant(session, false)
  const offline = await openGrant(session, true)
  await signOut(setup.ports, await currentSession(setup.ports, handle), context)
  assert.ok(!(await isAlive(handle)))
  assert.ok((await setup.ports.grants.find(online.id))?.revokedAt)
  assert.equal((await setup.ports.grants.find(offline.id))?.revokedAt, null)
  assert.equal(setup.events.filter(event => event.name === 'signed_out').length, 1)
  await signOut(setup.ports, await currentSession(setup.ports, handle), context)
  await signOut(setup.ports, null, context)
  assert.equal(setup.events.filter(event => event.name === 'signed_out').length, 1)
})

test('RT-08 grants from before a second sign-in end with the sign-out after it', async () => {
  const first = await currentSession(setup.ports, handle)
  assert.ok(first)
  const grant = await openGrant(first, false)
  const again = await signIn(setup.ports, form({ previous: [handle] }), context)
  assert.ok(again.kind === 'signed_in')
  assert.equal((await setup.ports.grants.find(grant.id))?.revokedAt, null)
  await signOut(setup.ports, await currentSession(setup.ports, again.session), context)
  assert.ok((await setup.ports.grants.find(grant.id))?.revokedAt)
})

test('the sign-out page names every app of the session, however long ago its code was redeemed, and none with only offline access', async () => {
  const session = await currentSession(setup.ports, handle)
  assert.ok(session)
  const { clientName } = await setup.addClient()
  const offline = await openGrant(session, true)
  assert.deepEqual((await signOutView(setup.ports, session)).apps, [])
  await setup.ports.grants.revoke({ id: offline.id }, setup.ports.clock.now())
  await openGrant(session, false)
  setup.advance(2 * 3600)
  await setup.purge()
  assert.deepEqual(await setup.ports.grants.liveOf(session.subject, setup.ports.clock.now()), [])
  assert.deepEqual((await signOutView(setup.ports, session)).apps, [clientName])
})

async function openGrant(session: Session, isOffline: boolean): Promise<Grant> {
  const now = setup.ports.clock.now()
  const client = await setup.addClient()
  const { subject, idp, amr, acr, authenticatedAt, sessionId } = session
  const grant: Grant = {
    ...{ subject, idp, amr, acr, authenticatedAt, sessionId },
    id: setup.ports.random.grantId(),
    clientId: client.clientId,
    scopes: [scopeNameSchema.parse('openid')],
    isOffline,
    createdAt: now,
    expiresAt: new Date(now.getTime() + 3_600_000),
    revokedAt: null,
  }
  await setup.ports.grants.open(grant)
  return grant
}

test('the user service is asked once for an authorization request whether the user is active', async () => {
  const asked: string[] = []
  const isActive: typeof setup.ports.userService.isActive = (subject, account) => {
    asked.push(subject)
    return setup.ports.userService.isActive(subject, account)
  }
  const ports = { ...setup.ports, userService: { ...setup.ports.userService, isActive } }
  const user = await readCurrentSession(ports, handle)
  assert.ok(user)
  const browser = ports.random.handle('browser')
  const outcome = await authorize(
    ports,
    { ...user, parameters: parametersFrom(validParameters), browser },
    context,
  )
  assert.equal(outcome.kind, 'respond')
  assert.deepEqual(asked, [user.session.subject])
})

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { lifetimeSeconds } from '#lib/config/limits.ts'
import { context } from '#lib/core/test-ports.ts'
import type { Grant } from '#lib/ports/grants.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { SessionHandle } from '#lib/protocol/ids.ts'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import { currentSession } from './session.ts'
import { signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'
import { form, openPeople, type People } from './test-people.ts'

let people: People
let handle: SessionHandle

before(async () => {
  people = await openPeople()
  await people.addClient()
})
after(() => people.close())
beforeEach(async () => {
  handle = await openHandle(false)
})

async function openHandle(remember: boolean): Promise<SessionHandle> {
  const outcome = await signIn(people.ports, form({ remember }), context)
  assert.ok(outcome.kind === 'signed_in')
  return outcome.session
}

async function isAlive(session: SessionHandle): Promise<boolean> {
  return (await currentSession(people.ports, session)) !== null
}

test('there is no session without a cookie or with an unknown one', async () => {
  assert.equal(await currentSession(people.ports, null), null)
  assert.equal(await currentSession(people.ports, people.ports.random.handle('session')), null)
})

test('SE-01 only a digest of the cookie is stored', async () => {
  const session = await currentSession(people.ports, handle)
  assert.ok(session)
  assert.ok(!JSON.stringify(session).includes(handle))
})

test('SE-05 a session ends when it is idle too long, and use keeps it alive', async () => {
  people.advance(lifetimeSeconds.sessionIdle - 60)
  assert.ok(await isAlive(handle))
  people.advance(lifetimeSeconds.sessionIdle - 60)
  assert.ok(await isAlive(handle))
  people.advance(lifetimeSeconds.sessionIdle + 60)
  assert.ok(!(await isAlive(handle)))
})

test('SE-05 no use moves the absolute end', async () => {
  for (let passed = 0; passed < lifetimeSeconds.session - 3600; passed += 3600) {
    people.advance(3600)
    assert.ok(await isAlive(handle))
  }
  people.advance(3600)
  assert.ok(!(await isAlive(handle)))
})

test('SE-05 a remembered session lives longer, and ends as well', async () => {
  const remembered = await openHandle(true)
  people.advance(lifetimeSeconds.session + 1)
  assert.ok(await isAlive(remembered))
  people.advance(lifetimeSeconds.rememberedSessionIdle + 60)
  assert.ok(!(await isAlive(remembered)))
})

test('SE-06 RT-08 disabling a user ends the session and revokes its grants immediately', async () => {
  await people.addUser('leaver', { password: 'correct horse' })
  const outcome = await signIn(people.ports, form({ username: 'leaver', password: 'correct horse' }), context)
  assert.ok(outcome.kind === 'signed_in')
  const session = await currentSession(people.ports, outcome.session)
  assert.ok(session)
  const grant = await openGrant(session, false)
  await people.addUser('leaver', { enabled: false })
  assert.equal(await currentSession(people.ports, outcome.session), null)
  assert.equal(await people.ports.sessions.find(session.digest, people.ports.clock.now()), null)
  assert.ok((await people.ports.grants.find(grant.id))?.revokedAt)
})

test('AU-10 SE-06 RT-08 whom a user service calls inactive loses both as well, while our store knows of nothing', async () => {
  const session = await currentSession(people.ports, handle)
  assert.ok(session)
  const grant = await openGrant(session, false)
  const userService = { ...people.ports.userService, isActive: async () => false }
  assert.equal(await currentSession({ ...people.ports, userService }, handle), null)
  assert.ok(!(await isAlive(handle)), 'for good')
  assert.ok((await people.ports.grants.find(grant.id))?.revokedAt)
})

test('SE-06 RT-08 signing out ends the session on the server and revokes its grants, but not offline access', async () => {
  const session = await currentSession(people.ports, handle)
  assert.ok(session)
  const online = await openGrant(session, false)
  const offline = await openGrant(session, true)
  await signOut(people.ports, { session: handle }, context)
  assert.ok(!(await isAlive(handle)))
  assert.ok((await people.ports.grants.find(online.id))?.revokedAt)
  assert.equal((await people.ports.grants.find(offline.id))?.revokedAt, null)
  assert.equal(people.events.filter(event => event.name === 'signed_out').length, 1)
  await signOut(people.ports, { session: handle }, context)
  await signOut(people.ports, { session: null }, context)
  assert.equal(people.events.filter(event => event.name === 'signed_out').length, 1)
})

test('RT-08 what was granted before a second sign-in ends with the sign-out after it', async () => {
  const first = await currentSession(people.ports, handle)
  assert.ok(first)
  const grant = await openGrant(first, false)
  const again = await signIn(people.ports, form({ previous: handle }), context)
  assert.ok(again.kind === 'signed_in')
  assert.equal((await people.ports.grants.find(grant.id))?.revokedAt, null)
  await signOut(people.ports, { session: again.session }, context)
  assert.ok((await people.ports.grants.find(grant.id))?.revokedAt)
})

async function openGrant(session: Session, isOffline: boolean): Promise<Grant> {
  const now = people.ports.clock.now()
  const client = await people.addClient()
  const { subject, idp, amr, acr, authenticatedAt, sessionId } = session
  const grant: Grant = {
    ...{ subject, idp, amr, acr, authenticatedAt, sessionId },
    id: people.ports.random.grantId(),
    clientId: client.clientId,
    scopes: [scopeNameSchema.parse('openid')],
    isOffline,
    createdAt: now,
    expiresAt: new Date(now.getTime() + 3_600_000),
    revokedAt: null,
  }
  await people.ports.grants.open(grant)
  return grant
}

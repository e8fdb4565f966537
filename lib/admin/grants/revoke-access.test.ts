import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sessionIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { sampleGrant } from '#lib/storage/testing/samples.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { endSession, endSessionsOfUser, removeConsent, revokeClient, revokeGrant } from './revoke-access.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
})
after(() => opened.close())

/** Opens a session and a grant for a user. Returns calls by user support that end sessions, grants and consents of the user. */
async function endingsFor(name: string) {
  const { ports } = opened
  const support = await opened.caller('user_support')
  const session = await opened.openSession(name)
  const sub = subjectIdSchema.parse(name)
  const grant = sampleGrant({ subject: sub, expiresAt: new Date(ports.clock.now().getTime() + 3_600_000) })
  await ports.grants.open(grant)
  const sessionId = sessionIdSchema.parse(session.sessionId)
  return [
    () => endSession.call(ports, { session_id: sessionId }, support),
    () => endSessionsOfUser.call(ports, { sub }, support),
    () => revokeGrant.call(ports, { grant_id: grant.id }, support),
    () => removeConsent.call(ports, { sub, client_id: 'web' }, support),
  ]
}

test('AD-03 support can revoke the access of users, but not of an owner', async () => {
  await opened.addUser('plain-user')
  const { subject } = await opened.actor('owner')
  for (const [name, expected] of [
    ['plain-user', 'ok'],
    [subject, 'denied'],
  ] as const) {
    for (const end of await endingsFor(name)) assert.equal((await end()).kind, expected, end.toString())
  }
  assert.equal((await opened.ports.sessions.allOf(subject, opened.ports.clock.now())).length, 1)
})

test('an admin with the role of user support can sign out their own account everywhere', async () => {
  const support = await opened.caller('user_support')
  const { subject } = support.actor
  assert.equal((await endSessionsOfUser.call(opened.ports, { sub: subject }, support)).kind, 'ok')
})

test('AD-03 an owner can revoke the tokens of a client that administers the service, a client manager cannot', async () => {
  await opened.addClient({ client_id: 'operator', scope: 'latchkey.admin' })
  await opened.addClient({ client_id: 'shop' })
  const [manager, owner] = [await opened.caller('client_manager'), await opened.caller('owner')]
  const revoke = (client: string, caller: typeof owner) =>
    revokeClient.call(opened.ports, { client_id: client }, caller)
  assert.equal((await revoke('operator', manager)).kind, 'denied')
  assert.equal((await revoke('shop', manager)).kind, 'ok')
  assert.equal((await revoke('operator', owner)).kind, 'ok')
})

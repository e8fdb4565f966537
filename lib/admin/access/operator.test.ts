import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { adminSession as limits, rateLimits } from '#lib/config/limits.ts'
import { context } from '#lib/core/testing/ports.ts'
import { testMachine } from '#lib/core/testing/registrations.ts'
import { addClient } from '../administrators/add-client.ts'
import { demoUsers } from '../configuration/demo.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { acceptInvitation, type SetUpAnswer } from './accept-invitation.ts'
import { findInvitation, newInvitation } from './invitations.ts'
import { appoint, demoOwner, firstOwnerLink, offerInvitation, seedDemoOwner } from './operator.ts'

let opened: AdminTestPorts
beforeEach(async () => {
  opened = await openAdminTestPorts()
})
afterEach(() => opened.close())

const tokenOf = (link: string | null) => new URL(link ?? '').searchParams.get('token') ?? ''
const start = async () => tokenOf(await firstOwnerLink(opened.ports))
const accept = (token: string, answer: SetUpAnswer = carol()) =>
  acceptInvitation(opened.ports, { token, answer }, context)
const isOpen = async (token: string) => (await findInvitation(opened.ports, token)) !== null

function carol(changes: Readonly<Record<string, string>> = {}): SetUpAnswer {
  const account = { username: 'carol', name: 'Carol', password: 'rainy tuesday in november' }
  return { kind: 'new', account: { ...account, ...changes } }
}

async function offered(role: 'owner' | 'auditor') {
  const wanted = { role, createdBy: null, lifetimeSeconds: limits.invitationSeconds }
  const { handle, invitation } = newInvitation(opened.ports, wanted)
  await offerInvitation(opened.ports, invitation)
  return handle
}

describe('the link for the first owner', () => {
  test('the link is created while no user is an owner', async () => {
    await opened.actor('auditor')
    const token = await start()
    assert.equal((await accept(token)).kind, 'accepted')
    assert.equal(await firstOwnerLink(opened.ports), null)
  })
  test('a new start invalidates the link of an earlier start, not one from the command line', async () => {
    const [byCommand, first] = [await offered('owner'), await start()]
    const second = await start()
    assert.deepEqual(
      [await isOpen(first), await isOpen(second), await isOpen(byCommand)],
      [false, true, true],
    )
  })
  test('the link expires', async () => {
    const token = await start()
    opened.advance(limits.firstOwnerSeconds)
    assert.deepEqual(await accept(token), { kind: 'gone' })
  })
})

describe('accepting an invitation', () => {
  test('the first owner gets an account, the role and an audit row', async () => {
    await accept(await start())
    const user = await opened.ports.users.findByUsername('carol')
    assert.ok(user)
    assert.equal(await opened.ports.passwords.verify('rainy tuesday in november', user.passwordHash), true)
    assert.equal((await opened.ports.administrators.find(user.subject))?.role, 'owner')
    const [row] = await opened.ports.adminStore.audit.list({ action: 'administrators.accept' }, null, 1)
    assert.equal(row?.actor, user.subject)
    assert.ok(!JSON.stringify(row).includes('argon2'))
  })
  test('ten concurrent uses create one administrator and one account', async () => {
    const token = await start()
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_one, index) => accept(token, carol({ username: `carol-${index}` }))),
    )
    assert.equal(outcomes.filter(({ kind }) => kind === 'accepted').length, 1)
    assert.equal(outcomes.filter(({ kind }) => kind === 'gone').length, 9)
    assert.equal((await opened.ports.administrators.all()).length, 1)
    assert.equal((await opened.ports.adminLists.countUsers({ search: null, enabled: null })).count, 1)
  })
  test('using a link revokes the other links of the operator for the same role', async () => {
    const [owner, auditor] = [await offered('owner'), await offered('auditor')]
    await accept(await start())
    assert.deepEqual([await isOpen(owner), await isOpen(auditor)], [false, true])
  })
  test('a user with an account becomes an administrator and keeps the account', async () => {
    const { subject } = await opened.addUser('dora')
    assert.equal((await accept(await start(), { kind: 'existing', subject })).kind, 'accepted')
    assert.equal((await opened.ports.administrators.find(subject))?.role, 'owner')
  })
  test('an owner cannot accept an invitation for a lower role', async () => {
    const { subject } = await opened.actor('owner')
    const outcome = await accept(await offered('auditor'), { kind: 'existing', subject })
    assert.equal(outcome.kind, 'invalid')
    assert.equal((await opened.ports.administrators.find(subject))?.role, 'owner')
  })
  for (const [changes, path] of [
    [{ username: '' }, 'username'],
    [{ username: 'ALICE ' }, 'username'],
    [{ name: ' ' }, 'name'],
    [{ name: 'a\u202eb' }, 'name'],
    [{ password: 'short' }, 'password'],
    [{ password: 'carol-carol' }, 'password'],
    [{ password: 'password1' }, 'password'],
  ] as const) {
    test(`${JSON.stringify(changes)} is refused at its field, and the link stays valid`, async () => {
      await opened.addUser('alice')
      const token = await start()
      const outcome = await accept(token, carol(changes))
      assert.ok(outcome.kind === 'invalid')
      assert.deepEqual(
        outcome.errors.map(error => error.path),
        [path],
      )
      assert.equal(await isOpen(token), true)
    })
  }
  test('unknown links are limited by IP address, and do not block a right one', async () => {
    const token = await start()
    for (let attempt = 0; attempt < rateLimits.setUp.limit; attempt++)
      assert.equal((await accept('inv_x')).kind, 'gone')
    assert.equal((await accept('inv_x')).kind, 'limited')
    assert.equal((await accept(token)).kind, 'accepted')
  })
})

describe('assigning a role by user name', () => {
  test('a user gets the role; an unknown user is reported', async () => {
    const { subject } = await opened.addUser('dora')
    assert.equal((await appoint(opened.ports, { username: 'DORA', role: 'auditor' })).kind, 'appointed')
    assert.equal((await opened.ports.administrators.find(subject))?.role, 'auditor')
    assert.equal((await appoint(opened.ports, { username: 'unknown', role: 'auditor' })).kind, 'unknown')
  })
  test('AD-06 the role of the last owner cannot be changed', async () => {
    const { subject } = await opened.actor('owner')
    const user = await opened.ports.users.findBySubject(subject)
    const result = await appoint(opened.ports, { username: user?.username ?? '', role: 'auditor' })
    assert.equal(result.kind, 'last_owner')
  })
})

describe('the owner of the demo', () => {
  const alice = demoUsers[0]?.sub ?? ''
  const demo = { source: 'demo' } as const

  test('alice is the owner of the demo, created by the operator', async () => {
    await opened.addUser(alice)
    await seedDemoOwner(opened.ports, demo)
    assert.equal((await demoOwner(opened.ports, demo))?.username, 'alice')
    assert.equal(await firstOwnerLink(opened.ports), null)
    const [row] = await opened.ports.adminStore.audit.list({ targetId: alice }, null, 1)
    assert.deepEqual([row?.actor, row?.after], [null, { role: 'owner' }])
  })
  test('the demo is not changed once another user is an owner', async () => {
    await opened.addUser(alice)
    await opened.actor('owner')
    await seedDemoOwner(opened.ports, demo)
    assert.equal(await demoOwner(opened.ports, demo), null)
  })
  test('CF-02 only the demo has this owner, and it is deleted with the demo', async () => {
    const user = await opened.addUser(alice)
    await seedDemoOwner(opened.ports, { source: 'file' })
    assert.equal((await opened.ports.administrators.all()).length, 0)
    await seedDemoOwner(opened.ports, demo)
    const change = { put: {}, remove: { users: [user.subject] } }
    await opened.ports.configuration.apply(change, opened.ports.clock.now())
    assert.equal((await opened.ports.administrators.all()).length, 0)
  })
})

test('the role of a client is deleted with the client', async () => {
  const { clientId } = await opened.addClient({ client_id: 'pipeline', ...testMachine }, 'its secret')
  const owner = await opened.caller('owner')
  await addClient.call(opened.ports, { client_id: clientId, role: 'owner' }, owner)
  await opened.ports.configuration.apply(
    { put: {}, remove: { clients: [clientId] } },
    opened.ports.clock.now(),
  )
  assert.equal((await opened.ports.administrators.all()).length, 1)
})

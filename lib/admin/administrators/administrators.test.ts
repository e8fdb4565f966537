import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { adminSession as limits } from '#lib/config/limits.ts'
import { testMachine } from '#lib/core/testing/registrations.ts'
import { adminRoles } from '#lib/protocol/admin-role.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { findInvitation } from '../access/invitations.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { UseCase } from '../use-case.ts'
import { addClient } from './add-client.ts'
import { listAdministrators } from './read-administrators.ts'
import {
  administratorUseCases,
  inviteAdministrator,
  removeAdministrator,
  setRole,
  withdrawInvitation,
} from './use-cases.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
})
after(() => opened.close())

const roleOf = async (subject: string) =>
  (await opened.ports.administrators.find(subjectIdSchema.parse(subject)))?.role ?? null
const auditRows = async () => (await opened.ports.adminStore.audit.list({}, null, 200)).length

async function invited(role: 'owner' | 'auditor' = 'auditor') {
  const caller = await opened.caller('owner')
  const result = await inviteAdministrator.call(opened.ports, { role }, caller)
  assert.ok(result.kind === 'ok')
  const token = new URL(result.value.link).searchParams.get('token') ?? ''
  return { caller, token, ...result.value }
}

describe('AD-01 AD-03 permissions of each role', () => {
  const input: Readonly<Record<string, object>> = {
    'administrators.invite': { role: 'owner' },
    'administrators.withdraw_invitation': { id: 'x' },
    'administrators.set_role': { subject: 'x', role: 'owner' },
    'administrators.add_client': { client_id: 'x', role: 'owner' },
    'administrators.remove': { subject: 'x' },
  }
  const readers = ['owner', 'auditor']
  for (const useCase of administratorUseCases) {
    for (const role of adminRoles) {
      const isAllowed = useCase === listAdministrators ? readers.includes(role) : role === 'owner'
      test(`${useCase.name}: ${role} ${isAllowed ? 'may' : 'may not'}`, async () => {
        const caller = await opened.caller(role)
        const seen = opened.events.length
        const rows = await auditRows()
        const { kind } = await useCase.call(opened.ports, input[useCase.name] ?? {}, caller)
        assert.equal(kind === 'denied', !isAllowed, kind)
        if (isAllowed) return
        assert.equal(await auditRows(), rows)
        const event = opened.events.slice(seen).find(({ name }) => name === 'admin_refused')
        assert.equal(event?.subject, caller.actor.subject)
      })
    }
  }
  test('AD-01 a change is not stored if its administrator loses the role in the meantime', async () => {
    const [leaving, staying, third] = [
      await opened.caller('owner'),
      await opened.caller('owner'),
      await opened.caller('auditor'),
    ]
    const { subject } = leaving.actor
    const { adminStore } = opened.ports
    /** Another owner removes this owner after the check of the role and before the write. */
    const commit: typeof adminStore.commit = async (change, now) => {
      const removed = await removeAdministrator.call(opened.ports, { subject }, staying)
      assert.ok(removed.kind === 'ok' || removed.kind === 'not_found')
      return adminStore.commit(change, now)
    }
    const ports = { ...opened.ports, adminStore: { ...adminStore, commit } }
    for (const raised of [subject, third.actor.subject]) {
      const result = await setRole.call(ports, { subject: raised, role: 'owner' }, leaving)
      assert.ok(result.kind === 'denied' || result.kind === 'not_found', result.kind)
    }
    assert.equal(await roleOf(subject), null)
    assert.equal(await roleOf(third.actor.subject), 'auditor')
  })
  test('AD-03 a client manager cannot become an owner by a change of roles', async () => {
    const caller = await opened.caller('client_manager')
    const { subject } = caller.actor
    assert.equal((await setRole.call(opened.ports, { subject, role: 'owner' }, caller)).kind, 'denied')
    assert.equal(await roleOf(subject), 'client_manager')
  })
})

describe('AD-04 a fresh sign-in', () => {
  const sensitive: readonly [UseCase, object][] = [
    [inviteAdministrator, { role: 'auditor' }],
    [setRole, { subject: 'x', role: 'auditor' }],
    [addClient, { client_id: 'x', role: 'auditor' }],
    [removeAdministrator, { subject: 'x' }],
  ]
  for (const [useCase, input] of sensitive) {
    test(`${useCase.name} requires a fresh sign-in`, async () => {
      const { actor, context } = await opened.caller('owner')
      const authenticatedAt = new Date(opened.ports.clock.now().getTime() - limits.freshSignInSeconds * 1000)
      const stale = { actor: { ...actor, authenticatedAt }, context }
      assert.equal((await useCase.call(opened.ports, input, stale)).kind, 'fresh_sign_in_required')
    })
  }
})

describe('an invitation', () => {
  test('an invitation is found by its link until it expires, and reading does not consume it', async () => {
    const { token } = await invited()
    assert.equal((await findInvitation(opened.ports, token))?.role, 'auditor')
    assert.equal((await findInvitation(opened.ports, token))?.role, 'auditor')
    opened.advance(limits.invitationSeconds)
    assert.equal(await findInvitation(opened.ports, token), null)
  })
  test('an invitation is listed by an ID that is not its token, and can be revoked', async () => {
    const { token, id, caller } = await invited()
    const listed = await listAdministrators.call(opened.ports, {}, caller)
    assert.ok(listed.kind === 'ok')
    const [row] = listed.value.invitations.filter(invitation => invitation.id === id)
    assert.equal(row?.role, 'auditor')
    assert.ok(!JSON.stringify(listed).includes(token))
    assert.equal((await withdrawInvitation.call(opened.ports, { id }, caller)).kind, 'ok')
    assert.equal(await findInvitation(opened.ports, token), null)
    assert.equal((await withdrawInvitation.call(opened.ports, { id }, caller)).kind, 'not_found')
  })
  test('LG-03 the token of an invitation is in no audit row and in no event', async () => {
    const { token } = await invited()
    const rows = await opened.ports.adminStore.audit.list({}, null, 200)
    assert.ok(!JSON.stringify([rows, opened.events]).includes(token.slice(4, 24)))
  })
  for (const how of ['set_role', 'remove'] as const) {
    test(`AD-03 an invitation is invalid when its creator may no longer invite (${how})`, async () => {
      const { token, caller } = await invited('owner')
      const other = await opened.caller('owner')
      const { subject } = caller.actor
      const result =
        how === 'remove'
          ? await removeAdministrator.call(opened.ports, { subject }, other)
          : await setRole.call(opened.ports, { subject, role: 'auditor' }, other)
      assert.equal(result.kind, 'ok')
      assert.equal(await findInvitation(opened.ports, token), null)
    })
  }
})

describe('a role', () => {
  test('changing and removing a role are in the audit log, before and after', async () => {
    const owner = await opened.caller('owner')
    const { subject } = await opened.actor('auditor')
    assert.equal((await setRole.call(opened.ports, { subject, role: 'user_support' }, owner)).kind, 'ok')
    assert.equal(await roleOf(subject), 'user_support')
    assert.equal((await removeAdministrator.call(opened.ports, { subject }, owner)).kind, 'ok')
    assert.equal(await roleOf(subject), null)
    const rows = await opened.ports.adminStore.audit.list({ targetId: subject }, null, 2)
    assert.deepEqual(
      rows.map(({ before, after }) => [before, after]),
      [
        [{ role: 'user_support' }, null],
        [{ role: 'auditor' }, { role: 'user_support' }],
      ],
    )
  })
  test('the role of a user who is not an administrator cannot be changed or removed', async () => {
    const owner = await opened.caller('owner')
    const { subject } = await opened.addUser('no-role')
    assert.equal((await setRole.call(opened.ports, { subject, role: 'owner' }, owner)).kind, 'not_found')
    assert.equal((await removeAdministrator.call(opened.ports, { subject }, owner)).kind, 'not_found')
  })
  test('a role is given only to an existing client, and only once', async () => {
    const owner = await opened.caller('owner')
    await opened.addClient({ client_id: 'pipeline', ...testMachine }, 'its secret')
    const add = (clientId: string) =>
      addClient.call(opened.ports, { client_id: clientId, role: 'client_manager' }, owner)
    assert.equal((await add('unknown')).kind, 'invalid')
    assert.equal((await add('pipeline')).kind, 'ok')
    assert.equal((await add('pipeline')).kind, 'invalid')
    const listed = await listAdministrators.call(opened.ports, {}, owner)
    assert.ok(listed.kind === 'ok')
    const row = listed.value.administrators.find(({ subject }) => subject === 'pipeline')
    assert.deepEqual([row?.kind, row?.role], ['client', 'client_manager'])
  })
})

describe('AD-06 the last owner', () => {
  const onlyOwner = async () => {
    const own = await openAdminTestPorts()
    const caller = await own.caller('owner')
    return { own, caller, subject: caller.actor.subject }
  }
  test('the last user who is an owner keeps the role, also if a client is an owner', async () => {
    const { own, caller, subject } = await onlyOwner()
    await own.addClient({ client_id: 'pipeline', ...testMachine }, 'its secret')
    const added = await addClient.call(own.ports, { client_id: 'pipeline', role: 'owner' }, caller)
    assert.equal(added.kind, 'ok')
    assert.equal((await removeAdministrator.call(own.ports, { subject }, caller)).kind, 'denied')
    assert.equal((await setRole.call(own.ports, { subject, role: 'auditor' }, caller)).kind, 'denied')
    await own.close()
  })
  test('AD-06 when two owners remove each other concurrently, one remains', async () => {
    const { own, caller, subject } = await onlyOwner()
    const other = await own.caller('owner')
    const results = await Promise.all([
      removeAdministrator.call(own.ports, { subject }, other),
      removeAdministrator.call(own.ports, { subject: other.actor.subject }, caller),
    ])
    assert.deepEqual(results.map(({ kind }) => kind).toSorted(), ['denied', 'ok'])
    assert.equal((await own.ports.administrators.all()).length, 1)
    await own.close()
  })
})

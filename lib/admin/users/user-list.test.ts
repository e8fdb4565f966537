import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { type AdminTestPorts, callUntyped, openAdminTestPorts } from '../testing/admin-ports.ts'
import { exportUsers, listUsers, readUser } from './read-users.ts'
import { createUser, setSeveralEnabled } from './write-users.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
})
after(() => opened.close())

describe('the list of users', () => {
  const named = async (username: string, claims = {}) => {
    const created = await createUser.call(opened.ports, { username, claims }, await opened.caller('owner'))
    assert.ok(created.kind === 'ok')
    return created.value.sub
  }
  const setSeveral = async (sub: readonly string[], enabled: boolean, role: AdminRole = 'owner') =>
    callUntyped(setSeveralEnabled, opened.ports, { sub, enabled }, await opened.caller(role))
  const enabledOf = async (sub: string) => {
    const read = await readUser.call(opened.ports, { sub }, await opened.caller('auditor'))
    assert.ok(read.kind === 'ok')
    return read.value.enabled
  }

  test('locks and unlocks several users together, with an audit row for each', async () => {
    const subs = [await named('several-one'), await named('several-two')]
    const result = await setSeveral(subs, false)
    assert.deepEqual(result, { kind: 'ok', value: { changed: subs } })
    assert.deepEqual(await Promise.all(subs.map(enabledOf)), [false, false])
    const rows = await opened.ports.adminStore.audit.list({ action: setSeveralEnabled.name }, null, 10)
    assert.deepEqual(rows.map(({ targetId }) => targetId).toSorted(), subs.toSorted())
    assert.deepEqual(await setSeveral(subs, true), { kind: 'ok', value: { changed: subs } })
    assert.deepEqual(await setSeveral(subs, true), { kind: 'ok', value: { changed: [] } })
  })

  test('AD-03 changes no user when one of them is an administrator that this admin may not change', async () => {
    const [plain, { actor }] = [await named('several-plain'), await opened.caller('client_manager')]
    assert.equal((await setSeveral([plain, actor.subject], false, 'user_support')).kind, 'denied')
    assert.equal(await enabledOf(plain), true)
  })

  test('locks no list that contains the account of the admin', async () => {
    const owner = await opened.caller('owner')
    const plain = await named('several-other')
    const input = { sub: [plain, owner.actor.subject], enabled: false }
    assert.equal((await callUntyped(setSeveralEnabled, opened.ports, input, owner)).kind, 'denied')
    assert.equal(await enabledOf(plain), true)
  })

  test('refuses an empty selection with a sentence', async () => {
    const result = await setSeveral([], true)
    assert.deepEqual(result, {
      kind: 'invalid',
      errors: [{ path: 'sub', message: 'Select at least one user.' }],
    })
  })

  test('AD-07 is sorted by the last sign-in; an unknown order is refused', async () => {
    const [early, late] = [await named('sorted-early'), await named('sorted-late')]
    const at = (minutes: number) => new Date(opened.ports.clock.now().getTime() + minutes * 60_000)
    opened.ports.usage.user(subjectIdSchema.parse(early), at(1))
    opened.ports.usage.user(subjectIdSchema.parse(late), at(2))
    await opened.ports.usage.flush()
    const auditor = await opened.caller('auditor')
    const listed = await listUsers.call(opened.ports, { sort: '-last_sign_in', limit: 2 }, auditor)
    assert.ok(listed.kind === 'ok')
    assert.deepEqual(
      listed.value.items.map(({ sub, last_sign_in_at: time }) => [sub, time]),
      [
        [late, at(2).toISOString()],
        [early, at(1).toISOString()],
      ],
    )
    assert.equal((await listUsers.call(opened.ports, { sort: 'password' }, auditor)).kind, 'invalid')
  })

  test('AD-08 is exported as CSV without formulas, after a fresh sign-in, by auditors and owners', async () => {
    await named('csv-user', { name: '=HYPERLINK("https://evil.example")' })
    const auditor = await opened.caller('auditor')
    const exported = await exportUsers.call(opened.ports, { q: 'csv-user' }, auditor)
    assert.ok(exported.kind === 'ok')
    const [head, row] = exported.value.csv.split('\r\n')
    assert.equal(head, 'subject,username,name,email,status,created,last_sign_in')
    assert.match(row ?? '', /,csv-user,"'=HYPERLINK\(""https:\/\/evil\.example""\)",,enabled,/)
    const stale = { ...auditor, actor: { ...auditor.actor, authenticatedAt: new Date(0) } }
    assert.equal((await exportUsers.call(opened.ports, {}, stale)).kind, 'fresh_sign_in_required')
    assert.equal(
      (await exportUsers.call(opened.ports, {}, await opened.caller('user_support'))).kind,
      'denied',
    )
  })
})

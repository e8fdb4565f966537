/** Tests the section `policies`: applying a file, the notice in the dashboard, and the round trip of an export. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultPolicies, policiesId } from '#lib/protocol/registration/policies.ts'
import { updatePolicies } from '../policies/policies.ts'
import { openAdminTestPorts } from '../testing/admin-ports.ts'
import { installation } from '../testing/installation.ts'
import { applyDocument, compareConfiguration } from './apply-document.ts'
import { exportConfiguration } from './export-configuration.ts'
import { managedBy } from './managed-names.ts'

const open = { registration: 'open' as const, second_factor_required_for: ['role=staff'] }

test('a file with policies sets all of them at each start, and the dashboard says so', async () => {
  const { apply, storage } = await installation()
  await apply({ policies: open })
  const set = { ...defaultPolicies, ...open }
  assert.deepEqual(await storage.policies.current(), set)
  assert.equal(await managedBy(storage.meta, 'policies', policiesId), 'file')
  assert.deepEqual(await apply({ policies: open }), { written: 0, removed: 0 })
  await apply({ policies: { registration: 'invited' } })
  assert.deepEqual(await storage.policies.current(), { ...defaultPolicies, registration: 'invited' })
})

test('a file without policies keeps the stored ones, also if an earlier file had them', async () => {
  const { apply, storage } = await installation()
  await apply({ policies: open })
  await apply({})
  assert.equal((await storage.policies.current()).registration, 'open')
  assert.equal(await managedBy(storage.meta, 'policies', policiesId), null)
})

test('policies that were exported change nothing when they are applied, and a changed one is planned and audited', async t => {
  const opened = await openAdminTestPorts()
  t.after(() => opened.close())
  const { ports } = opened
  const owner = await opened.caller('owner')
  const saved = await updatePolicies.call(
    ports,
    { ...defaultPolicies, registration: 'open', version: 0 },
    owner,
  )
  assert.equal(saved.kind, 'ok', JSON.stringify(saved))
  const exported = await exportConfiguration.call(ports, {}, owner)
  assert.ok(exported.kind === 'ok')
  const { policies } = exported.value
  assert.deepEqual(policies, { ...defaultPolicies, registration: 'open' })
  const plan = async (document: Parameters<typeof compareConfiguration.call>[1]['document']) => {
    const compared = await compareConfiguration.call(ports, { document }, owner)
    assert.ok(compared.kind === 'ok', JSON.stringify(compared))
    return compared.value.plan
  }
  assert.deepEqual((await plan(exported.value)).changes, [])
  const document = { policies: { registration: 'invited' } }
  const changed = await plan(document)
  assert.deepEqual(
    changed.changes.map(({ kind, id, change }) => [kind, id, change]),
    [['policies', policiesId, 'changed']],
  )
  const applied = await applyDocument.call(ports, { document, digest: changed.digest }, owner)
  assert.equal(applied.kind, 'ok', JSON.stringify(applied))
  assert.equal((await ports.policies.current()).registration, 'invited')
  const [row] = await ports.adminStore.audit.list({ targetKind: 'policies' }, null, 1)
  assert.equal(row?.action, 'configuration.apply_document')
})

const namedByAddress = { policies: { email_as_username: true } }
const refusal = /policies\.email_as_username: cannot be turned on while an address names several users/

test('a file makes addresses the user names only if no address names several users', async () => {
  const { apply, storage } = await installation()
  const claims = { email: 'shared@example.org', email_verified: true }
  const user = (username: string) => ({
    sub: username,
    username,
    password: 'a quiet harbor at night',
    claims,
  })
  const users = [user('first'), user('second')]
  await apply({ users })
  await assert.rejects(apply({ users, ...namedByAddress }), refusal)
  assert.equal((await storage.policies.current()).email_as_username, false)
  const changed = [user('first'), { ...user('second'), claims: {} }]
  await apply({ users: changed })
  await apply({ users: changed, ...namedByAddress })
  assert.equal((await storage.policies.current()).email_as_username, true)
  // A policy that is in force never stops a start
  await apply({ users, ...namedByAddress })
  await apply({ users, ...namedByAddress })
})

test('a document makes addresses the user names only if no address names several users', async t => {
  const opened = await openAdminTestPorts()
  t.after(() => opened.close())
  const owner = await opened.caller('owner')
  const claims = { email: 'shared@example.org', email_verified: true }
  for (const name of ['one', 'another']) await opened.addUser(name, { claims })
  for (const refused of [
    await compareConfiguration.call(opened.ports, { document: namedByAddress }, owner),
    await applyDocument.call(opened.ports, { document: namedByAddress, digest: '' }, owner),
  ]) {
    assert.ok(refused.kind === 'invalid', refused.kind)
    assert.match(refused.errors[0]?.message ?? '', refusal)
  }
  assert.equal((await opened.ports.policies.current()).email_as_username, false)
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient } from '../clients/write-clients.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { Caller } from '../use-case.ts'
import { createUser } from '../users/write-users.ts'
import { applyDocument, compareConfiguration } from './apply-document.ts'
import { compareDocuments } from './compare-documents.ts'
import { exportConfiguration } from './export-configuration.ts'
import { reviewStoredConfiguration } from './review-configuration.ts'

let opened: AdminTestPorts
let owner: Caller
before(async () => {
  opened = await openAdminTestPorts()
  owner = await opened.caller('owner')
  const redirectUris = ['https://a.example/cb']
  const client = {
    kind: 'web' as const,
    metadata: { client_name: 'Kept', client_id: 'kept', redirect_uris: redirectUris },
  }
  const api = {
    kind: 'machine' as const,
    metadata: { client_id: 'ci', client_name: 'Scripts', scope: 'latchkey.admin' },
  }
  assert.equal((await createClient.call(opened.ports, client, owner)).kind, 'ok')
  assert.equal((await createClient.call(opened.ports, api, owner)).kind, 'ok')
  assert.equal((await createUser.call(opened.ports, { username: 'Kim', claims: {} }, owner)).kind, 'ok')
})
after(() => opened.close())

async function exported() {
  const result = await exportConfiguration.call(opened.ports, { users: true }, owner)
  assert.ok(result.kind === 'ok', JSON.stringify(result))
  return result.value
}

async function planned(document: Parameters<typeof compareConfiguration.call>[1]['document']) {
  const result = await compareConfiguration.call(opened.ports, { document }, owner)
  assert.ok(result.kind === 'ok', JSON.stringify(result))
  return result.value.plan
}

test('AD-05 an export contains neither secrets nor passwords', async () => {
  const text = JSON.stringify(await exported())
  assert.match(text, /"kept"/)
  assert.ok(!/sha256:|argon2|passwordHash|client_secret"/.test(text), text)
})

test('what was exported changes nothing when it is applied again', async () => {
  const plan = await planned(await exported())
  assert.deepEqual(plan.changes, [])
})

test('a document is applied exactly as the comparison showed it, and keeps stored secrets', async () => {
  const document = {
    clients: [{ client_id: 'kept', client_name: 'Renamed', redirect_uris: ['https://a.example/cb'] }],
  }
  const plan = await planned(document)
  assert.deepEqual(
    plan.changes.map(({ kind, id, change }) => [kind, id, change]),
    [['client', 'kept', 'changed']],
  )
  const applied = await applyDocument.call(opened.ports, { document, digest: plan.digest }, owner)
  assert.equal(applied.kind, 'ok', JSON.stringify(applied))
  const [client] = (await opened.ports.configuration.read()).clients
  assert.equal(client?.secrets.length, 1)
})

test('a comparison that is out of date applies nothing', async () => {
  const document = { clients: [{ client_id: 'new-one', grant_types: ['client_credentials'] }] }
  const { digest } = await planned(document)
  assert.equal((await applyDocument.call(opened.ports, { document, digest }, owner)).kind, 'ok')
  const again = { clients: [{ client_id: 'new-one', client_name: 'x', grant_types: ['client_credentials'] }] }
  assert.equal((await applyDocument.call(opened.ports, { document: again, digest }, owner)).kind, 'conflict')
})

test('every problem of a document is reported with its path', async () => {
  const texts = ['{ "clients": [ }', '{"clients":[{"client_id":"a","redirect_uri":"x"}]}', '[]']
  for (const document of texts) {
    const result = await compareConfiguration.call(opened.ports, { document }, owner)
    assert.equal(result.kind, 'invalid', document)
    assert.ok(result.kind === 'invalid' && result.errors.every(({ path }) => path === 'document'))
  }
})

test('AD-03 a comparison does not reveal whether a password is right', async () => {
  const known = 'a harbour in the fog'
  await opened.addUser('Robin', { password: known })
  const auditor = await opened.caller('auditor')
  const seen = async (password: string) => {
    const document = { users: [{ username: 'Robin', sub: 'Robin', claims: { name: 'Robin' }, password }] }
    const result = await compareConfiguration.call(opened.ports, { document }, auditor)
    assert.ok(result.kind === 'ok', JSON.stringify(result))
    return result.value.plan
  }
  assert.deepEqual(await seen(known), await seen('a harbour in the dark'))
})

test('AD-05 a provider whose issuer a document changes loses its stored secret', async () => {
  const { scheme } = await opened.addProvider('partner', { clientSecret: 'sealed for the old issuer' })
  const document = {
    identity_providers: [{ scheme, issuer: 'https://elsewhere.example', client_id: 'latchkey', domains: [] }],
  }
  const { digest, changes } = await planned(document)
  assert.match(changes[0]?.note ?? '', /stored secret cannot be used/)
  assert.equal((await applyDocument.call(opened.ports, { document, digest }, owner)).kind, 'ok')
  const stored = (await opened.ports.adminLists.providers()).find(provider => provider.scheme === scheme)
  assert.deepEqual([stored?.issuer, stored?.clientSecret], ['https://elsewhere.example', null])
})

test('AU-02 every refused password of a document is reported with its path', async () => {
  const users = ['password', 'many boats at anchor', 'password1'].map((password, index) => ({
    username: `Refused ${index}`,
    password,
  }))
  const result = await compareConfiguration.call(opened.ports, { document: { users } }, owner)
  assert.ok(result.kind === 'invalid', JSON.stringify(result))
  assert.deepEqual(
    result.errors.map(({ message }) => message.split(':')[0]),
    ['users[0].password', 'users[2].password'],
  )
})

test('LG-01 the audit row notes that a document set a password, without the password', async () => {
  const document = { users: [{ username: 'Sam', password: 'many boats at anchor' }] }
  const { digest, changes } = await planned(document)
  assert.deepEqual(
    changes.map(({ kind, change }) => [kind, change]),
    [['user', 'added']],
  )
  const applied = await applyDocument.call(opened.ports, { document, digest }, owner)
  assert.equal(applied.kind, 'ok', JSON.stringify(applied))
  const [row] = await opened.ports.adminStore.audit.list({ targetKind: 'user' }, null, 1)
  const text = JSON.stringify(row)
  assert.match(text, /"password":"set"/)
  assert.doesNotMatch(text, /boats|argon2/)
  const sam = await opened.ports.users.findByUsername('Sam')
  assert.ok(await opened.ports.passwords.verify('many boats at anchor', sam?.passwordHash ?? null))
})

test('AD-01 only owners can apply a configuration', async () => {
  const auditor = await opened.caller('auditor')
  const result = await applyDocument.call(opened.ports, { document: {}, digest: '' }, auditor)
  assert.equal(result.kind, 'denied')
})

test('documents differ by their fields, whatever the order of keys', () => {
  assert.deepEqual(compareDocuments({ a: 1, b: { x: 1, y: 2 } }, { b: { y: 2, x: 1 }, a: 1 }), [])
  assert.deepEqual(compareDocuments({ a: 1 }, { b: 2 }), [
    { field: 'b', before: undefined, after: 2 },
    { field: 'a', before: 1, after: undefined },
  ])
})

test('the review of the stored configuration and that of a document name their clients', async () => {
  const stored = await reviewStoredConfiguration.call(opened.ports, {}, owner)
  assert.ok(stored.kind === 'ok')
  assert.deepEqual(
    stored.value.findings.map(({ rule, id }) => [rule, id]),
    [['administration', 'ci']],
  )
  const document = {
    clients: [{ client_id: 'kept', redirect_uris: ['https://a.example/cb'], pkce: 'optional' }],
    accepted_findings: [{ rule: 'optional_pkce', id: 'kept', reason: 'An old app.' }],
  }
  assert.deepEqual((await planned(document)).findings, [])
  const { findings } = await planned({ clients: document.clients })
  assert.deepEqual(
    findings.map(({ rule, id }) => [rule, id]),
    [['optional_pkce', 'kept']],
  )
})

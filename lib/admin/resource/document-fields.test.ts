import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientMetadataSchema } from '#lib/protocol/registration/client.ts'
import { clientMetadataFields } from '#lib/protocol/registration/client-fields.ts'
import { scopeMetadataFields, scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import { clientForm, readClient } from '../clients/client-resource.ts'
import { createClient, updateClient } from '../clients/write-clients.ts'
import { readScope } from '../scopes/read-scopes.ts'
import { scopeForm } from '../scopes/scope-form.ts'
import { createScope, updateScope } from '../scopes/write-scopes.ts'
import { type AdminTestPorts, callUntyped, openAdminTestPorts } from '../testing/admin-ports.ts'
import { untouchedFields } from '../testing/untouched-form.ts'
import type { Caller } from '../use-case.ts'

let opened: AdminTestPorts
let caller: Caller

before(async () => {
  opened = await openAdminTestPorts()
  caller = await opened.caller('owner')
})
after(() => opened.close())

async function machine(id: string, more: object) {
  const created = await callUntyped(
    createClient,
    opened.ports,
    { kind: 'machine', metadata: { client_name: id, client_id: id } },
    caller,
  )
  assert.equal(created.kind, 'ok', JSON.stringify(created))
  const metadata = { client_id: id, client_name: id, grant_types: ['client_credentials'], ...more }
  const input = { client_id: id, version: 1, metadata }
  assert.equal((await callUntyped(updateClient, opened.ports, input, caller)).kind, 'ok')
}

async function documentOf(id: string) {
  const result = await readClient.call(opened.ports, { client_id: id }, caller)
  assert.ok(result.kind === 'ok')
  return result.value.metadata
}

test('saving a client form keeps every field that the form does not have', async () => {
  const kept = { contacts: ['a@example.com'], claims: { tier: 'gold' }, access_token_lifetime: 120 }
  await machine('partly-shown', kept)
  const form = { client_id: ['partly-shown'], version: ['2'], client_name: ['Renamed'], policy_uri: [''] }
  const result = await callUntyped(updateClient, opened.ports, updateClient.fromForm(form), caller)
  assert.equal(result.kind, 'ok', JSON.stringify(result))
  assert.deepEqual(await documentOf('partly-shown'), {
    client_id: 'partly-shown',
    client_name: 'Renamed',
    grant_types: ['client_credentials'],
    ...kept,
  })
})

/** The fields that the page of a client posts if nothing was changed. */
async function untouchedClient(id: string) {
  return untouchedFields(clientForm, clientMetadataSchema.parse(await documentOf(id)))
}

test('saving a client form without a change adds none of the defaults that the form shows', async () => {
  await machine('untouched', { access_token_lifetime: 120, scope: 'api' })
  const before = await documentOf('untouched')
  const form = { client_id: ['untouched'], version: ['2'], ...(await untouchedClient('untouched')) }
  const result = await callUntyped(updateClient, opened.ports, updateClient.fromForm(form), caller)
  assert.equal(result.kind, 'ok', JSON.stringify(result))
  assert.deepEqual(await documentOf('untouched'), before)
})

test('saving a client form adds the one field that was changed, also back to its default', async () => {
  await machine('touched', {})
  const before = await documentOf('touched')
  for (const [version, id_token_lifetime] of [
    ['2', '600'],
    ['3', '300'],
  ] as const) {
    const posted = { ...(await untouchedClient('touched')), id_token_lifetime: [id_token_lifetime] }
    const form = { client_id: ['touched'], version: [version], ...posted }
    const result = await callUntyped(updateClient, opened.ports, updateClient.fromForm(form), caller)
    assert.equal(result.kind, 'ok', JSON.stringify(result))
    const expected = { ...before, id_token_lifetime: Number(id_token_lifetime) }
    assert.deepEqual(await documentOf('touched'), expected)
  }
})

test('saving a scope form without a change adds none of the defaults that the form shows', async () => {
  const metadata = { name: 'untouched.scope', kind: 'resource', display_name: 'Untouched' }
  assert.equal((await callUntyped(createScope, opened.ports, { metadata }, caller)).kind, 'ok')
  const stored = async () => {
    const result = await readScope.call(opened.ports, { name: metadata.name }, caller)
    assert.ok(result.kind === 'ok')
    return result.value.metadata
  }
  const before = await stored()
  const untouched = untouchedFields(scopeForm, scopeMetadataSchema.parse(before))
  const form = { name: [metadata.name], kind: ['resource'], version: ['1'], ...untouched }
  const result = await callUntyped(updateScope, opened.ports, updateScope.fromForm(form), caller)
  assert.equal(result.kind, 'ok', JSON.stringify(result))
  assert.deepEqual(await stored(), before)
})

test('a field that a client form sends empty gets its default', async () => {
  await machine('emptied', { contacts: ['a@example.com'] })
  const form = { client_id: ['emptied'], version: ['2'], contacts: [''] }
  const result = await callUntyped(updateClient, opened.ports, updateClient.fromForm(form), caller)
  assert.equal(result.kind, 'ok', JSON.stringify(result))
  assert.ok(!('contacts' in (await documentOf('emptied'))))
})

test('without a list of fields the document is replaced as a whole', async () => {
  await machine('replaced', { contacts: ['a@example.com'] })
  const metadata = { client_id: 'replaced', grant_types: ['client_credentials'] }
  const input = { client_id: 'replaced', version: 2, metadata }
  assert.equal((await callUntyped(updateClient, opened.ports, input, caller)).kind, 'ok')
  assert.deepEqual(await documentOf('replaced'), metadata)
})

test('every field of a scope except its name and kind is under a heading of the form', () => {
  const shown = scopeForm.groups.flatMap(({ settings }) => settings.map(({ field }) => field))
  const all = Object.keys(scopeMetadataFields).filter(field => !['name', 'kind'].includes(field))
  assert.deepEqual(shown, all)
})

test('every field of a client except its id and state is on the form', () => {
  const shown = clientForm.groups.flatMap(({ settings }) => settings.map(({ field }) => field))
  const all = Object.keys(clientMetadataFields).filter(field => !['client_id', 'enabled'].includes(field))
  assert.deepEqual(shown.toSorted(), all.toSorted())
})

test('saving a scope form keeps every field that the form does not have', async () => {
  const metadata = { name: 'orders', audience: 'https://orders.example', claims: ['role'], required: true }
  assert.equal((await callUntyped(createScope, opened.ports, { metadata }, caller)).kind, 'ok')
  const form = { name: ['orders'], version: ['1'], display_name: ['See orders'], required: ['false'] }
  const result = await callUntyped(updateScope, opened.ports, updateScope.fromForm(form), caller)
  assert.equal(result.kind, 'ok', JSON.stringify(result))
  const read = await readScope.call(opened.ports, { name: 'orders' }, caller)
  assert.ok(read.kind === 'ok')
  assert.deepEqual(read.value.metadata, { ...metadata, required: false, display_name: 'See orders' })
})

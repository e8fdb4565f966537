import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { openClientManager, uri } from '../testing/client-manager.ts'
import { referenceErrors } from './client-resource.ts'
import { listClients } from './read-clients.ts'
import {
  addRedirectUri,
  allowScope,
  createClient,
  deleteClient,
  restoreClient,
  updateClient,
} from './write-clients.ts'

const { opened, caller, created, read } = await openClientManager()

test('AD-02 unknown fields are refused, and the client ID in the address takes precedence', async () => {
  const { client_id: id } = await created('Strict')
  const { version, metadata } = await read(id)
  const more = { ...metadata, is_admin: true, role: 'owner' }
  const refused = await updateClient.call(opened.ports, { client_id: id, version, metadata: more }, caller)
  assert.equal(refused.kind, 'invalid')
  const renamed = { ...metadata, client_id: 'another-id' }
  const kept = await updateClient.call(opened.ports, { client_id: id, version, metadata: renamed }, caller)
  assert.ok(kept.kind === 'ok')
  assert.equal(kept.value.metadata.client_id, id)
})

test('a change based on an outdated version is refused with the current state, and nothing is overwritten', async () => {
  const { client_id: id } = await created('Contended')
  const { version, metadata } = await read(id)
  const first = { ...metadata, client_name: 'First was here' }
  assert.equal(
    (await updateClient.call(opened.ports, { client_id: id, version, metadata: first }, caller)).kind,
    'ok',
  )
  const second = { ...metadata, client_name: 'Second was late' }
  const result = await updateClient.call(opened.ports, { client_id: id, version, metadata: second }, caller)
  assert.ok(result.kind === 'conflict')
  assert.match(JSON.stringify(result.current), /First was here/)
  assert.equal((await read(id)).metadata.client_name, 'First was here')
})

test('every wrong field is named, with its place in the list', async () => {
  const { client_id: id } = await created('Wrong')
  const { version, metadata } = await read(id)
  const wrong = { ...metadata, redirect_uris: [uri, 'http://app.example/'], access_token_lifetime: 'soon' }
  const result = await updateClient.call(opened.ports, { client_id: id, version, metadata: wrong }, caller)
  assert.ok(result.kind === 'invalid')
  const paths = result.errors.map(({ path }) => path)
  assert.ok(paths.includes('metadata.access_token_lifetime'), String(paths))
})

test('a redirect URI that is added is seen by the next request', async () => {
  const { client_id: id } = await created('Fixed')
  const clientId = clientIdSchema.parse(id)
  const twin = `${uri}/`
  assert.ok(!(await opened.ports.clients.find(clientId))?.client.redirectUris.includes(twin))
  await addRedirectUri.call(opened.ports, { client_id: id, redirect_uri: twin }, caller)
  assert.deepEqual((await opened.ports.clients.find(clientId))?.client.redirectUris, [uri, twin])
})

test('a redirect URI that cannot be registered cannot be added with a button either', async () => {
  const { client_id: id } = await created('Guarded')
  for (const bad of ['javascript:alert(1)', 'http://app.example/', 'https://app.example/#x']) {
    const result = await addRedirectUri.call(opened.ports, { client_id: id, redirect_uri: bad }, caller)
    assert.equal(result.kind, 'invalid', bad)
  }
})

test('AD-03 only owners open the administration to a client', async () => {
  const { client_id: id } = await created('Ambitious')
  const input = { client_id: id, scope: 'latchkey.admin' }
  assert.equal((await allowScope.call(opened.ports, input, caller)).kind, 'denied')
  assert.equal((await allowScope.call(opened.ports, input, await opened.caller('owner'))).kind, 'ok')
})

test('a client name that imitates the name of this site is refused', async () => {
  const input = { kind: 'web' as const, metadata: { client_name: 'Harb0ur', redirect_uris: [uri] } }
  const result = await createClient.call(opened.ports, input, caller)
  assert.equal(result.kind, 'invalid')
})

test('a deleted client can be restored from its history, without its secrets', async () => {
  const { client_id: id } = await created('Gone')
  const { version } = await read(id)
  const gone = await deleteClient.call(opened.ports, { client_id: id, version }, caller)
  assert.equal(gone.kind, 'ok')
  assert.equal(await opened.ports.clients.find(clientIdSchema.parse(id)), null)
})

test('restoring an earlier version is a separate change', async () => {
  const { client_id: id } = await created('Before')
  const { version, metadata } = await read(id)
  const changed = { ...metadata, client_name: 'After' }
  await updateClient.call(opened.ports, { client_id: id, version, metadata: changed }, caller)
  const rows = await opened.ports.adminStore.audit.list({ targetKind: 'client', targetId: id }, null, 9)
  const first = rows.at(-1)
  assert.ok(first)
  const now = await read(id)
  const result = await restoreClient.call(
    opened.ports,
    { client_id: id, version: now.version, seq: first.seq },
    caller,
  )
  assert.ok(result.kind === 'ok', JSON.stringify(result))
  assert.equal(result.value.metadata.client_name, 'Before')
})

test('AD-07 lists are paged without repetitions, and a foreign page token starts at the beginning', async () => {
  for (let index = 0; index < 5; index += 1) await created(`Paged ${index}`)
  const seen: string[] = []
  let after: string | undefined
  do {
    const page = await listClients.call(opened.ports, { q: 'paged', limit: 2, after }, caller)
    assert.ok(page.kind === 'ok')
    seen.push(...page.value.items.map(({ name }) => name))
    after = page.value.next ?? undefined
  } while (after !== undefined)
  assert.equal(seen.length, 5)
  assert.equal(new Set(seen).size, 5)
  const forged = await listClients.call(opened.ports, { q: 'paged', limit: 2, after: 'sealed1.x.y' }, caller)
  assert.ok(forged.kind === 'ok')
  assert.equal(forged.value.items.length, 2)
})

test('an unknown scope is refused by name, also in a change; a deleted one can be kept', async () => {
  const sentence = '"profil" is not a known scope; did you mean "profile"?'
  const input = {
    kind: 'web' as const,
    metadata: { client_name: 'Mistyped', redirect_uris: [uri], scope: 'openid profil' },
  }
  const refused = await createClient.call(opened.ports, input, caller)
  assert.ok(refused.kind === 'invalid')
  assert.deepEqual(
    refused.errors.map(({ message }) => message.replace(/\.$/, '')),
    [sentence],
  )
  const { client_id: id } = await created('Typed well')
  const { version, metadata } = await read(id)
  const update = (scope: string, seen: number) =>
    updateClient.call(
      opened.ports,
      { client_id: id, version: seen, metadata: { ...metadata, scope } },
      caller,
    )
  assert.equal((await update('openid profil', version)).kind, 'invalid')
  assert.equal((await read(id)).version, version)
  assert.equal((await update('openid email', version)).kind, 'ok')
  const names = await referenceErrors(opened.ports, { scope: 'openid gone email' }, { scope: 'openid gone' })
  assert.deepEqual(names, [])
})

test('an unknown grant type is refused, unless the client already has it', async () => {
  const { client_id: id } = await created('Two grants')
  const update = async (ports: typeof opened.ports, ...grants: readonly string[]) => {
    const { version, metadata } = await read(id)
    const wanted = { ...metadata, grant_types: ['authorization_code', ...grants] }
    return updateClient.call(ports, { client_id: id, version, metadata: wanted }, caller)
  }
  const grant = 'urn:example:device-pin'
  const refused = await update(opened.ports, grant)
  assert.ok(refused.kind === 'invalid')
  assert.deepEqual(
    refused.errors.map(({ path }) => path),
    ['metadata.grant_types.1'],
  )
  const validate = async () => ({ kind: 'refused', description: null }) as const
  const extended = { ...opened.ports, customGrants: [{ grantType: grant, validate }] }
  assert.equal((await update(extended, grant)).kind, 'ok')
  assert.equal((await update(opened.ports, grant, 'refresh_token')).kind, 'ok')
})

test('problems of the input, the rules and the references are reported together', async () => {
  const mistaken = {
    client_name: '',
    client_id: 'café',
    redirect_uris: ['http://a.example/cb', uri],
    scope: 'openid profil',
  }
  const refused = await createClient.call(opened.ports, { kind: 'web', metadata: mistaken }, caller)
  assert.ok(refused.kind === 'invalid')
  assert.deepEqual(refused.errors.map(({ path }) => path).toSorted(), [
    'metadata.client_id',
    'metadata.client_name',
    'metadata.redirect_uris.0',
    'metadata.scope',
  ])

  const { client_id: id } = await created('Wrong in five ways')
  const { version, metadata } = await read(id)
  const wrong = {
    ...metadata,
    client_name: opened.ports.siteName,
    grant_types: ['authorization_code', 'client_credentials'],
    token_endpoint_auth_method: 'none',
    access_token_lifetime: 0,
    redirect_uris: [uri, `${uri}#x`],
    identity_provider_restrictions: ['unknown'],
  }
  const answer = await updateClient.call(opened.ports, { client_id: id, version, metadata: wrong }, caller)
  assert.ok(answer.kind === 'invalid')
  assert.deepEqual(answer.errors.map(({ path }) => path).toSorted(), [
    'metadata.access_token_lifetime',
    'metadata.client_name',
    'metadata.grant_types',
    'metadata.identity_provider_restrictions.0',
    'metadata.redirect_uris.1',
  ])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { clientFromMetadata, clientKinds } from '#lib/protocol/registration/client.ts'
import { callUntyped } from '../testing/admin-ports.ts'
import { openClientManager, uri } from '../testing/client-manager.ts'
import { readClient } from './client-resource.ts'
import { createClient } from './write-clients.ts'

const { opened, caller, created, read } = await openClientManager()

for (const kind of clientKinds) {
  test(`a new ${kind} client has the defaults of its kind`, async () => {
    const input = {
      kind,
      metadata: { client_name: `A ${kind} app`, redirect_uris: kind === 'machine' ? [] : [uri] },
    }
    const result = await createClient.call(opened.ports, input, caller)
    assert.ok(result.kind === 'ok', JSON.stringify(result))
    const client = await read(result.value.client_id)
    assert.equal(client.kind, kind)
    assert.equal(client.secrets.length, result.value.client_secret === null ? 0 : 1)
  })
}

test('a new client keeps the given fields of its document, and has no secret if it is public', async () => {
  const metadata = {
    client_id: 'television',
    client_name: 'Television',
    grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
    token_endpoint_auth_method: 'none',
    access_token_lifetime: 600,
  }
  const validate = async () => ({ kind: 'refused', description: null }) as const
  const [grantType = ''] = metadata.grant_types
  const ports = { ...opened.ports, customGrants: [{ grantType, validate }] }
  const result = await createClient.call(ports, { kind: 'web', metadata }, caller)
  assert.deepEqual(result, { kind: 'ok', value: { client_id: 'television', client_secret: null } })
  assert.deepEqual((await read('television')).metadata, {
    ...metadata,
    scope: 'openid profile email offline_access',
  })
})

test('a new client without a redirect URI or a name is refused at both fields', async () => {
  const refused = await createClient.call(opened.ports, { kind: 'web', metadata: {} }, caller)
  assert.deepEqual(refused, {
    kind: 'invalid',
    errors: [
      { path: 'metadata.client_name', message: 'Is missing.' },
      { path: 'metadata.redirect_uris', message: 'Name at least one.' },
    ],
  })
})

test('AD-04 creating a client, which has a secret, requires a fresh sign-in', async () => {
  const authenticatedAt = new Date(opened.ports.clock.now().getTime() - 300_000)
  const late = { ...caller, actor: { ...caller.actor, authenticatedAt } }
  const input = { kind: 'machine' as const, metadata: { client_name: 'Late', client_id: 'late' } }
  assert.deepEqual(await createClient.call(opened.ports, input, late), { kind: 'fresh_sign_in_required' })
  assert.equal(await opened.ports.adminLists.client(clientIdSchema.parse('late')), null)
})

test('AD-05 returns the first secret once and stores only its digest', async () => {
  const { client_id: id, client_secret: secret } = await created('Once')
  assert.ok(secret)
  const rows = await opened.ports.adminStore.audit.list({ targetKind: 'client', targetId: id }, null, 9)
  const stored = JSON.stringify([await read(id), rows])
  assert.ok(!stored.includes(secret) && !stored.includes('sha256:'), stored)
})

test('a new client may request the scopes that are ticked, none without one, the usual ones if none are asked', async () => {
  for (const [client_id, scope, expected] of [
    ['ticked-two', ['', 'openid', 'email'], 'openid email'],
    ['ticked-none', [''], ''],
    ['not-asked', undefined, 'openid profile email offline_access'],
  ] as const) {
    const form = { kind: ['web'], client_name: ['Ticked'], redirect_uris: ['https://ticked.example/cb'] }
    const posted = { ...form, client_id: [client_id], ...(scope === undefined ? {} : { scope: [...scope] }) }
    const result = await callUntyped(createClient, opened.ports, createClient.fromForm(posted), caller)
    assert.equal(result.kind, 'ok', JSON.stringify(result))
    const read = await readClient.call(opened.ports, { client_id }, caller)
    assert.equal(read.kind === 'ok' && read.value.metadata.scope, expected)
  }
})

test('a client is created with the claims of its scopes in the ID token, if that was chosen', async () => {
  const claimsOf = async (name: string, chosen: string) => {
    const form = { kind: ['web'], client_name: [name], redirect_uris: [uri] }
    const input = createClient.fromForm({ ...form, always_include_user_claims_in_id_token: [chosen] })
    const result = await callUntyped(createClient, opened.ports, input, caller)
    assert.ok(result.kind === 'ok', JSON.stringify(result))
    const { client_id: id } = z.object({ client_id: z.string() }).parse(result.value)
    return clientFromMetadata((await read(id)).metadata).alwaysIncludeUserClaimsInIdToken
  }
  assert.equal(await claimsOf('Reads the ID token', 'true'), true)
  assert.equal(await claimsOf('Calls userinfo', 'false'), false)
})

test('a taken id is reported at its field, together with other problems', async () => {
  const { client_id: id } = await created('First come')
  const again = {
    kind: 'machine' as const,
    metadata: { client_name: 'Second', client_id: id, scope: 'nothing' },
  }
  const refused = await createClient.call(opened.ports, again, caller)
  assert.ok(refused.kind === 'invalid')
  assert.deepEqual(
    refused.errors.map(({ path }) => path),
    ['metadata.client_id', 'metadata.scope'],
  )
})

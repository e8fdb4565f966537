/** Tests that objects are restored from their history: deleted ones, and earlier settings of a provider. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { clientIdSchema, providerSchemeSchema, scopeNameSchema } from '#lib/protocol/ids.ts'
import { createClient, deleteClient, restoreClient, updateClient } from '../clients/write-clients.ts'
import { deleteProvider } from '../providers/provider-clients.ts'
import { storedProvider } from '../providers/provider-resource.ts'
import { createProvider, restoreProvider, updateProvider } from '../providers/write-providers.ts'
import { createScope, deleteScope, restoreScope } from '../scopes/write-scopes.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { Caller } from '../use-case.ts'
import { findDeleted, type HistoryKind, readHistory } from './history.ts'

let opened: AdminTestPorts
let owner: Caller
before(async () => {
  opened = await openAdminTestPorts()
  owner = await opened.caller('owner')
})
after(() => opened.close())

function makeWebApp(id: string) {
  const redirects = { redirect_uris: [`https://${id}.example/cb`] }
  const wish = { kind: 'web' as const, metadata: { client_id: id, client_name: `App ${id}`, ...redirects } }
  return createClient.call(opened.ports, wish, owner)
}

async function newest(kind: HistoryKind, id: string): Promise<number> {
  const [entry] = await readHistory(opened.ports, { kind, id })
  return entry?.row.seq ?? 0
}

function okValue<T>(result: { kind: string; value?: T }): T {
  assert.equal(result.kind, 'ok', JSON.stringify(result))
  assert.ok(result.value !== undefined)
  return result.value
}

describe('a deleted client', () => {
  const id = clientIdSchema.parse('boats')
  const ask = { client_id: id, version: 0 }
  before(async () => {
    okValue(await makeWebApp(id))
    okValue(await deleteClient.call(opened.ports, { client_id: id, version: 1 }, owner))
  })
  const isThere = async (name: string) =>
    (await opened.ports.adminLists.client(clientIdSchema.parse(name))) !== null

  test('a deleted client is listed as one that can be restored', async () => {
    const rows = await findDeleted(opened.ports, 'client', isThere)
    assert.deepEqual(
      rows.map(({ targetId }) => targetId),
      [id],
    )
  })

  test('a deleted client is restored without its secrets, with a row in its history', async () => {
    const seq = await newest('client', id)
    const back = okValue(await restoreClient.call(opened.ports, { ...ask, seq }, owner))
    assert.deepEqual(
      [back.metadata.client_name, back.metadata.redirect_uris],
      ['App boats', ['https://boats.example/cb']],
    )
    assert.deepEqual(back.secrets, [])
    const [entry] = await readHistory(opened.ports, { kind: 'client', id })
    assert.deepEqual([entry?.row.action, entry?.row.before], ['clients.restore', null])
    assert.deepEqual(await findDeleted(opened.ports, 'client', isThere), [])
  })

  test('a deleted client with a scope that was deleted later is not restored, and the scope is named', async () => {
    const wish = {
      kind: 'machine' as const,
      metadata: { client_id: 'sailor', client_name: 'Sailor', scope: 'sails' },
    }
    okValue(await createScope.call(opened.ports, { metadata: { name: 'sails' } }, owner))
    okValue(await createClient.call(opened.ports, wish, owner))
    okValue(await deleteClient.call(opened.ports, { client_id: 'sailor', version: 1 }, owner))
    okValue(await deleteScope.call(opened.ports, { name: 'sails', version: 1 }, owner))
    const seq = await newest('client', 'sailor')
    const refused = await restoreClient.call(opened.ports, { client_id: 'sailor', version: 0, seq }, owner)
    assert.ok(refused.kind === 'invalid', refused.kind)
    assert.match(refused.errors[0]?.message ?? '', /^"sails" is not a known scope/)
  })

  test('a deleted client is not restored if its ID was registered again', async () => {
    const result = await restoreClient.call(opened.ports, { ...ask, seq: await newest('client', id) }, owner)
    assert.equal(result.kind, 'conflict')
  })

  test('a change of one client cannot be used to restore another', async () => {
    okValue(await makeWebApp('other'))
    const seq = await newest('client', 'other')
    assert.equal((await restoreClient.call(opened.ports, { ...ask, seq }, owner)).kind, 'invalid')
  })

  test('AD-03 only an owner can restore a client with the scope latchkey.admin', async () => {
    const stored = await opened.ports.adminLists.client(id)
    const metadata = {
      client_id: id,
      redirect_uris: ['https://boats.example/cb'],
      scope: 'openid latchkey.admin',
    }
    okValue(
      await updateClient.call(
        opened.ports,
        { client_id: id, version: stored?.version ?? 0, metadata },
        owner,
      ),
    )
    const version = (await opened.ports.adminLists.client(id))?.version ?? 0
    okValue(await deleteClient.call(opened.ports, { client_id: id, version }, owner))
    const seq = await newest('client', id)
    const manager = await opened.caller('client_manager')
    assert.equal((await restoreClient.call(opened.ports, { ...ask, seq }, manager)).kind, 'denied')
    assert.equal((await restoreClient.call(opened.ports, { ...ask, seq }, owner)).kind, 'ok')
  })
})

test('a deleted scope can be restored', async () => {
  const name = scopeNameSchema.parse('harbour.read')
  okValue(await createScope.call(opened.ports, { metadata: { name, claims: ['role'] } }, owner))
  okValue(await deleteScope.call(opened.ports, { name, version: 1 }, owner))
  const seq = await newest('scope', name)
  const back = okValue(await restoreScope.call(opened.ports, { name, version: 0, seq }, owner))
  assert.deepEqual(back.metadata, { name, claims: ['role'] })
})

describe('restoring a provider', () => {
  const scheme = providerSchemeSchema.parse('partner')
  const first = { scheme, issuer: 'https://partner.example', client_id: 'us', domains: ['partner.example'] }

  test('earlier settings of a provider are restored with its secret, which must be entered again for a different issuer', async () => {
    okValue(await createProvider.call(opened.ports, { ...first, client_secret: 'first secret' }, owner))
    const seq = await newest('provider', scheme)
    const changed = { ...first, version: 1, client_id: 'changed', domains: [] }
    okValue(await updateProvider.call(opened.ports, changed, owner))
    const back = okValue(await restoreProvider.call(opened.ports, { scheme, version: 2, seq }, owner))
    assert.deepEqual([back.client_id, back.domains, back.has_secret], ['us', ['partner.example'], true])
    const moved = {
      ...changed,
      version: 3,
      issuer: 'https://elsewhere.example',
      client_secret: 'second secret',
    }
    okValue(await updateProvider.call(opened.ports, moved, owner))
    const asked = await restoreProvider.call(opened.ports, { scheme, version: 4, seq }, owner)
    assert.deepEqual(asked.kind === 'invalid' && asked.errors[0]?.path, 'client_secret')
  })

  test('a deleted provider is restored with its secret, which must be entered again', async () => {
    okValue(await deleteProvider.call(opened.ports, { scheme, version: 4 }, owner))
    const ask = { scheme, version: 0, seq: await newest('provider', scheme) }
    assert.equal((await restoreProvider.call(opened.ports, ask, owner)).kind, 'invalid')
    const back = okValue(await restoreProvider.call(opened.ports, { ...ask, client_secret: 'again' }, owner))
    assert.equal(back.issuer, 'https://elsewhere.example')
    assert.notEqual((await storedProvider(opened.ports, scheme))?.clientSecret, 'again')
  })
})

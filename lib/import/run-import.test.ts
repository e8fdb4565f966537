/** Tests imports into a real store: the rows written, repeated imports, and refusals. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setClientEnabled } from '#lib/admin/clients/write-clients.ts'
import { type AdminTestPorts, openAdminTestPorts } from '#lib/admin/testing/admin-ports.ts'
import { clientIdSchema, scopeNameSchema } from '#lib/protocol/ids.ts'
import { runImport } from './run-import.ts'
import { hashOfSecret, importOf, smallExport, writeExport } from './testing/write-export.ts'

const clientId = (id: string) => clientIdSchema.parse(id)

describe('an import of clients and scopes', () => {
  let opened: AdminTestPorts
  const run = (content: unknown, changes = {}) =>
    runImport(opened.ports, importOf(writeExport(content), changes))
  const client = async (id: string) =>
    (await opened.ports.clients.find(clientId(id))) ?? assert.fail(`${id} is missing`)

  beforeEach(async () => {
    opened = await openAdminTestPorts()
    await opened.ports.configuration.apply(
      { put: {}, remove: { scopes: [scopeNameSchema.parse('api')] } },
      new Date(),
    )
  })
  afterEach(() => opened.close())

  test('a dry run reports the import and writes nothing', async () => {
    const { outcome, report } = await run(smallExport, { isDryRun: true })
    assert.equal(outcome, 'planned')
    assert.match(report, /clients +3 +0 +0 +0 +0/)
    assert.match(report, /Clients\[0\] mvc: Flow: PKCE is not required \("pkce": "optional"\)/)
    assert.equal(await opened.ports.clients.find(clientId('mvc')), null)
    assert.deepEqual(await opened.ports.adminStore.audit.head(), null)
  })

  test('clients keep their flow, their secrets and their lifetimes', async () => {
    assert.equal((await run(smallExport)).outcome, 'imported')
    const mvc = await client('mvc')
    assert.deepEqual(mvc.client.grantTypes, ['authorization_code', 'refresh_token'])
    assert.deepEqual(mvc.client.scopes, ['openid', 'orders', 'offline_access'])
    assert.equal(mvc.client.pkce, 'optional')
    assert.equal(mvc.client.authorizationCodeLifetimeSeconds, 300)
    assert.equal(mvc.client.accessTokenFormat, 'identityserver3')
    assert.equal(mvc.client.accessTokenSignedResponseAlg, 'RS256')
    const digest = `sha256:${Buffer.from(hashOfSecret, 'base64').toString('base64url')}`
    assert.deepEqual(
      mvc.secrets.map(({ name, digest }) => [name, digest]),
      [['first', digest]],
    )
    assert.equal(await opened.ports.secrets.verify('secret', mvc.secrets, new Date()), true)
    const worker = await client('worker')
    assert.equal(worker.secrets[0]?.name, 'Imported')
    assert.equal(worker.client.enabled, false)
    assert.equal(worker.client.accessTokenType, 'reference')
    assert.deepEqual(worker.client.claims, { region: 'eu', role: ['a', 'b'] })
    assert.equal(worker.secrets[0]?.expiresAt?.toISOString(), '2031-01-01T00:00:00.000Z')
    assert.deepEqual((await client('spa')).client.responseTypes, ['id_token token', 'id_token', 'token'])
    const orders = await opened.ports.scopes.find(scopeNameSchema.parse('orders'))
    assert.deepEqual(
      [orders?.scope.displayName, orders?.scope.claims, orders?.secrets.length],
      ['Orders', ['email'], 1],
    )
  })

  test('each object has an audit row by the operator, and the import has one with its counts', async () => {
    await run(smallExport)
    const rows = await opened.ports.adminStore.audit.list({ action: 'configuration.import' }, null, 10)
    assert.deepEqual(
      rows.map(({ targetKind, targetId }) => `${targetKind} ${targetId}`),
      ['configuration import', 'client worker', 'client spa', 'client mvc', 'scope orders'],
    )
    assert.deepEqual(rows[0]?.after, { scope: { added: 1, updated: 0 }, client: { added: 3, updated: 0 } })
    assert.ok(rows.every(({ actor }) => actor === null))
    assert.ok(!JSON.stringify(rows).includes('sha256:'))
  })

  test('a second import changes nothing', async () => {
    await run(smallExport)
    const head = await opened.ports.adminStore.audit.head()
    const { outcome, report } = await run(smallExport)
    assert.equal(outcome, 'nothing')
    assert.match(report, /clients +0 +0 +3 +0 +0/)
    assert.deepEqual(await opened.ports.adminStore.audit.head(), head)
  })

  test('a later export updates what was imported, and keeps what an admin changed since then', async () => {
    await run(smallExport)
    const caller = await opened.caller('owner')
    const off = { client_id: 'mvc', enabled: false }
    assert.equal((await setClientEnabled.call(opened.ports, off, caller)).kind, 'ok')
    const later = {
      ...smallExport,
      Clients: smallExport.Clients.map(row => ({ ...row, ClientName: `${row.ClientName} 2` })),
    }
    const { outcome, report } = await run(later)
    assert.equal(outcome, 'imported')
    assert.match(report, /clients +0 +2 +0 +1 +0/)
    assert.match(report, /Clients\[0\] mvc: is different here and stays as it is/)
    assert.equal((await client('mvc')).client.clientName, 'MVC')
    assert.equal((await client('spa')).client.clientName, 'Pages 2')
    assert.equal((await run(later, { replaces: true })).outcome, 'imported')
    assert.deepEqual(
      [(await client('mvc')).client.clientName, (await client('mvc')).client.enabled],
      ['MVC 2', true],
    )
  })

  test('a client that was here before the first import stays', async () => {
    await opened.addClient({ client_id: 'mvc' })
    assert.match((await run(smallExport)).report, /clients +2 +0 +0 +1 +0/)
    assert.equal((await client('mvc')).client.clientName, 'Web App')
  })

  test('with a refusal nothing is imported until the operator agrees', async () => {
    const keyless = { Id: 9, ClientId: 'keyless', Flow: 2 }
    const content = { ...smallExport, Clients: [...smallExport.Clients, keyless] }
    const { outcome, report } = await run(content)
    assert.equal(outcome, 'refused')
    assert.match(report, /Clients\[3\] keyless: has no secret that can be taken over/)
    assert.equal(await opened.ports.clients.find(clientId('mvc')), null)
    assert.equal((await run(content, { skipsRefused: true })).outcome, 'imported')
    assert.equal(await opened.ports.clients.find(clientId('keyless')), null)
  })

  test('nothing is imported if the stored data changed after the report', async () => {
    const { digest } = await run(smallExport, { isDryRun: true })
    assert.equal((await run(smallExport, { isDryRun: true })).digest, digest)
    await opened.addClient({ client_id: 'spa' })
    assert.equal((await run(smallExport, { digest })).outcome, 'changed')
    assert.equal(await opened.ports.clients.find(clientId('mvc')), null)
  })

  test('objects of IdentityServer3 are imported as its serializer writes them', async () => {
    const content = {
      Clients: [
        {
          ClientId: 'native',
          Flow: 'AuthorizationCodeWithProofKey',
          ClientSecrets: [{ Value: hashOfSecret, Type: 'SharedSecret', Expiration: '2031-01-01T00:00:00Z' }],
          AllowedScopes: ['openid'],
          RedirectUris: ['com.example.app:/callback'],
          Claims: [{ Issuer: 'LOCAL AUTHORITY', Type: 'tier', Value: 'gold', ValueType: 'string' }],
          RefreshTokenUsage: 'ReUse',
        },
      ],
      Scopes: [{ Name: 'crm', Type: 'Identity', Claims: [{ Name: 'role', AlwaysIncludeInIdToken: false }] }],
    }
    const { outcome, report } = await run(content)
    assert.equal(outcome, 'imported', report)
    const { client: native } = await client('native')
    assert.deepEqual(
      [native.pkce, native.applicationType, native.claims],
      ['required', 'native', { tier: 'gold' }],
    )
    assert.equal((await opened.ports.scopes.find(scopeNameSchema.parse('crm')))?.scope.kind, 'identity')
  })

  test('an unknown scope is left out of a client, and the secrets of a scope that has the name of a client are left out', async () => {
    const content = {
      ...smallExport,
      ClientScopes: [...smallExport.ClientScopes, { Id: 9, Scope: 'gone', Client_Id: 1 }],
      Clients: [
        ...smallExport.Clients,
        { Id: 4, ClientId: 'orders', Flow: 1, RedirectUris: ['https://orders.example/'] },
      ],
    }
    assert.equal((await run(content)).outcome, 'refused')
    const { outcome, report } = await run(content, { skipsRefused: true })
    assert.equal(outcome, 'imported')
    assert.match(report, /Clients\[0\] mvc: AllowedScopes: "gone" is not a known scope/)
    assert.match(report, /Scopes\[0\] orders: secrets: a client has the same name/)
    assert.deepEqual((await client('mvc')).client.scopes, ['openid', 'orders', 'offline_access'])
    const orders = await opened.ports.scopes.find(scopeNameSchema.parse('orders'))
    assert.deepEqual(orders?.secrets, [])
    assert.equal((await run(content, { skipsRefused: true })).outcome, 'nothing')
  })

  test('an export of another product is refused before anything is read with the wrong rules', async () => {
    const asFour = { product: 'identityserver4' } as const
    await assert.rejects(
      run(smallExport, asFour),
      /has the table Scopes of IdentityServer3: import it with identityserver3/,
    )
    await assert.rejects(
      run({ Clients: [], identity_resources: [{ Name: 'openid' }] }),
      /has the table identity_resources of IdentityServer4: import it with identityserver4/,
    )
  })

  test('a client of ten million characters is named, and nothing is imported', async () => {
    const huge = { ClientId: 'huge', ClientName: 'a'.repeat(10_000_000) }
    const { outcome, report } = await run({ ...smallExport, Clients: [huge, ...smallExport.Clients] })
    assert.equal(outcome, 'refused')
    assert.match(report, /Clients\[0\]: is longer than a million characters/)
    assert.equal(await opened.ports.clients.find(clientId('mvc')), null)
  })

  const refusals: readonly (readonly [string, object, RegExp])[] = [
    ['a flow of another server', { Flow: 12 }, /Clients\[0\] a: Flow: must be one of AuthorizationCode/],
    ['no client id', { ClientId: null }, /Clients\[0\] \(without a name\): ClientId: is missing/],
    ['a lifetime in words', { AccessTokenLifetime: 'long' }, /AccessTokenLifetime: must be a whole number/],
    [
      'a redirect URI without https',
      { RedirectUris: ['http://a.example/'] },
      /RedirectUris\[0\]: "http:\/\/a\.example\/" must use https/,
    ],
    [
      'a certificate instead of a secret',
      { ClientSecrets: [{ Type: 'X509Thumbprint', Value: 'x' }] },
      /ClientSecrets\[0\]: is of the type "X509Thumbprint"/,
    ],
    [
      'a scope that does not exist',
      { AllowedScopes: ['nothing'] },
      /Clients\[0\] a: AllowedScopes: "nothing" is not a known scope/,
    ],
    [
      'a row with the names of two scopes, which would be both of them',
      { AllowedScopes: ['openid', 'orders profile'] },
      /Clients\[0\] a: AllowedScopes: "orders profile" is not the name of a scope: names have no blanks/,
    ],
    [
      'a custom grant that is not implemented',
      { Flow: 5, AllowedCustomGrantTypes: ['act-as'] },
      /"act-as" is not a known grant type.*: implement it in the extensions file, or remove it from the client/,
    ],
    [
      'an identity provider that is not here',
      { IdentityProviderRestrictions: ['Google'] },
      /"Google" is not a known identity provider: add it first, or remove it from the client/,
    ],
    [
      'a name that is markup for terminals',
      { ClientId: 'a\u001b[31m' },
      /a\?\[31m: client_id: may contain only/,
    ],
  ]
  for (const [name, changes, expected] of refusals)
    test(`refuses ${name}, with its place`, async () => {
      const good = {
        ClientId: 'a',
        Flow: 0,
        RedirectUris: ['https://a.example/'],
        ClientSecrets: [{ Value: hashOfSecret }],
      }
      const { outcome, report } = await run({ Clients: [{ ...good, ...changes }] })
      assert.equal(outcome, 'refused')
      assert.match(report, expected)
    })
})

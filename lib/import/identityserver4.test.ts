/** Tests exports of IdentityServer4. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type AdminTestPorts, openAdminTestPorts } from '#lib/admin/testing/admin-ports.ts'
import { algorithmsInUse } from '#lib/crypto/keys/algorithms-in-use.ts'
import { clientIdSchema, scopeNameSchema } from '#lib/protocol/ids.ts'
import { runImport } from './run-import.ts'
import { hashOfSecret, importOf, writeExport } from './testing/write-export.ts'

let opened: AdminTestPorts
const run = (source: string, changes = {}) =>
  runImport(opened.ports, importOf(source, { product: 'identityserver4', ...changes }))
const scope = async (name: string) =>
  (await opened.ports.scopes.find(scopeNameSchema.parse(name))) ?? assert.fail(`${name} is missing`)

beforeEach(async () => {
  opened = await openAdminTestPorts()
})
afterEach(() => opened.close())

describe('an export of IdentityServer4', () => {
  const secrets = [{ Value: hashOfSecret, Type: 'SharedSecret' }]
  const code = { RedirectUris: ['https://a.example/'], ClientSecrets: secrets }

  test('keeps whether the ID token has the claims of all scopes', async () => {
    const grant = { ...code, AllowedGrantTypes: ['authorization_code'] }
    const source = await writeExport({
      Clients: [
        { ...grant, ClientId: 'on', AlwaysIncludeUserClaimsInIdToken: true },
        { ...grant, ClientId: 'off', AlwaysIncludeUserClaimsInIdToken: false },
      ],
    })
    await run(source)
    const included = async (id: string) =>
      (await opened.ports.clients.find(clientIdSchema.parse(id)))?.client.alwaysIncludeUserClaimsInIdToken
    assert.deepEqual([await included('on'), await included('off')], [true, false])
  })

  test('a hybrid client keeps its response types, and returns access tokens only if it may', async () => {
    const hybrid = { ...code, AllowedGrantTypes: ['hybrid'], RequirePkce: false }
    const source = await writeExport({
      Clients: [
        { ...hybrid, ClientId: 'mvc' },
        { ...hybrid, ClientId: 'mvc-tokens', AllowAccessTokensViaBrowser: true, RequirePkce: true },
      ],
    })
    assert.equal((await run(source)).outcome, 'imported')
    const settings = async (id: string) => {
      const client = (await opened.ports.clients.find(clientIdSchema.parse(id)))?.client
      return [client?.grantTypes, client?.responseTypes, client?.pkce]
    }
    const grants = ['authorization_code', 'implicit']
    assert.deepEqual(await settings('mvc'), [grants, ['code id_token'], 'optional'])
    assert.deepEqual(await settings('mvc-tokens'), [
      grants,
      ['code id_token', 'code id_token token', 'code token'],
      'required-s256',
    ])
  })

  const refusals: readonly (readonly [string, object, RegExp])[] = [
    ['WS-Federation', { ...code, ProtocolType: 'wsfed' }, /ProtocolType: only OpenID Connect/],
    [
      'the device flow',
      { ClientSecrets: secrets, AllowedGrantTypes: ['urn:ietf:params:oauth:grant-type:device_code'] },
      /the device flow is not supported/,
    ],
    [
      'unknown algorithms',
      { ...code, AllowedGrantTypes: ['authorization_code'], AllowedIdentityTokenSigningAlgorithms: 'HS256' },
      /none of them is known/,
    ],
  ]
  for (const [name, fields, expected] of refusals)
    test(`refuses ${name}`, async () => {
      const { outcome, report } = await run(writeExport({ Clients: [{ ClientId: 'a', ...fields }] }))
      assert.equal(outcome, 'refused')
      assert.match(report, expected)
    })

  test('an absolute lifetime of 0 becomes the longest one if refresh tokens slide, else one second', async () => {
    const rows = ['Sliding', 'Absolute'].map(RefreshTokenExpiration => ({
      ...code,
      ClientId: RefreshTokenExpiration,
      AllowedGrantTypes: ['authorization_code'],
      AbsoluteRefreshTokenLifetime: 0,
      RefreshTokenExpiration,
    }))
    const { report } = await run(writeExport({ Clients: rows }))
    assert.match(
      report,
      /Sliding: AbsoluteRefreshTokenLifetime: is 0, without a limit, there; here it is 31622400/,
    )
    const found = await Promise.all(
      ['Sliding', 'Absolute'].map(id => opened.ports.clients.find(clientIdSchema.parse(id))),
    )
    assert.deepEqual(
      found.map(row => row?.client.absoluteRefreshTokenLifetimeSeconds),
      [31_622_400, 1],
    )
  })

  test('an import needs no keys but RS256, also with APIs that introspect', async () => {
    const content = {
      Clients: [{ ...code, ClientId: 'web', AllowedGrantTypes: ['authorization_code'] }],
      ApiResources: [{ Name: 'introspecting', ApiSecrets: secrets, Scopes: ['orders'] }],
      ApiScopes: [{ Name: 'orders' }],
    }
    const { outcome, report } = await run(writeExport(content))
    assert.equal(outcome, 'imported', report)
    assert.notEqual(await opened.ports.clients.find(clientIdSchema.parse('introspecting')), null)
    const { clients, scopes } = opened.ports
    const inUse = await algorithmsInUse({ clients, scopes, accessTokenFormat: 'rfc9068' })
    assert.deepEqual([...inUse], ['RS256'])
  })

  test('imports scopes of version 3, which are rows of API resources', async () => {
    const content = {
      ApiResources: [{ Id: 1, Name: 'api1' }],
      ApiSecrets: [{ ApiResourceId: 1, ...secrets[0] }],
      ApiClaims: [{ ApiResourceId: 1, Type: 'role' }],
      ApiScopes: [{ Id: 5, Name: 'api1', ApiResourceId: 1 }],
      ApiScopeClaims: [{ ApiScopeId: 5, Type: 'email' }],
    }
    const { outcome, report } = await run(writeExport(content))
    assert.equal(outcome, 'imported', report)
    const { scope: api, secrets: found } = await scope('api1')
    assert.deepEqual([api.audience, api.claims, found.length], ['api1', ['email', 'role'], 1])
    assert.equal(await opened.ports.clients.find(clientIdSchema.parse('api1')), null)
  })
})

/** Exports of IdentityServer4, from a file and from a real database. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import pg from 'pg'
import { type AdminTestPorts, openAdminTestPorts } from '#lib/admin/test-admin-ports.ts'
import { clientIdSchema, scopeNameSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { type RunningPostgres, startPostgres } from '#lib/storage/testing/postgres.ts'
import { runImport } from './run-import.ts'
import { hashOfSecret, importOf, writeExport } from './testing/write-export.ts'

const root = new URL('../../', import.meta.url)
const tables = readFileSync(new URL('lib/import/testing/identityserver4.sql', root), 'utf8')

/** The statement in the documentation, which operators copy. */
function documentedStatement(): string {
  const text = readFileSync(new URL('docs/import-identityserver.md', root), 'utf8')
  const [, statement] = /```sql\n-- PostgreSQL, IdentityServer4\n([^`]+)```/.exec(text) ?? []
  return statement ?? assert.fail('the documentation has no statement for PostgreSQL')
}

let opened: AdminTestPorts
const run = (source: string, changes = {}) =>
  runImport(opened.ports, importOf(source, { product: 'identityserver4', ...changes }))
const client = async (id: string) =>
  (await opened.ports.clients.find(clientIdSchema.parse(id))) ?? assert.fail(`${id} is missing`)
const scope = async (name: string) =>
  (await opened.ports.scopes.find(scopeNameSchema.parse(name))) ?? assert.fail(`${name} is missing`)

beforeEach(async () => {
  opened = await openAdminTestPorts()
})
afterEach(() => opened.close())

describe('a database of IdentityServer4', () => {
  let postgres: RunningPostgres
  before(async () => {
    postgres = await startPostgres()
    const database = new pg.Client({ connectionString: postgres.url })
    await database.connect()
    await database.query(tables)
    await database.end()
  })
  after(() => postgres.stop())

  async function exported(): Promise<string> {
    const database = new pg.Client({ connectionString: postgres.url })
    await database.connect()
    const { rows } = await database.query(documentedStatement())
    await database.end()
    return writeExport(rows[0].export)
  }

  const sources: Readonly<Record<string, () => Promise<string>>> = {
    'the documented export': exported,
    'the database itself': async () => postgres.url,
  }
  for (const [name, source] of Object.entries(sources))
    test(`from ${name}: clients, scopes, API resources, users and consents`, async () => {
      const { outcome, report } = await run(await source())
      assert.equal(outcome, 'imported', report)
      const { client: web, secrets } = await client('web')
      assert.deepEqual(web.grantTypes, ['authorization_code', 'client_credentials', 'refresh_token'])
      assert.deepEqual(web.scopes, ['openid', 'orders.read', 'offline_access'])
      assert.equal(web.pkce, 'required-s256')
      assert.equal(await opened.ports.secrets.verify('secret', secrets, new Date()), true)
      const { client: spa } = await client('spa')
      assert.equal(spa.tokenEndpointAuthMethod, 'none')
      const orders = await scope('orders.read')
      assert.deepEqual([orders.scope.audience, orders.scope.claims], ['orders', ['role', 'email']])
      const { client: api, secrets: apiSecrets } = await client('orders')
      assert.deepEqual([api.grantTypes, apiSecrets.length], [[], 1])
      const user = await opened.ports.users.findBySubject(subjectIdSchema.parse('u-1'))
      assert.deepEqual([user?.username, user?.claims.role, user?.enabled], ['alice', 'admin', true])
      assert.equal((await opened.ports.users.findBySubject(subjectIdSchema.parse('u-2')))?.enabled, false)
      assert.match(report, /consents +1 +0 +0 +0 +0/)
      assert.equal((await run(await source())).outcome, 'nothing')
    })

  test('an address that cannot be read is reported without its password', async () => {
    const wrong = postgres.url
      .replace('latchkey:latchkey@', 'latchkey:hunter2@')
      .replace(/\/[^/]*$/, '/nothing')
    await assert.rejects(run(wrong), error => {
      assert.ok(error instanceof Error)
      assert.match(error.message, /The database cannot be read/)
      return !error.message.includes('hunter2')
    })
  })
})

describe('an export of IdentityServer4', () => {
  const secrets = [{ Value: hashOfSecret, Type: 'SharedSecret' }]
  const code = { RedirectUris: ['https://a.example/'], ClientSecrets: secrets }

  const refusals: readonly (readonly [string, object, RegExp])[] = [
    ['a hybrid flow', { AllowedGrantTypes: ['hybrid'] }, /AllowedGrantTypes: hybrid flows are not supported/],
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

  test('scopes of version 3, whose API resources have them as rows', async () => {
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

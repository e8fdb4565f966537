/**
 * Runs the SQL of the documentation on tables as Entity Framework creates them, and checks that a row of each kind is
 * imported.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import pg from 'pg'
import { type AdminTestPorts, openAdminTestPorts } from '#lib/admin/testing/admin-ports.ts'
import { clientIdSchema, providerSchemeSchema, scopeNameSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { type RunningPostgres, startPostgres } from '#lib/storage/testing/postgres.ts'
import { runImport } from './run-import.ts'
import {
  beforeVersion4,
  documentedParameters,
  documentedStatement,
  documentedStatements,
  forJson,
} from './testing/documented-sql.ts'
import { importOf, writeExport } from './testing/write-export.ts'

const sqlFile = (name: string) => readFileSync(new URL(`testing/${name}.sql`, import.meta.url), 'utf8')

let opened: AdminTestPorts
let postgres: RunningPostgres
before(async () => {
  postgres = await startPostgres()
})
after(() => postgres.stop())
beforeEach(async () => {
  opened = await openAdminTestPorts()
  await opened.addProvider('corp')
})
afterEach(() => opened.close())

/** Imports into an installation that has an extension for a custom grant. */
const run = (source: string, product: 'identityserver3' | 'identityserver4') => {
  const customGrants = [{ grantType: 'urn:example:card', validate: () => assert.fail('not used') }]
  return runImport({ ...opened.ports, customGrants }, importOf(source, { product }))
}
const client = async (id: string) =>
  (await opened.ports.clients.find(clientIdSchema.parse(id))) ?? assert.fail(`${id} is missing`)
const scope = async (name: string) =>
  (await opened.ports.scopes.find(scopeNameSchema.parse(name))) ?? assert.fail(`${name} is missing`)
const user = async (subject: string) =>
  (await opened.ports.users.findBySubject(subjectIdSchema.parse(subject))) ??
  assert.fail(`${subject} is missing`)
const linkedTo = async (subject: string) => {
  const provider = { scheme: providerSchemeSchema.parse('corp'), issuer: 'https://corp.example' }
  return (await opened.ports.users.findByExternal({ ...provider, subject }))?.subject
}

/** Runs `work` with the parameters that the documentation gives for `psql`. */
async function connected<T>(url: string, work: (database: pg.Client) => Promise<T>): Promise<T> {
  const database = new pg.Client({ connectionString: `${url}?${documentedParameters()}` })
  await database.connect()
  try {
    return await work(database)
  } finally {
    await database.end()
  }
}

const writeDatabase = async (name: string, ...statements: readonly string[]) => {
  const url = await postgres.createDatabase(name)
  await connected(url, database => database.query(statements.join('\n')))
  return url
}

/** Writes a file with the result of a PostgreSQL statement, and returns its path. */
const jsonAgg = (url: string, statement: string) =>
  connected(url, async database => {
    const { rows } = await database.query<{ export: unknown }>(statement)
    return writeExport(rows[0]?.export)
  })

/** Writes a file with all parts of SQL Server's result, and returns its path. */
const sqlServer = (url: string, statement: string) =>
  connected(url, async database => writeExport((await forJson(database, statement)).join('')))

const servers = { PostgreSQL: jsonAgg, 'SQL Server': sqlServer }

test('both databases have a statement for each product', () => {
  const products = ['IdentityServer3', 'IdentityServer4', 'ASP.NET Identity', 'MembershipReboot']
  const titles = Object.keys(servers).flatMap(server => products.map(product => `${server}, ${product}`))
  assert.deepEqual([...documentedStatements.keys()].toSorted(), titles.toSorted())
})

describe('the stores of Entity Framework 6', () => {
  let url: string
  before(async () => {
    url = await writeDatabase('legacy', sqlFile('identityserver3'))
  })

  const expectRegistrations = async (report: string) => {
    const { client: web, secrets } = await client('web')
    assert.equal(web.clientName, 'Web "café" 🔑', report)
    assert.deepEqual(web.grantTypes, ['authorization_code', 'client_credentials', 'refresh_token'])
    assert.deepEqual(web.redirectUris, ['https://web.example/signin-oidc'])
    assert.deepEqual(web.postLogoutRedirectUris, ['https://web.example/bye'])
    assert.deepEqual(web.allowedCorsOrigins, ['https://web.example'])
    assert.deepEqual(web.identityProviderRestrictions, ['corp', 'latchkey'])
    assert.deepEqual([web.claims, web.accessTokenType], [{ region: 'eu' }, 'reference'])
    assert.equal(secrets[0]?.expiresAt?.toISOString(), '2031-01-01T00:00:00.123Z')
    assert.equal(await opened.ports.secrets.verify('secret', secrets, new Date()), true)
    const { client: kiosk } = await client('kiosk')
    assert.deepEqual(
      [kiosk.grantTypes, kiosk.allowAccessToAllScopes],
      [['urn:example:card', 'refresh_token'], true],
    )
    assert.equal(kiosk.updateAccessTokenClaimsOnRefresh, true)
    const { scope: orders, secrets: ofOrders } = await scope('orders')
    assert.deepEqual([orders.claims, orders.alwaysIncludeInIdToken], [['email', 'role'], ['email']])
    assert.deepEqual([orders.description, ofOrders.length], ['line one line two', 1])
    assert.match(report, /consents +1 +0 +0 +0 +0/)
    assert.match(report, /tokens +1 +0 +0 +0 +0/)
  }
  const expectAspNetUsers = async (report: string) => {
    const alice = await user('alice')
    assert.deepEqual(
      [alice.enabled, alice.claims.role, alice.claims.given_name],
      [true, 'admin', 'Alice'],
      report,
    )
    assert.equal(await linkedTo('alice@corp'), 'alice')
    assert.equal((await user('B9A1F5D0-0000-4000-8000-00000000000A')).enabled, false, 'locked for good')
  }
  const expectMembershipRebootUsers = async (report: string) => {
    const bob = await user('a0000000-0000-4000-8000-00000000000b')
    const { email, name, phone_number: phone } = bob.claims
    assert.deepEqual([bob.username, bob.enabled, bob.mustChangePassword], ['bob', true, true], report)
    assert.deepEqual([email, name, phone], ['bob@example.com', 'Bob', '+49 30 1'])
    assert.equal(await linkedTo('bob@corp'), bob.subject)
    assert.equal((await user('a0000000-0000-4000-8000-00000000000c')).enabled, false, 'rejected')
  }
  const kinds = {
    IdentityServer3: expectRegistrations,
    'ASP.NET Identity': expectAspNetUsers,
    MembershipReboot: expectMembershipRebootUsers,
  }
  for (const [server, exported] of Object.entries(servers))
    for (const [product, expectRows] of Object.entries(kinds))
      test(`imports ${product} from the result of the statement for ${server}`, async () => {
        const source = await exported(url, documentedStatement(`${server}, ${product}`))
        const { outcome, report } = await run(source, 'identityserver3')
        assert.equal(outcome, 'imported', report)
        assert.ok(!report.includes('Not read'), report)
        await expectRows(report)
      })

  test('imports all products from the database itself', async () => {
    const { outcome, report } = await run(url, 'identityserver3')
    assert.equal(outcome, 'imported', report)
    for (const expectRows of Object.values(kinds)) await expectRows(report)
  })

  test('a GUID as the key of users is in lower case, as the old server wrote it', async () => {
    const source = await connected(url, async database => {
      await database.query('BEGIN')
      await database.query(`CREATE TEMP TABLE "AspNetUsers" ("Id" uuid, "UserName" text);
        INSERT INTO "AspNetUsers" VALUES ('b9a1f5d0-0000-4000-8000-00000000000e', 'erin')`)
      const rows = await forJson(database, documentedStatement('SQL Server, ASP.NET Identity'))
      await database.query('ROLLBACK')
      return writeExport(rows.join(''))
    })
    const { report } = await run(source, 'identityserver3')
    assert.equal((await user('b9a1f5d0-0000-4000-8000-00000000000e')).username, 'erin', report)
  })
})

describe('the stores of Entity Framework Core', () => {
  const older = `
    ALTER TABLE "IdentityResourceClaims" RENAME TO "IdentityClaims";
    ALTER TABLE "IdentityResourceProperties" RENAME TO "IdentityProperties";
    ALTER TABLE "ApiResourceClaims" RENAME TO "ApiClaims";
    ALTER TABLE "ApiResourceSecrets" RENAME TO "ApiSecrets";
    ALTER TABLE "ApiResourceProperties" RENAME TO "ApiProperties";
    DROP TABLE "ApiResourceScopes", "ApiScopeProperties";
    ALTER TABLE "ApiScopes" DROP "Enabled", ADD "ApiResourceId" integer NOT NULL DEFAULT 1;
    ALTER TABLE "ApiScopeClaims" RENAME "ScopeId" TO "ApiScopeId";
    ALTER TABLE "ApiResources" DROP "AllowedAccessTokenSigningAlgorithms", DROP "ShowInDiscoveryDocument";
    ALTER TABLE "Clients" DROP "RequireRequestObject", DROP "AllowedIdentityTokenSigningAlgorithms";
    ALTER TABLE "PersistedGrants" DROP "SessionId", DROP "Description", DROP "ConsumedTime"`
  const databases: Record<string, string> = {}
  before(async () => {
    databases['4.1'] = await writeDatabase('version4', sqlFile('identityserver4'))
    databases['3.1'] = await writeDatabase('version3', sqlFile('identityserver4'), older)
  })

  const expectRegistrations = async (report: string) => {
    const { client: web, secrets } = await client('web')
    assert.deepEqual(web.grantTypes, ['authorization_code', 'client_credentials', 'refresh_token'], report)
    assert.deepEqual(web.scopes, ['openid', 'orders.read', 'offline_access'])
    assert.equal(web.pkce, 'required-s256')
    assert.equal((await client('spa')).client.tokenEndpointAuthMethod, 'none')
    assert.equal(await opened.ports.secrets.verify('secret', secrets, new Date()), true)
    const { scope: orders } = await scope('orders.read')
    assert.deepEqual([orders.audience, orders.claims], ['orders', ['role', 'email']])
    const { client: api, secrets: apiSecrets } = await client('orders')
    assert.deepEqual([api.grantTypes, apiSecrets.length], [[], 1])
    assert.match(report, /consents +1 +0 +0 +0 +0/)
  }
  const expectUsers = async (report: string) => {
    const alice = await user('u-1')
    assert.deepEqual([alice.username, alice.claims.role, alice.enabled], ['alice', 'admin', true], report)
    for (const locked of ['u-2', 'u-3']) assert.equal((await user(locked)).enabled, false, locked)
  }

  for (const version of ['4.1', '3.1'])
    for (const [server, exported] of Object.entries(servers))
      test(`imports IdentityServer4 ${version} from the result of the statement for ${server}`, async () => {
        const documented = documentedStatement(`${server}, IdentityServer4`)
        const statement = version === '4.1' ? documented : beforeVersion4(documented)
        const source = await exported(databases[version] ?? '', statement)
        const { outcome, report } = await run(source, 'identityserver4')
        assert.equal(outcome, 'imported', report)
        await expectRegistrations(report)
      })

  test('imports ASP.NET Core Identity from the result of the statement for PostgreSQL', async () => {
    const source = await jsonAgg(databases['4.1'] ?? '', documentedStatement('PostgreSQL, ASP.NET Identity'))
    const { outcome, report } = await run(source, 'identityserver4')
    assert.equal(outcome, 'imported', report)
    await expectUsers(report)
  })

  for (const version of ['4.1', '3.1'])
    test(`imports all of ${version} from the database itself`, async () => {
      const url = databases[version] ?? ''
      const { outcome, report } = await run(url, 'identityserver4')
      assert.equal(outcome, 'imported', report)
      await expectRegistrations(report)
      await expectUsers(report)
      assert.equal((await run(url, 'identityserver4')).outcome, 'nothing')
    })

  test('an address that cannot be read is reported without its password', async () => {
    const wrong = postgres.url
      .replace('latchkey:latchkey@', 'latchkey:hunter2@')
      .replace(/\/[^/]*$/, '/nothing')
    await assert.rejects(run(wrong, 'identityserver4'), error => {
      assert.ok(error instanceof Error)
      assert.match(error.message, /The database cannot be read/)
      return !error.message.includes('hunter2')
    })
  })
})

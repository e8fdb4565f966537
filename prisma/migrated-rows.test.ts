import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { startPostgres } from '#lib/storage/testing/postgres.ts'
import { adapterFor } from './adapter.ts'
import { readMigrations } from './migration-files.ts'

const [early, late] = ['2026-05-01T10:00:00.000+00:00', '2026-05-01T11:00:00.000+00:00']

const session = `INSERT INTO "Session" ("digest", "sessionId", "subject", "name", "idp", "amr", "authenticatedAt", "isPersistent",
  "createdAt", "lastSeenAt", "expiresAt")
  VALUES ('d', 's', 'alice', 'A', 'latchkey', '[]', '${early}', false, '${early}', '${early}', '${late}');`

function grant(
  id: string,
  clientId: string,
  sessionId: string | null,
  createdAt: string,
  revokedAt?: string,
) {
  const values = [id, clientId, sessionId, createdAt, revokedAt ?? null]
  const written = values.map(value => (value === null ? 'NULL' : `'${value}'`)).join(', ')
  return `INSERT INTO "Grant" ("id", "clientId", "sessionId", "createdAt", "revokedAt", "subject", "idp", "amr", "authenticatedAt",
    "details", "isOffline", "expiresAt")
    VALUES (${written}, 'alice', 'latchkey', '[]', '${early}', '{}', false, '${late}');`
}

const sessionRows = [
  session,
  grant('1', 'web', 's', early),
  grant('2', 'web', 's', late),
  grant('3', 'revoked', 's', early, late),
  grant('4', 'elsewhere', 'ended', early),
  grant('5', 'without', null, early),
].join('\n')

/** Returns the rows that `sql` reads after all migrations, with `rows` written before the migration `name`. */
async function migratedRows(
  location: DatabaseLocation,
  { name, rows, sql }: Migrated,
): Promise<readonly unknown[][]> {
  const database = await adapterFor(location).connect()
  try {
    for (const migration of readMigrations(location.kind)) {
      if (migration.name.endsWith(`_${name}`)) await database.executeScript(rows)
      await database.executeScript(migration.script)
    }
    return (await database.queryRaw({ sql, args: [], argTypes: [] })).rows
  } finally {
    await database.dispose()
  }
}

function client(clientId: string, enabled: boolean, grantTypes: readonly string[] | null) {
  const odd = { contacts: ['a\0b \ud800'], claims: { 'x\0': 'grant_types' } }
  const metadata = JSON.stringify({
    client_name: clientId,
    ...odd,
    ...(grantTypes && { grant_types: grantTypes }),
  })
  return `INSERT INTO "Client" ("clientId", "enabled", "name", "sortKey", "kind", "metadata", "position", "version",
    "createdAt", "updatedAt")
    VALUES ('${clientId}', ${enabled}, '${clientId}', '${clientId}', 'web', '${metadata}', 0, 1, '${early}', '${early}');
    INSERT INTO "SearchTerm" ("kind", "term", "id")
    VALUES ('client-by-scope', 'offline_access ${clientId}\t${clientId}', '${clientId}'),
      ('client-by-scope', 'openid ${clientId}\t${clientId}', '${clientId}');`
}

type Migrated = { readonly name: string; readonly rows: string; readonly sql: string }
type Case = Migrated & { readonly what: string; readonly expected: readonly unknown[][] }

const cases: readonly Case[] = [
  {
    what: 'the clients of sessions are filled from the grants that are still there',
    name: 'clients_of_sessions',
    rows: sessionRows,
    sql: 'SELECT "sessionId", "clientId" FROM "SessionClient" WHERE "lastAt" = (SELECT max("createdAt") FROM "Grant")',
    expected: [['s', 'web']],
  },
  {
    what: 'enabled clients with offline_access that may not refresh are found by this setting',
    name: 'idle_offline_access',
    rows: [
      client('idle', true, ['authorization_code']),
      client('standard', true, null),
      client('refreshing', true, ['authorization_code', 'refresh_token']),
      client('off', false, ['authorization_code']),
    ].join('\n'),
    sql: `SELECT "term", "id" FROM "SearchTerm" WHERE "kind" = 'client-by-switch' ORDER BY "id"`,
    expected: [
      ['idle_offline_access idle\tidle', 'idle'],
      ['idle_offline_access standard\tstandard', 'standard'],
    ],
  },
  {
    what: 'AU-01 an installation that has data keeps passwords of 8 characters, and no other policy',
    name: 'policies_and_account_changes',
    rows: `INSERT INTO "Meta" ("name", "value") VALUES ('a name', 'a value');`,
    sql: 'SELECT "id", "document", "version" FROM "SitePolicies"',
    expected: [['site', '{"minimum_password_length":8}', 1]],
  },
  {
    what: 'AU-16 the browsers of users that exist become known for 30 days, and other answers to offers stay',
    name: 'mails_about_new_devices',
    rows: [
      ...['alice', 'bob'].map(
        subject => `INSERT INTO "User" ("subject", "username", "canonicalUsername", "enabled", "claims", "version", "createdAt",
          "updatedAt") VALUES ('${subject}', '${subject}', '${subject}', true, '{}', 1, '${early}', '${early}');`,
      ),
      `INSERT INTO "SubjectPreference" ("subject", "refusesPasskeys") VALUES ('bob', true);`,
    ].join('\n'),
    sql: `SELECT "subject" FROM "SubjectPreference" WHERE "deviceMailsFrom" > '2026-06-01T00:00:00.000+00:00'
      AND "refusesPasskeys" = ("subject" = 'bob') ORDER BY "subject"`,
    expected: [['alice'], ['bob']],
  },
]

for (const { what, expected, ...migrated } of cases) {
  test(`${what}, on SQLite`, async t => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-migrated-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'latchkey.db')
    assert.deepEqual(await migratedRows({ kind: 'sqlite', file }, migrated), expected)
  })

  test(`${what}, on PostgreSQL`, async t => {
    const server = await startPostgres()
    t.after(() => server.stop())
    assert.deepEqual(await migratedRows({ kind: 'postgresql', url: server.url }, migrated), expected)
  })
}

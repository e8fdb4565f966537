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

const rows = [
  session,
  grant('1', 'web', 's', early),
  grant('2', 'web', 's', late),
  grant('3', 'revoked', 's', early, late),
  grant('4', 'elsewhere', 'ended', early),
  grant('5', 'without', null, early),
].join('\n')

/** Returns the clients of sessions after the migration of a database with these rows. */
async function migratedClients(location: DatabaseLocation): Promise<unknown> {
  const database = await adapterFor(location).connect()
  try {
    for (const { path, migrationFile } of readMigrations(location.kind).migrationDirectories) {
      if (path.endsWith('_clients_of_sessions')) await database.executeScript(rows)
      await database.executeScript(migrationFile.content.tag === 'ok' ? migrationFile.content.value : '')
    }
    const sql = 'SELECT "sessionId", "clientId", "lastAt" FROM "SessionClient"'
    const stored = await database.queryRaw({ sql, args: [], argTypes: [] })
    return stored.rows.map(([sessionId, clientId, lastAt]) => [
      sessionId,
      clientId,
      new Date(String(lastAt)).toISOString(),
    ])
  } finally {
    await database.dispose()
  }
}

const expected = [['s', 'web', new Date(late).toISOString()]]

test('the clients of sessions are filled from the grants that are still there, on SQLite', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-migrated-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  assert.deepEqual(await migratedClients({ kind: 'sqlite', file: join(folder, 'latchkey.db') }), expected)
})

test('the clients of sessions are filled from the grants that are still there, on PostgreSQL', async t => {
  const server = await startPostgres()
  t.after(() => server.stop())
  assert.deepEqual(await migratedClients({ kind: 'postgresql', url: server.url }), expected)
})

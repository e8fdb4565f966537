import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { migrate } from './migrate.ts'
import { readMigrations } from './migration-files.ts'
import { schemaDifference } from './schema-difference.ts'

function temporaryFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-migrate-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'nested', 'latchkey.db')
}

/** Changes rows in the migration table of the database. */
function rewriteHistory(file: string, assignment: string): void {
  const database = new Database(file)
  database.exec(`UPDATE _prisma_migrations SET ${assignment}`)
  database.close()
}

test('applies every migration once', async t => {
  const file = temporaryFile(t)
  assert.equal(await migrate({ kind: 'sqlite', file }), readMigrations('sqlite').length)
  assert.equal(await migrate({ kind: 'sqlite', file }), 0)
})

test('refuses the database of another program with a sentence, and makes nothing in it', async t => {
  const file = temporaryFile(t)
  mkdirSync(dirname(file))
  new Database(file).exec('CREATE TABLE "Other" ("id" TEXT)').close()
  await assert.rejects(migrate({ kind: 'sqlite', file }), {
    name: 'ConfigError',
    message: `The database ${file} has tables of another program; name another file in DATABASE_URL, or another folder in DATA_DIR.`,
  })
  const database = new Database(file, { readonly: true })
  assert.deepEqual(database.prepare('SELECT name FROM sqlite_schema').all(), [{ name: 'Other' }])
  database.close()
})

const histories = [
  { name: 'an edited migration', assignment: `checksum = '00'`, sentence: /was edited after it was applied/ },
  {
    name: 'a newer database',
    assignment: `migration_name = '2999_x'`,
    sentence: /does not know \(2999_x[,)]/,
  },
  { name: 'a migration that failed', assignment: `finished_at = NULL`, sentence: /failed half-way/ },
]
for (const { name, assignment, sentence } of histories) {
  test(`refuses ${name} with a sentence`, async t => {
    const file = temporaryFile(t)
    await migrate({ kind: 'sqlite', file })
    rewriteHistory(file, assignment)
    await assert.rejects(migrate({ kind: 'sqlite', file }), sentence)
  })
}

test('a grant keeps its scopes when they become part of its details', () => {
  const database = new Database(':memory:')
  for (const { name, script } of readMigrations('sqlite')) {
    if (name.endsWith('_grant_details')) {
      const columns =
        'id, clientId, subject, idp, amr, authenticatedAt, scopes, isOffline, createdAt, expiresAt'
      const values = `'g', 'web', 'alice', 'latchkey', '["pwd"]', 0, '["openid","api"]', 0, 0, 0`
      database.exec(`INSERT INTO "Grant" (${columns}) VALUES (${values})`)
    }
    database.exec(script)
  }
  const stored = database.prepare('SELECT details FROM "Grant"').get()
  assert.deepEqual(stored, { details: '{"scopes":["openid","api"]}' })
  database.close()
})

test('marks that revoke own tokens get the time of the revocation when it gets a column', () => {
  const database = new Database(':memory:')
  for (const { name, script } of readMigrations('sqlite')) {
    if (name.endsWith('_own_tokens_revoked_at')) {
      const add = database.prepare('INSERT INTO "RevokedToken" ("jti", "expiresAt") VALUES (?, ?)')
      for (const jti of ['own tokens', 'own tokens of web', 'one'])
        add.run(jti, '2026-05-31T10:01:00.250+00:00')
    }
    database.exec(script)
  }
  const rows = database.prepare('SELECT "revokedAt" FROM "RevokedToken" ORDER BY "jti"').pluck().all()
  assert.deepEqual(rows, [null, '2026-05-01T10:00:00.250+00:00', '2026-05-01T10:00:00.250+00:00'])
  database.close()
})

test('stored events and counts of refresh tokens get the names of a retry and of a replay', () => {
  const database = new Database(':memory:')
  for (const { name, script } of readMigrations('sqlite')) {
    if (name.endsWith('_refresh_event_names')) {
      const columns = '"id", "time", "name", "outcome", "requestId", "reason", "details"'
      const add = database.prepare(`INSERT INTO "Event" (${columns}) VALUES (?, 0, ?, 'failure', 'r', ?, ?)`)
      add.run('1', 'refresh_replayed', null, null)
      add.run('2', 'refresh_reused', null, null)
      add.run('3', 'token_refused', 'refresh_token_reused', null)
      add.run('4', 'refusals_not_kept', null, '{"count":2,"kind":"refresh_reused"}')
      add.run('5', 'code_replayed', null, null)
      database.exec(`INSERT INTO "HourlyCount" VALUES (0, 'refusal', 'refresh_token_reused', 1)`)
      database.exec(`INSERT INTO "DailyCount" VALUES (0, 'refusal', 'refresh_token_reused', 1)`)
    }
    database.exec(script)
  }
  const rows = database.prepare('SELECT "name", "reason", "details" FROM "Event" ORDER BY "id"').raw().all()
  assert.deepEqual(rows, [
    ['refresh_retried', null, null],
    ['refresh_token_replayed', null, null],
    ['token_refused', 'refresh_token_replayed', null],
    ['refusals_not_kept', null, '{"count":2,"kind":"refresh_token_replayed"}'],
    ['code_replayed', null, null],
  ])
  for (const table of ['HourlyCount', 'DailyCount'])
    assert.equal(database.prepare(`SELECT "label" FROM "${table}"`).pluck().get(), 'refresh_token_replayed')
  database.close()
})

test('both databases have the same migrations, and they create the tables of the schema', async () => {
  const names = (kind: 'sqlite' | 'postgresql') => readMigrations(kind).map(({ name }) => name)
  assert.deepEqual(names('sqlite'), names('postgresql'))
  assert.equal(await schemaDifference(), null)
})

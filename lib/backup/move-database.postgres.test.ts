/** Tests the move from SQLite to PostgreSQL: every row of every table arrives, also after interruptions. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import Database from 'better-sqlite3'
import pg from 'pg'
import { makeSigningKey } from '#lib/crypto/keys/signing-key.ts'
import { masterKeysFor } from '#lib/crypto/testing/master-keys.ts'
import { openInstallation } from '#lib/crypto/testing/opened-installation.ts'
import { openMoveSource, type SourceTable } from '#lib/storage/move/move-source.ts'
import { takeLease } from '#lib/storage/sqlite/sqlite-lease.ts'
import { type RunningPostgres, startPostgres } from '#lib/storage/testing/postgres.ts'
import { now, sampleAuditEntry } from '#lib/storage/testing/samples.ts'
import { migrate } from '#prisma/migrate.ts'
import { readMigrations } from '#prisma/migration-files.ts'
import { checkDatabase } from './check-database.ts'
import { type MoveRequest, moveDatabase } from './move-database.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'latchkey-move-'))
const database = join(folder, 'latchkey.db')
const masterKey = randomBytes(32)
const masterKeys = masterKeysFor(masterKey)
const knownMigrations = readMigrations('sqlite').map(({ name }) => name)
let postgres: RunningPostgres

before(async () => {
  postgres = await startPostgres()
  await migrate({ kind: 'sqlite', file: database })
  const { storage, sealing } = await openInstallation({ kind: 'sqlite', file: database }, masterKeys)
  const signing = { algorithm: 'ES256', generation: 1, createdAt: now, activatesAt: now } as const
  await storage.signingKeys.create(await makeSigningKey(signing, sealing))
  for (const action of ['clients.create', 'clients.update'])
    await storage.adminStore.commit({ writes: [], audit: [{ ...sampleAuditEntry(), action }] }, now)
  await storage.close()
  fillTables(database)
})
after(async () => {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The tables whose rows have a meaning that the checks of a move read. */
const meaningful = ['AuditRow', 'AuditHead', 'SigningKey']

/** Adds rows with all kinds of values to each table. */
function fillTables(file: string): void {
  const source = openMoveSource(file)
  const opened = new Database(file)
  for (const { name, columns } of source.tables.filter(table => !meaningful.includes(table.name))) {
    const references = foreignColumns(opened, name)
    const nullable = nullableColumns(opened, name)
    const names = columns.map(column => `"${column.name}"`).join(', ')
    const insert = opened.prepare(
      `INSERT INTO "${name}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`,
    )
    for (const index of [1, 2, 3]) {
      const cells = columns.map(({ name: column, type }) => {
        if (index === 2 && nullable.has(column)) return null
        return sampleCell(references.get(column) ?? `${name}.${column}`, type, index)
      })
      insert.run(...cells)
    }
  }
  source.close()
  opened.close()
}

/** A value that is the same for a column and for those that refer to it. */
function sampleCell(column: string, type: string, index: number): string | number {
  if (type === 'DATETIME') return `2026-05-0${index}T10:00:00.12${index}+00:00`
  if (type === 'BOOLEAN') return index % 2
  if (type === 'TEXT') return `${column} ${index} "Ä\\u0000\\\\é 😀'\n\u{1}`
  return index + (column.endsWith('signatureCounter') ? 4_000_000_000 : 0)
}

function foreignColumns(opened: Database.Database, table: string): ReadonlyMap<string, string> {
  const rows: readonly unknown[] = opened
    .prepare('SELECT "from", "table" || \'.\' || "to" FROM pragma_foreign_key_list(?)')
    .raw()
    .all(table)
  return new Map(rows.map(row => (Array.isArray(row) ? [String(row[0]), String(row[1])] : ['', ''])))
}

function nullableColumns(opened: Database.Database, table: string): ReadonlySet<string> {
  const query = 'SELECT "name" FROM pragma_table_info(?) WHERE "notnull" = 0 AND "pk" = 0'
  return new Set(opened.prepare(query).pluck().all(table).map(String))
}

function requestTo(url: string, changes: Partial<MoveRequest> = {}): MoveRequest {
  return {
    source: { kind: 'sqlite', file: database },
    target: { kind: 'postgresql', url },
    migrate: (location, whileLocked) => migrate(location, readMigrations(location.kind), whileLocked),
    knownMigrations,
    check: location => checkDatabase(location, masterKeys),
    onTable: () => {},
    ...changes,
  }
}

async function query(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url, types: { getTypeParser: () => String } })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Returns the tables whose rows differ. Times and Boolean values are compared in the form of SQLite. */
async function differences(file: string, url: string): Promise<readonly string[]> {
  const source = openMoveSource(file)
  const opened = new Database(file, { readonly: true })
  try {
    const different: string[] = []
    for (const table of source.tables) {
      const { name, columns, key } = table
      const order = key.map(column => `"${column}"`).join(', ')
      const ours = opened.prepare(
        `SELECT ${columns.map(c => `"${c.name}"`).join(', ')} FROM "${name}" ORDER BY ${order}`,
      )
      const theirs = await query(
        url,
        `SELECT ${asInSqlite(table)} FROM "${name}"${without(name)} ORDER BY ${order}`,
      )
      assert.ok(theirs.length > 0, `${name} has rows`)
      if (JSON.stringify(ours.all().map(textual)) !== JSON.stringify(theirs)) different.push(name)
    }
    return different
  } finally {
    source.close()
    opened.close()
  }
}

function asInSqlite({ columns }: SourceTable): string {
  return columns
    .map(({ name, type }) => {
      if (type === 'DATETIME') return `to_char("${name}", 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') AS "${name}"`
      return type === 'BOOLEAN' ? `"${name}"::integer AS "${name}"` : `"${name}"`
    })
    .join(', ')
}

/** Leaves out the row with which a move ends. */
function without(table: string): string {
  return table === 'Meta' ? ` WHERE "name" <> 'moved_from'` : ''
}

function textual(row: unknown): unknown {
  const entries = Object.entries(typeof row === 'object' && row !== null ? row : {})
  return Object.fromEntries(entries.map(([name, value]) => [name, value === null ? null : String(value)]))
}

test('BAK-03 a move brings every row of every table, compares the audit log, and leaves the source unchanged', async () => {
  const url = await postgres.createDatabase('whole')
  const { changes, signingKeys, isRepeated } = await moveDatabase(requestTo(url))
  assert.deepEqual([changes, signingKeys, isRepeated], [2, 1, false])
  assert.deepEqual(await differences(database, url), [])
  const unchanged = readFileSync(database)
  assert.equal((await moveDatabase(requestTo(url))).isRepeated, true)
  assert.deepEqual(readFileSync(database), unchanged)
})

test('BAK-03 a move continues after each interruption, and writes no row twice', async () => {
  const url = await postgres.createDatabase('interrupted')
  const tables = openMoveSource(database)
  const names = tables.tables.map(({ name }) => name)
  tables.close()
  for (const interrupted of names) {
    const onTable = (name: string) => {
      if (name === interrupted) throw new Error('cut off')
    }
    await assert.rejects(
      moveDatabase(requestTo(url, { onTable })),
      /^BackupProblem: The move was interrupted: cut off\n/,
    )
  }
  await moveDatabase(requestTo(url))
  assert.deepEqual(await differences(database, url), [])
})

test('BAK-03 no server starts on a part of the data, and another source does not continue the move', async () => {
  const url = await postgres.createDatabase('partly')
  const stopping = () => {
    throw new Error('cut off')
  }
  await assert.rejects(moveDatabase(requestTo(url, { onTable: stopping })))
  await assert.rejects(
    migrate({ kind: 'postgresql', url }),
    /^ConfigError: DATABASE_URL: the data of a SQLite database has been moved here only in part; run /,
  )
  const changed = join(folder, 'changed.db')
  copyFileSync(database, changed)
  new Database(changed).exec(`UPDATE "Meta" SET "value" = 'changed' WHERE "name" LIKE 'Meta%'`).close()
  await assert.rejects(
    moveDatabase(requestTo(url, { source: { kind: 'sqlite', file: changed } })),
    /^ConfigError: The PostgreSQL database has a part of other data: /,
  )
  const setLast = (value: string) =>
    query(
      url,
      `UPDATE "_prisma_migrations" SET "rolled_back_at" = ${value} WHERE "migration_name" = '${knownMigrations.at(-1)}'`,
    )
  await setLast('now()')
  await assert.rejects(moveDatabase(requestTo(url)), /^ConfigError: The move was begun by another release/)
  await setLast('NULL')
  await moveDatabase(requestTo(url))
  assert.equal(await migrate({ kind: 'postgresql', url }), 0)
})

test('BAK-03 a target with data, or with tables of another program, is refused and not changed', async () => {
  const filled = await postgres.createDatabase('filled')
  await migrate({ kind: 'postgresql', url: filled })
  await query(filled, `INSERT INTO "Meta" VALUES ('written', 'x')`)
  await assert.rejects(
    moveDatabase(requestTo(filled)),
    /^ConfigError: The PostgreSQL database already has data of Latchkey/,
  )
  const foreign = await postgres.createDatabase('foreign')
  await query(foreign, 'CREATE TABLE "Other" ("id" TEXT)')
  await assert.rejects(moveDatabase(requestTo(foreign)), /has tables of another program/)
  assert.deepEqual(await query(foreign, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`), [
    { tablename: 'Other' },
  ])
})

test('BAK-03 a source that a server uses, of an earlier release or with an edited audit log is refused', async () => {
  const url = await postgres.createDatabase('refusing')
  const lease = takeLease(database)
  await assert.rejects(moveDatabase(requestTo(url)), /^ConfigError: The server is running: stop it/)
  lease.release()
  await assert.rejects(
    moveDatabase(requestTo(url, { knownMigrations: knownMigrations.slice(0, -1) })),
    /is of another release: start this release/,
  )
  const edited = join(folder, 'edited.db')
  copyFileSync(database, edited)
  new Database(edited).exec(`UPDATE "AuditRow" SET "targetId" = 'other' WHERE "seq" = 2`).close()
  await assert.rejects(
    moveDatabase(requestTo(url, { source: { kind: 'sqlite', file: edited } })),
    /^BackupProblem: The audit log is broken at change 2/,
  )
  await assert.rejects(
    moveDatabase(requestTo(url, { source: { kind: 'sqlite', file: join(folder, 'none.db') } })),
    /^ConfigError: There is no database at /,
  )
  assert.deepEqual(await query(url, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`), [])
})

test('BAK-03 a move that is killed three times completes with every row', async () => {
  const url = await postgres.createDatabase('killed')
  const large = join(folder, 'large.db')
  copyFileSync(database, large)
  const opened = new Database(large)
  opened.exec(`INSERT INTO "UsedId" SELECT printf('%08x', value), '2031-01-01T00:00:00.000+00:00'
    FROM (WITH RECURSIVE numbers(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < 60000)
      SELECT value FROM numbers)`)
  opened.close()
  for (const rows of [1000, 11_000, 31_000]) {
    const child = startMove(large, url)
    while (child.exitCode === null && (await countUsedIds(url)) < rows);
    assert.equal(child.exitCode, null, 'is killed while it runs')
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const child = startMove(large, url)
  await once(child, 'exit')
  assert.equal(child.exitCode, 0)
  assert.equal(await countUsedIds(url), 60_003)
  assert.deepEqual(await differences(large, url), [])
})

function startMove(file: string, url: string): ChildProcess {
  const { PATH } = process.env
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: 'production',
    PATH,
    DATABASE_URL: `file:${file}`,
    DATA_DIR: folder,
    MASTER_KEY: masterKey.toString('base64'),
  }
  return spawn(process.execPath, ['lib/server/cli/move-command.ts', url], { cwd: root, env, stdio: 'ignore' })
}

async function countUsedIds(url: string): Promise<number> {
  const rows = await query(url, `SELECT COUNT(*) AS "count" FROM "UsedId"`).catch(() => [])
  return Number(Object.values(Object(rows[0]))[0] ?? 0)
}

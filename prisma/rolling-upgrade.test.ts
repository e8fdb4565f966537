import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { type RunningPostgres, startPostgres } from '#lib/storage/testing/postgres.ts'
import { adapterFor } from './adapter.ts'
import { migrate } from './migrate.ts'
import { type Migration, migrationOf, readMigrations } from './migration-files.ts'
import { holdMigrationLock } from './migration-lock.ts'
import { releaseNumber } from './migration-names.ts'
import { planUpgrade } from './plan-upgrade.ts'

const later = 'CREATE TABLE "Later" ("id" TEXT NOT NULL PRIMARY KEY);'

function next(kind: string, { script = later, release = releaseNumber + 1, name = 'later' } = {}): Migration {
  return migrationOf(`29990101000000_r${release}_${kind}_${name}`, script)
}

async function withConnection<T>(
  location: DatabaseLocation,
  use: (adapter: SqlDriverAdapter) => Promise<T>,
): Promise<T> {
  const adapter = await adapterFor(location).connect()
  try {
    return await use(adapter)
  } finally {
    await adapter.dispose()
  }
}

async function read(location: DatabaseLocation, sql: string): Promise<readonly unknown[][]> {
  return withConnection(
    location,
    async adapter => (await adapter.queryRaw({ sql, args: [], argTypes: [] })).rows,
  )
}

function upgradeSuite(newDatabase: () => Promise<DatabaseLocation>): void {
  let location: DatabaseLocation
  beforeEach(async () => {
    location = await newDatabase()
    await migrate(location)
  })
  const upgrade = (...migrations: readonly Migration[]) =>
    migrate(location, [...readMigrations(location.kind), ...migrations])

  test('UP-01 this release accepts a database that the next one has expanded', async () => {
    const index = next('expand', { script: '-- Nothing', release: releaseNumber, name: 'same_release' })
    assert.equal(await upgrade(next('expand'), index), 2)
    assert.equal(await migrate(location), 0)
    assert.deepEqual(await read(location, 'SELECT "id" FROM "Later"'), [])
  })

  const refused = [
    { name: 'a contracted database', migrations: [next('expand'), next('contract', { script: '--' })] },
    { name: 'a migration without a kind', migrations: [migrationOf('29990101000000_later', later)] },
    {
      name: 'a database that is two releases newer',
      migrations: [next('expand', { release: releaseNumber + 2 })],
      reason: /are of a release that is more than one release newer\. Start the release that made them/,
    },
  ]
  for (const { name, migrations, reason = /change tables in a way/ } of refused) {
    test(`UP-01 this release refuses ${name} with a sentence`, async () => {
      await upgrade(...migrations)
      await assert.rejects(migrate(location), { name: 'ConfigError', message: reason })
      await assert.rejects(migrate(location), { message: new RegExp(migrations.at(-1)?.name ?? '') })
    })
  }

  test('UP-01 an expanded database that lacks a migration of this release is refused', async () => {
    await upgrade(next('expand'))
    const own = migrationOf('28990101000000_r1_expand_own', 'CREATE TABLE "Own" ("id" TEXT);')
    await assert.rejects(upgrade(own), { name: 'ConfigError', message: /does not know/ })
    await assert.rejects(read(location, 'SELECT 1 FROM "Own"'))
  })

  test('UP-01 a plan says before an upgrade whether it can be rolling', async () => {
    const all = readMigrations(location.kind)
    const planned = async (...migrations: readonly Migration[]) => {
      const plan = await planUpgrade(location, [...all, ...migrations])
      return [plan?.isRolling, plan?.migrations.length]
    }
    assert.deepEqual(await planned(), [true, 0])
    assert.deepEqual(await planned(next('expand')), [true, 1])
    assert.deepEqual(await planned(next('expand'), next('contract')), [false, 2])
    assert.deepEqual(await planned(next('expand', { release: releaseNumber + 2 })), [false, 1])
    await upgrade(next('expand'))
    const further = next('expand', { release: releaseNumber + 2, name: 'further' })
    assert.deepEqual(await planned(next('expand'), further), [true, 1])
    assert.equal(await planUpgrade(await newDatabase()), null)
  })

  test('UP-04 a migration that fails leaves the database as it was, and its release can try again', async () => {
    const history = 'SELECT migration_name, finished_at IS NOT NULL FROM _prisma_migrations ORDER BY 1'
    const before = await read(location, history)
    const failing = next('expand', { script: `${later}\nINSERT INTO "Absent" VALUES (1);` })
    await assert.rejects(
      upgrade(failing),
      /^Error: The migration 2999\w+ failed, and changed nothing: .*Absent/,
    )
    assert.deepEqual(await read(location, history), before)
    assert.equal(await migrate(location), 0)
    assert.equal(await upgrade(next('expand')), 1)
  })
}

describe('an upgrade on SQLite', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-upgrade-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))
  const newFile = async () =>
    ({ kind: 'sqlite', file: join(mkdtempSync(join(folder, 'db-')), 'latchkey.db') }) as const

  upgradeSuite(newFile)

  test('UP-04 a migration that rebuilds a table keeps the rows that refer to it, and is all or nothing', async () => {
    const location = await newFile()
    await migrate(location, [])
    const parent = 'CREATE TABLE "A" ("id" TEXT PRIMARY KEY); INSERT INTO "A" VALUES (1);'
    const child = 'CREATE TABLE "B" ("a" TEXT REFERENCES "A" ON DELETE CASCADE); INSERT INTO "B" VALUES (1);'
    const first = migrationOf('1', parent + child)
    const rebuild = `PRAGMA foreign_keys=OFF; CREATE TABLE "new_A" ("id" TEXT PRIMARY KEY, "x" TEXT);
      INSERT INTO "new_A" ("id") SELECT "id" FROM "A"; DROP TABLE "A"; ALTER TABLE "new_A" RENAME TO "A";`
    await assert.rejects(migrate(location, [first, migrationOf('2', `${rebuild} SELECT "absent";`)]))
    assert.equal(await migrate(location, [first, migrationOf('2', `${rebuild} PRAGMA foreign_keys=ON;`)]), 1)
    assert.deepEqual(await read(location, 'SELECT "x" FROM "A"'), [[null]])
    assert.deepEqual(await read(location, 'SELECT "a" FROM "B"'), [['1']])
  })

  test('UP-04 a migration whose process is killed has changed nothing, and is applied by the next start', async () => {
    const location = await newFile()
    await migrate(location)
    await killWhileMigrating(location.file)
    assert.equal(await migrate(location), 0, 'the earlier release')
    await assert.rejects(read(location, 'SELECT 1 FROM "Later"'))
    assert.equal(await migrate(location, [...readMigrations('sqlite'), next('expand')]), 1)
    assert.deepEqual(await read(location, 'SELECT 1 FROM "Later"'), [])
  })
})

const migrateInChild = `
  const { migrate } = await import('./prisma/migrate.ts')
  const { migrationOf, readMigrations } = await import('./prisma/migration-files.ts')
  const [file, name, script] = process.argv.slice(1)
  await migrate({ kind: 'sqlite', file }, [...readMigrations('sqlite'), migrationOf(name, script)])`

/** Begins a migration that writes for a long time in another process, and kills that while it writes. */
async function killWhileMigrating(file: string): Promise<void> {
  const numbers =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT printf('%0999d', i) FROM n"
  const { name, script } = next('expand', { script: `${later} INSERT INTO "Later" ${numbers};` })
  const given = ['--input-type=module', '-e', migrateInChild, file, name, script]
  const child = spawn(process.execPath, given, { cwd: dirname(import.meta.dirname), stdio: 'inherit' })
  const written = () => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  while (child.exitCode === null && written() < 10_000_000) await delay(10)
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  assert.deepEqual(await ended, [null, 'SIGKILL'])
}

describe('an upgrade on PostgreSQL', () => {
  let server: RunningPostgres
  let number = 0
  before(async () => {
    server = await startPostgres()
  })
  after(() => server.stop())
  const newDatabase = async () => {
    number += 1
    return { kind: 'postgresql', url: await server.createDatabase(`upgrade${number}`) } as const
  }

  upgradeSuite(newDatabase)

  test('UP-03 a migration that waits for a table lets requests pass, and ends when the table is free', async () => {
    const location = await newDatabase()
    await migrate(location)
    const script = 'ALTER TABLE "Meta" ADD COLUMN "later" TEXT;'
    await withConnection(location, async adapter => {
      const transaction = await adapter.startTransaction()
      const run = (sql: string) => transaction.executeRaw({ sql, args: [], argTypes: [] })
      await run('SELECT 1 FROM "Meta"')
      const upgrade = migrate(location, [...readMigrations('postgresql'), next('expand', { script })])
      const waits = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '"Meta"'::regclass`
      while ((await read(location, waits)).length === 0) await delay(20)
      // Waits behind the migration, until that gives way
      await read(location, 'SELECT "value" FROM "Meta"')
      await run('COMMIT')
      await transaction.commit()
      assert.equal(await upgrade, 1)
    })
    assert.deepEqual(await read(location, 'SELECT "later" FROM "Meta"'), [])
  })

  const concurrent = 'CREATE INDEX CONCURRENTLY IF NOT EXISTS "Meta_value_idx" ON "Meta"("value");'
  const isValid = `SELECT indisvalid FROM pg_index WHERE indexrelid = '"Meta_value_idx"'::regclass`

  test('UP-03 an index of an existing table is created while other nodes wait for the migration', async () => {
    const location = await newDatabase()
    await migrate(location)
    const held = await holdMigrationLock(location.url)
    const all = [...readMigrations('postgresql'), next('expand', { script: concurrent })]
    const upgrades = [migrate(location, all), migrate(location, all)]
    await held.release()
    assert.deepEqual((await Promise.all(upgrades)).toSorted(), [0, 1])
    assert.deepEqual(await read(location, isValid), [[true]])
  })

  test('UP-03 the time limit of requests does not end the creation of an index', async () => {
    const location = await newDatabase()
    await migrate(location)
    const limited = { ...location, url: `${location.url}?options=-c%20statement_timeout%3D300` }
    await withConnection(location, async adapter => {
      const transaction = await adapter.startTransaction()
      const run = (sql: string) => transaction.executeRaw({ sql, args: [], argTypes: [] })
      await run(`INSERT INTO "Meta" VALUES ('waited', 'for')`)
      const upgrade = migrate(limited, [
        ...readMigrations('postgresql'),
        next('expand', { script: concurrent }),
      ])
      const isOver = upgrade.then(
        () => true,
        () => true,
      )
      const creates = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
        AND query LIKE 'CREATE INDEX%' AND now() - query_start > interval '600 milliseconds'`
      while (
        !(await Promise.race([isOver, delay(20, false)])) &&
        (await read(location, creates)).length === 0
      );
      await run('COMMIT')
      await transaction.commit()
      assert.equal(await upgrade, 1)
    })
    assert.deepEqual(await read(location, isValid), [[true]])
  })

  test('UP-04 an index that an interrupted migration has left is created again', async () => {
    const location = await newDatabase()
    await migrate(location)
    await withConnection(location, async adapter => {
      await adapter.executeScript('CREATE INDEX "Meta_value_idx" ON "Meta"("value")')
      await adapter.executeScript(
        `UPDATE pg_index SET indisvalid = false WHERE indexrelid = '"Meta_value_idx"'::regclass`,
      )
    })
    assert.deepEqual(await read(location, isValid), [[false]])
    await migrate(location, [...readMigrations('postgresql'), next('expand', { script: concurrent })])
    assert.deepEqual(await read(location, isValid), [[true]])
  })
})

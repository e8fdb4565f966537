/** Tests the server on a database that a later release has migrated. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import Database from 'better-sqlite3'
import pg from 'pg'
import { visitApps } from '../fixtures/requests/app-visit.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { send } from '../fixtures/requests/http-client.ts'
import { testConfiguration } from '../fixtures/server/configuration.ts'
import { openDatabase } from '../fixtures/server/database.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, newMasterKey, spawnLatchkey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'

/** The history row of a migration that this release does not know. The next release has the number 2. */
function unknownMigration(kind: 'expand' | 'contract'): string {
  return `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count")
    VALUES ('${kind}', '00', '29990101000000_r2_${kind}_later', '2999-01-01T00:00:00.000+00:00', '2999-01-01T00:00:00.000+00:00', 1)`
}

const configuration = testConfiguration({ app })
const directory = await mkdtemp(join(tmpdir(), 'latchkey-rolling-'))
after(() => rm(directory, { recursive: true, force: true }))

async function refusedStart(environment: Readonly<Record<string, string>>, dataDirectory: string) {
  const port = await freePort()
  const child = await spawnLatchkey({
    ...{ port, dataDirectory, issuer: `http://localhost:${port}`, configuration, environment },
  })
  const forced = setTimeout(() => child.process.kill('SIGKILL'), 20_000)
  const [code] = await once(child.process, 'exit')
  clearTimeout(forced)
  return { code: Number(code), output: child.output() }
}

const sentence =
  /The database contains migrations that this release does not know \(29990101000000_r2_contract_later, 29990101000000_r2_expand_later\), and they change tables in a way that this release does not work with\. Start the release that made them, or a newer one\./

test('UP-01 a SQLite file that the next release has expanded is served, and a contracted one is refused', async () => {
  const options = { port: await freePort(), configuration, dataDirectory: directory }
  const change = (sql: string) => new Database(join(directory, 'latchkey.db')).exec(sql).close()
  await (await startLatchkey(options)).stop()
  change('ALTER TABLE "User" ADD COLUMN "later" TEXT; CREATE TABLE "Later" ("id" TEXT PRIMARY KEY);')
  change(unknownMigration('expand'))
  const server = await startLatchkey(options)
  await visitApps(server.issuer, app)
  await server.stop()
  change(unknownMigration('contract'))
  const { code, output } = await refusedStart({}, directory)
  assert.equal(code, 2)
  assert.match(output, sentence)
  assert.doesNotMatch(output, /^ +at /m, 'a sentence without a stack trace')
})

describe('a node on PostgreSQL, whose database is migrated while it serves', () => {
  let url: string
  let close: () => Promise<void>
  let server: Latchkey
  let database: pg.Client
  const environment = { MASTER_KEY: newMasterKey() }
  before(async () => {
    const opened = await openDatabase('postgresql')
    url = opened.url ?? ''
    close = opened.close
    server = await startLatchkey({ port: await freePort(), configuration, databaseUrl: url, environment })
    database = new pg.Client(url)
    await database.connect()
  })
  after(async () => {
    await server.stop()
    await database.end()
    await close()
  })

  /** Adds a column with a value to each table, as the next release could. */
  async function expand(): Promise<void> {
    const { rows } = await database.query(
      `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
    )
    assert.ok(rows.length > 30)
    for (const { tablename } of rows) {
      await database.query(`ALTER TABLE "${tablename}" ADD COLUMN "addedLater" TEXT NOT NULL DEFAULT 'later'`)
      await database.query(`CREATE INDEX ON "${tablename}"("addedLater")`)
    }
    await database.query('CREATE TABLE "Later" ("id" TEXT PRIMARY KEY)')
    await database.query(unknownMigration('expand'))
  }

  test('UP-01 UP-03 no request fails while each table gets a column, and afterwards', async () => {
    const { issuer } = server
    // Every statement has a plan before the tables change
    await visitApps(issuer, app)
    let isExpanded = false
    const visits = async () => {
      while (!isExpanded) await visitApps(issuer, app)
    }
    const expanded = expand().finally(() => {
      isExpanded = true
    })
    await Promise.all([expanded, visits(), visits()])
    await visitApps(issuer, app)
    const dashboard = await newBrowser(issuer).follow('/login')
    assert.equal(dashboard.answer.status, 200)
    assert.doesNotMatch(server.output(), /cached plan|"level":"error"/)
  })

  test('UP-01 a second node of this release starts on the expanded database and serves', async () => {
    const other = await startLatchkey({
      ...{ port: await freePort(), configuration, databaseUrl: url, environment },
    })
    await visitApps(other.issuer, app)
    assert.equal((await send(other.origin, '/readyz')).status, 200)
    await other.stop()
  })

  test('UP-01 a node of this release refuses the database with a sentence once it is contracted', async () => {
    await database.query(unknownMigration('contract'))
    const folder = await mkdtemp(join(directory, 'refused-'))
    const { code, output } = await refusedStart({ ...environment, DATABASE_URL: url }, folder)
    assert.equal(code, 2)
    assert.match(output, sentence)
  })
})

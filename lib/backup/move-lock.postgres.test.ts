/** Tests a server that starts while a move migrates its target. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type RunningPostgres, startPostgres } from '#lib/storage/testing/postgres.ts'
import { migrate } from '#prisma/migrate.ts'
import { readMigrations } from '#prisma/migration-files.ts'
import { type MoveRequest, moveDatabase } from './move-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-move-lock-'))
const source = { kind: 'sqlite', file: join(folder, 'latchkey.db') } as const
let postgres: RunningPostgres
before(async () => {
  postgres = await startPostgres()
  await migrate(source)
})
after(async () => {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Makes a request that is cut off after the first table. */
function requestTo(url: string, whenMigrated: () => Promise<void>): MoveRequest {
  return {
    source,
    target: { kind: 'postgresql', url },
    migrate: (location, whileLocked) =>
      migrate(location, readMigrations(location.kind), async () => {
        await whenMigrated()
        await whileLocked()
      }),
    knownMigrations: readMigrations('sqlite').map(({ name }) => name),
    check: async () => ({ changes: 0, signingKeys: 0 }),
    onTable: () => {
      throw new Error('cut off')
    },
  }
}

test('BAK-03 a server that waits while a move migrates the empty target does not start on a part of the data', async () => {
  const url = await postgres.createDatabase('waiting')
  const refusal = /^ConfigError: DATABASE_URL: .* has been moved here only in part; run /
  let started = Promise.resolve()
  const request = requestTo(url, async () => {
    started = assert.rejects(migrate({ kind: 'postgresql', url }), refusal)
    await untilWaiting(url)
  })
  await assert.rejects(moveDatabase(request), /cut off/)
  await started
})

test('BAK-03 a target that gets rows while it is migrated is refused, and not marked', async () => {
  const url = await postgres.createDatabase('written')
  const request = requestTo(url, () => withClient(url, client => client.query(writing)).then(() => {}))
  await assert.rejects(
    moveDatabase(request),
    /^ConfigError: Another program is using the PostgreSQL database/,
  )
  assert.equal(await migrate({ kind: 'postgresql', url }), 0)
})

const writing = `INSERT INTO "Meta" VALUES ('written', 'x')`

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Waits until another connection than the one of the move has asked for the lock. */
async function untilWaiting(url: string): Promise<void> {
  const waits = `SELECT 1 FROM pg_stat_activity, pg_locks WHERE locktype = 'advisory' AND granted
    AND datname = 'waiting' AND query LIKE 'SELECT pg_try_advisory%' AND pg_stat_activity.pid <> pg_locks.pid`
  await withClient(url, async client => {
    while ((await client.query(waits)).rowCount === 0) await delay(20)
  })
}

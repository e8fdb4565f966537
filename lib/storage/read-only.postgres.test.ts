/** HA-02: tests connections that can only read, or that end, as in a failover. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import { connectDatabase, type Database } from './database.ts'
import { type Host, openHost } from './testing/host.ts'
import { type RunningPostgres, startPostgres } from './testing/postgres.ts'
import { atOnce } from './testing/races.ts'
import { now, sampleGrant } from './testing/samples.ts'

let server: RunningPostgres
let host: Host
before(async () => {
  server = await startPostgres()
  host = await openHost({ kind: 'postgresql', url: server.url })
})
after(async () => {
  await host.close()
  await server.stop()
})

async function open(t: { after: (done: () => Promise<void>) => void }, connections: number) {
  const database = await connectDatabase(host.location, { connections })
  t.after(() => database.$disconnect())
  return database
}

/** Makes every connection read-only, as one behind a proxy is that now leads to a standby. */
async function makeReadOnly(database: Database, connections: number): Promise<void> {
  await atOnce(connections, () =>
    database.$transaction(async tables => {
      await tables.$executeRaw(Prisma.raw('SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY'))
      await tables.$queryRaw(Prisma.raw(`SELECT pg_sleep(0.2)::text`))
    }),
  )
}

const put = (name: string) => ({
  writes: [[{ sql: `INSERT INTO "Meta" ("name", "value") VALUES ($1, 'x')`, keys: 1 }, [name]] as const],
})

function failed(run: () => Promise<unknown>): Promise<boolean> {
  return run().then(
    () => false,
    () => true,
  )
}

test('HA-02 after a transaction that could only read, the next one has another connection', async t => {
  const database = await open(t, 1)
  await makeReadOnly(database, 1)
  const write = (name: string) => () =>
    database.$transaction(tables => tables.meta.create({ data: { name, value: 'x' } }))
  assert.equal(await failed(write('kept-1')), true)
  assert.equal(await failed(write('kept-2')), false)
})

test('HA-02 one connection that can only read ends all of them, and its change is sent once more', async t => {
  const database = await open(t, 4)
  await makeReadOnly(database, 4)
  assert.equal(await database.$change(put('again-1')), null)
  const written = await atOnce(4, index =>
    failed(() =>
      database.$transaction(async tables => {
        await tables.meta.create({ data: { name: `again-all-${index}`, value: 'x' } })
        await tables.$queryRaw(Prisma.raw(`SELECT pg_sleep(0.1)::text`))
      }),
    ),
  )
  assert.deepEqual(written, [false, false, false, false])
})

test('HA-02 a database that stays read-only refuses a change once, and keeps serving reads', async t => {
  const url = await server.createDatabase('staying')
  const other = await openHost({ kind: 'postgresql', url })
  t.after(() => other.close())
  await other.tables.$executeRaw(Prisma.raw('ALTER DATABASE staying SET default_transaction_read_only = on'))
  await makeReadOnly(other.tables, 1)
  await assert.rejects(other.tables.$change(put('never')), { code: '25006' })
  assert.equal(await other.tables.meta.count({ where: { name: 'never' } }), 0)
})

test('HA-02 a read on a connection that the server has ended is sent once more', async t => {
  const database = await open(t, 1)
  const pid = { sql: 'SELECT pg_backend_pid()', keys: 0 }
  for (let round = 0; round < 5; round += 1) {
    const [backend] = (await database.$first(pid, [])) ?? []
    await host.tables.$queryRaw(Prisma.raw(`SELECT pg_terminate_backend(${backend})`))
    const [next] = (await database.$first(pid, [])) ?? []
    assert.notEqual(next, backend)
  }
})

test('HA-02 a change on a connection that the server ends is not sent again', async t => {
  const database = await open(t, 1)
  const slow = {
    writes: [
      [
        { sql: `INSERT INTO "Meta" ("name", "value") SELECT $1, pg_sleep(2)::text`, keys: 1 },
        ['ended'],
      ] as const,
    ],
  }
  const change = failed(() => database.$change(slow))
  let ended = 0
  while (ended === 0)
    ended = await host.tables.$executeRaw(
      Prisma.raw(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'`),
    )
  assert.equal(await change, true)
  assert.equal(await host.tables.meta.count({ where: { name: 'ended' } }), 0)
})

test('HA-02 a standby is not used, and requests are refused until it is promoted', {
  timeout: 60_000,
}, async () => {
  const standby = await startPostgres()
  const own = await openHost({ kind: 'postgresql', url: standby.url })
  const sessions = () => own.storage.sessions.allOf(sampleGrant().subject, now)
  const { promote } = await standby.restartAsStandby()
  for (const use of [sessions, sessions, own.storage.ping])
    await assert.rejects(use, error => isOauthError(error) && error.code === 'temporarily_unavailable')
  await promote()
  assert.deepEqual(await sessions(), [])
  await own.storage.ping()
  await own.close()
  await standby.stop()
})

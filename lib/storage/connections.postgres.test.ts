import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import pg from 'pg'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import { openDatabase } from './database.ts'
import { type Host, openHost } from './testing/host.ts'
import { type RunningPostgres, startPostgres } from './testing/postgres.ts'
import { later, newDigest, now, sampleCode, sampleGrant, sampleRefreshToken } from './testing/samples.ts'

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

test('a read, a change and a refused change are one round trip each', async () => {
  const { codes, refreshTokens, configuration } = host.storage
  const grant = sampleGrant()
  const code = sampleCode(grant)
  const token = sampleRefreshToken(grant)
  const issued = { grantId: grant.id, grantExpiresAt: later(9000), refreshToken: token }
  const used = { digest: token.digest, sealedAnswer: 'sealed', answerExpiresAt: later(30) }
  const successor = { grantId: grant.id, refreshToken: sampleRefreshToken(grant) }
  const steps: ReadonlyArray<readonly [answer: unknown, step: () => Promise<unknown>]> = [
    ['opened', () => codes.issue(code, grant)],
    [true, () => codes.redeem(code.digest, issued, now)],
    [false, () => codes.redeem(code.digest, issued, now)],
    [true, () => refreshTokens.rotate(used, successor, now)],
    [null, () => codes.find(newDigest())],
    [await configuration.revision(), () => configuration.revision()],
  ]
  for (const [answer, step] of steps) assert.deepEqual(await countRoundTrips(step), { answer, roundTrips: 1 })
})

test('the process survives that PostgreSQL ends an idle connection, even if Prisma has not connected yet', async () => {
  const opened = openDatabase(host.location)
  const ending = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND state = 'idle'`
  const backend = await opened.$first({ sql: 'SELECT pg_backend_pid()', keys: 0 }, [])
  await host.tables.$queryRaw(Prisma.raw(`${ending} AND pid = ${backend?.[0]}`))
  while (
    (await opened.$first({ sql: 'SELECT pg_backend_pid()', keys: 0 }, []).catch(() => backend))?.[0] ===
    backend?.[0]
  );
  await opened.$disconnect()
})

/** Counts round trips: PostgreSQL sends a response to every `Sync` and every simple query. */
async function countRoundTrips<T>(run: () => Promise<T>): Promise<{ answer: T; roundTrips: number }> {
  const asking = [mock.method(pg.Connection.prototype, 'sync'), mock.method(pg.Connection.prototype, 'query')]
  try {
    const answer = await run()
    return { answer, roundTrips: asking.reduce((sum, { mock: { calls } }) => sum + calls.length, 0) }
  } finally {
    for (const { mock: mocked } of asking) mocked.restore()
  }
}

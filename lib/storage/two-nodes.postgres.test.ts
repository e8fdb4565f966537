/** Simulates two processes on one PostgreSQL with two storages. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { attemptsInFlight, identityServer3SkewSeconds, liveAtOnce } from '#lib/config/limits.ts'
import { openStorage, type Storage } from './open.ts'
import { postgresStatements } from './sql/postgres-statements.ts'
import { auditHash, type Host, openHost } from './testing/host.ts'
import { type RunningPostgres, startPostgres } from './testing/postgres.ts'
import { atOnce, badRounds } from './testing/races.ts'
import {
  later,
  newDigest,
  newSubject,
  now,
  sampleClientRecord,
  sampleCode,
  sampleGrant,
} from './testing/samples.ts'

let server: RunningPostgres
let host: Host
let other: Storage
before(async () => {
  server = await startPostgres()
  host = await openHost({ kind: 'postgresql', url: server.url })
  other = await openStorage(host.location, auditHash)
})
after(async () => {
  await other.close()
  await host.close()
  await server.stop()
})

test('CD-02 one of two nodes redeems a code', async () => {
  const bad = await badRounds({ rounds: 100, racers: 20 }, async () => {
    const grant = sampleGrant()
    const code = sampleCode(grant)
    await host.storage.codes.issue(code, grant)
    let turn = 0
    return () => {
      turn += 1
      return (turn % 2 === 0 ? other : host.storage).codes.redeem(code.digest, { grantId: null }, now)
    }
  })
  assert.equal(bad, 0)
})

test('two nodes that share a connection of a pooler do not confuse their statements', async () => {
  const pool = new pg.Pool({ connectionString: server.url, max: 1 })
  const [one, two] = [postgresStatements(pool), postgresStatements(pool)]
  assert.deepEqual(await one.first({ sql: 'SELECT 1', keys: 0 }, []), [1])
  assert.deepEqual(await two.first({ sql: 'SELECT 2', keys: 0 }, []), [2])
  await pool.end()
})

test('LIM-06 a code that is being redeemed is not deleted as the oldest one', async () => {
  const subject = newSubject()
  const issue = async (ms: number) => {
    const grant = sampleGrant({ subject })
    const expiresAt = new Date(later(30).getTime() + ms)
    const code = sampleCode(grant, { expiresAt })
    await host.storage.codes.issue(code, grant)
    return { grant, code }
  }
  const oldest = await issue(0)
  for (let count = 1; count < liveAtOnce.codes; count += 1) await issue(count)
  const redemption = new pg.Client(server.url)
  await redemption.connect()
  await redemption.query('BEGIN')
  await redemption.query('UPDATE "AuthorizationCode" SET "usedAt" = now() WHERE "digest" = $1', [
    oldest.code.digest,
  ])
  await issue(liveAtOnce.codes)
  await redemption.query('COMMIT')
  await redemption.end()
  assert.equal((await host.storage.grants.find(oldest.grant.id))?.id, oldest.grant.id)
})

const limitOf5 = () => [{ key: newDigest(), limit: 5, windowSeconds: 300 }]

/** Returns how many of the attempts were checked; the others were refused. */
async function attempts(
  turns: (run: (index: number) => Promise<number>) => Promise<readonly number[]>,
  outcome: 'passed' | 'failed',
): Promise<number> {
  const rules = limitOf5()
  const checked = await turns(async index => {
    const attempt = await (index % 2 === 0 ? other : host.storage).rateLimiter.begin(rules, now)
    if (attempt.kind === 'begun') await attempt.end(outcome)
    return attempt.kind === 'begun' ? 1 : 0
  })
  return checked.reduce((sum, one) => sum + one, 0)
}

test('AU-09 attempts one after the other share one limit, whichever node checks them', async () => {
  const inTurn = async (run: (index: number) => Promise<number>) => {
    const checked: number[] = []
    for (let index = 0; index < 20; index += 1) checked.push(await run(index))
    return checked
  }
  assert.equal(await attempts(inTurn, 'failed'), 5)
})

test('AU-09 a second node allows only as many more wrong attempts as are in flight, and all right ones', async () => {
  for (let round = 0; round < 10; round += 1) {
    const wrong = await attempts(run => atOnce(200, run), 'failed')
    assert.ok(wrong >= 5 && wrong <= 5 + attemptsInFlight.perNode, `${wrong} were checked`)
  }
  assert.equal(await attempts(run => atOnce(200, run), 'passed'), 200)
})

test('AU-09 a node that is gone leaves nothing of the attempts that it was checking', async () => {
  const gone = await openStorage(host.location, auditHash)
  const rules = limitOf5()
  const begun = await atOnce(attemptsInFlight.perNode, () => gone.rateLimiter.begin(rules, now))
  assert.ok(begun.every(({ kind }) => kind === 'begun'))
  await gone.close()
  for (let index = 0; index < 5; index += 1) {
    const attempt = await host.storage.rateLimiter.begin(rules, now)
    assert.ok(attempt.kind === 'begun')
    await attempt.end('failed')
  }
  assert.equal((await host.storage.rateLimiter.begin(rules, now)).kind, 'limited')
})

test('a block is known on the other node after a second', async t => {
  const rules = limitOf5()
  const isBlocked = async () => (await other.rateLimiter.blockedSeconds(rules, now)) > 0
  assert.equal(await isBlocked(), false)
  for (let index = 0; index < 5; index += 1) await host.storage.rateLimiter.consume(rules, now)
  let time = performance.now() + attemptsInFlight.knownMs
  t.mock.method(performance, 'now', () => time++)
  assert.equal(await isBlocked(), true)
  await host.storage.rateLimiter.refund(rules, now)
  time += attemptsInFlight.knownMs
  assert.equal(await isBlocked(), false)
})

test('a client that was unknown is found on every node as soon as one has registered it', async () => {
  const record = sampleClientRecord()
  const find = () => Promise.all([host.storage, other].map(({ clients }) => clients.find(record.clientId)))
  assert.deepEqual(await find(), [null, null])
  await host.storage.configuration.apply({ put: { clients: [record] }, remove: {} }, now)
  assert.deepEqual(
    (await find()).map(found => found?.client.clientId),
    [record.clientId, record.clientId],
  )
})

test('a purge keeps the code that another node is redeeming, and the grant that it extends', async () => {
  const [longAgo, later] = [new Date('2001-01-01T00:00:00.000Z'), new Date('2001-01-01T01:00:00.000Z')]
  const grant = sampleGrant({ expiresAt: longAgo })
  const code = sampleCode(grant, { expiresAt: longAgo })
  await host.storage.codes.issue(code, grant)
  await host.tables.$transaction(async tables => {
    const { id } = grant
    await tables.grant.update({ where: { id }, data: { expiresAt: later } })
    assert.equal(await other.purge(longAgo), 0, 'it does not wait for the grant')
    await tables.authorizationCode.update({ where: { digest: code.digest }, data: { usedAt: now } })
    assert.equal(await other.purge(longAgo), 0)
  })
  assert.notEqual(await host.storage.grants.find(grant.id), null)
  assert.equal(await other.purge(longAgo), 1, 'the code, which was redeemed')
  assert.notEqual(await host.storage.grants.find(grant.id), null)
  assert.equal(await other.purge(new Date(later.getTime() + identityServer3SkewSeconds * 1000)), 1)
})

test('two nodes that purge at the same time delete each row once', async () => {
  const longAgo = new Date('2001-01-01T00:00:00.000Z')
  const grants = Array.from({ length: 600 }, () => sampleGrant({ expiresAt: longAgo }))
  for (const grant of grants) await host.storage.codes.issue(sampleCode(grant, { expiresAt: longAgo }), grant)
  const data = grants.map(() => ({ jti: newDigest(), expiresAt: longAgo }))
  await host.tables.revokedToken.createMany({ data })
  const counts = await Promise.all(
    [host.storage, other, other, host.storage].map(node => node.purge(longAgo)),
  )
  counts.push(await other.purge(longAgo))
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    grants.length * 2,
  )
})

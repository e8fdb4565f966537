import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import Database from 'better-sqlite3'
import { purge as limits, sqliteBusyTimeoutMs } from '#lib/config/limits.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { migrate } from '#prisma/migrate.ts'
import { openStorage, purgeRules } from './open.ts'
import { createDatabaseStatus } from './prisma/configuration/meta.ts'
import { purgeStatement } from './purge.ts'
import { everyContract } from './testing/contract/every-contract.ts'
import { auditHash, type Host, openSqliteHost } from './testing/host.ts'
import { digestOf, later, newDigest, now, sampleCode, sampleGrant } from './testing/samples.ts'

describe('storage on SQLite', () => {
  let host: Host
  before(async () => {
    host = await openSqliteHost()
  })
  after(() => host.close())
  const file = () => (host.location.kind === 'sqlite' ? host.location.file : '')

  everyContract(() => host)

  test('the probe of writing reaches the disk each time, so that it notices a full one', async () => {
    const reader = new Database(file(), { readonly: true })
    const version = () => reader.pragma('data_version', { simple: true })
    const versions = new Set([version()])
    for (let count = 0; count < 3; count += 1) {
      await host.storage.ping()
      versions.add(version())
    }
    reader.close()
    assert.equal(versions.size, 4)
  })

  test('a second process on the same file is refused with a hint to PostgreSQL', () => {
    const script = `
      const { openStorage } = await import(${JSON.stringify(new URL('./open.ts', import.meta.url).href)})
      await openStorage({ kind: 'sqlite', file: process.argv[1] }, () => '')`
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script, file()], {
      encoding: 'utf8',
    })
    assert.equal(run.status, 1)
    assert.match(run.stderr, /Another Latchkey process is using the SQLite database .* postgresql:\/\//)
  })

  test('refuses a second storage and a migration in the same process, and lets backups read', async () => {
    await assert.rejects(openStorage(host.location, auditHash), /Another Latchkey process/)
    await assert.rejects(migrate(host.location), /Another Latchkey process/)
    const backup = new Database(file(), { readonly: true })
    assert.ok(backup.prepare('SELECT count(*) FROM "Grant"').get())
    backup.close()
  })

  test('the database file is readable only by its owner', () => {
    assert.equal(statSync(file()).mode & 0o077, 0)
    assert.equal(statSync(`${file()}-wal`).mode & 0o077, 0)
  })

  test('the size of a file that cannot be looked at is an error, and of a missing log 0', async t => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-size-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const own = join(folder, 'latchkey.db')
    const state = (at: string) =>
      createDatabaseStatus(host.tables, { location: { kind: 'sqlite', file: at } }).database()
    writeFileSync(own, 'four')
    assert.equal((await state(own)).bytes, 4)
    symlinkSync(`${own}-wal`, `${own}-wal`)
    await assert.rejects(state(own), { code: 'ELOOP' })
  })

  test('a locked database is temporarily unavailable and recovers', async () => {
    const other = new Database(file())
    other.exec('BEGIN IMMEDIATE')
    const jti = newDigest()
    const grant = sampleGrant()
    const startedAt = performance.now()
    await Promise.all([
      assert.rejects(host.storage.revokedTokens.add(jti, later(60)), isUnavailable),
      assert.rejects(host.storage.ping(), isUnavailable),
      assert.rejects(host.storage.codes.issue(sampleCode(grant), grant), isUnavailable),
      assert.rejects(host.storage.purge(later(0)), isUnavailable),
    ])
    const tookMs = performance.now() - startedAt
    assert.ok(tookMs > sqliteBusyTimeoutMs - 100, `they waited for only ${tookMs} ms`)
    assert.ok(tookMs < 2 * sqliteBusyTimeoutMs, `they waited one after the other, ${tookMs} ms`)
    other.exec('ROLLBACK')
    other.close()
    await host.storage.ping()
    await host.storage.revokedTokens.add(jti, later(60))
    await host.storage.codes.issue(sampleCode(grant), grant)
    assert.ok(await host.storage.grants.find(grant.id))
  })

  test('each rule of the purge finds its rows and those that depend on them by an index', () => {
    const database = new Database(file(), { readonly: true })
    for (const rule of purgeRules()) {
      const { sql } = purgeStatement('sqlite', rule, { now, rows: 50 })
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(later(0).toISOString(), 50)
      const steps = JSON.stringify(plan)
      assert.match(steps, /SEARCH/)
      assert.doesNotMatch(steps, /SCAN/, sql)
    }
    database.close()
  })

  test('closing ends a purge after its current step', async () => {
    const own = await openSqliteHost()
    const many = limits.rows.most * 4
    const data = Array.from({ length: many }, () => ({ jti: newDigest(), expiresAt: now }))
    await own.tables.revokedToken.createMany({ data })
    const purging = own.storage.purge(now)
    // NOTE: Prisma on SQLite never leaves the microtask queue, so without this turn no other code would run
    while ((await own.tables.revokedToken.count()) === many) await new Promise(setImmediate)
    await own.close()
    const removed = await purging
    assert.ok(removed > 0 && removed < many, String(removed))
  })

  test('closing stores the last uses that wait', async () => {
    const own = await openSqliteHost()
    const clientId = clientIdSchema.parse('used-last')
    const metadata = { client_id: clientId, grant_types: [] }
    const clients = [{ clientId, metadata, secrets: [] }]
    await own.storage.configuration.apply({ put: { clients }, remove: {} }, now)
    own.storage.usage.client(clientId, now)
    await own.storage.close()
    assert.deepEqual((await own.tables.client.findUnique({ where: { clientId } }))?.lastUsedAt, now)
    await own.close()
  })

  test('CD-01 the database files contain no code in plain text', async () => {
    const handle = `code_${'n0tOnDisk'.repeat(5)}`
    const grant = sampleGrant()
    await host.storage.codes.issue(sampleCode(grant, { digest: digestOf(handle) }), grant)
    assert.ok(await host.storage.codes.redeem(digestOf(handle), { grantId: null }, now))
    for (const path of [file(), `${file()}-wal`]) assert.equal(readFileSync(path).includes(handle), false)
  })
})

function isUnavailable(error: unknown): boolean {
  return isOauthError(error) && error.code === 'temporarily_unavailable' && error.retryAfterSeconds !== null
}

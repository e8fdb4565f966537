import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { adapterFor } from '#prisma/adapter.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import { migrate } from '#prisma/migrate.ts'
import { readMigrations } from '#prisma/migration-files.ts'
import { holdMigrationLock } from '#prisma/migration-lock.ts'
import { postgresTables } from '#prisma/schema-difference.ts'
import { openDatabase, openReadOnlyDatabase } from './database.ts'
import { openStorage } from './open.ts'
import { findMeta, openAuditTrail } from './open-audit-trail.ts'
import { applyChanges, lockRevision } from './prisma/configuration/configuration.ts'
import { everyContract } from './testing/contract/every-contract.ts'
import { auditHash, type Host, openHost } from './testing/host.ts'
import { readAll } from './testing/pages.ts'
import { type RunningPostgres, startPostgres } from './testing/postgres.ts'
import { atOnce } from './testing/races.ts'
import { now, sampleAuditEntry, sampleCode, sampleGrant, sampleUser } from './testing/samples.ts'

describe('storage on PostgreSQL', () => {
  let server: RunningPostgres
  let host: Host
  before(async () => {
    server = await startPostgres()
    host = await openHost({ kind: 'postgresql', url: server.url })
  })
  after(() => server.stop())

  everyContract(() => host)

  test('several nodes migrate an empty database concurrently', async () => {
    const url = await server.createDatabase('empty')
    const applied = await atOnce(3, () => migrate({ kind: 'postgresql', url }))
    assert.deepEqual(
      applied.toSorted((a, b) => a - b),
      [0, 0, readMigrations('postgresql').length],
    )
  })

  test('the migrations create exactly the columns and indexes of the schema', async () => {
    const url = await server.createDatabase('created')
    const created = await adapterFor({ kind: 'postgresql', url }).connect()
    await created.executeScript(await postgresTables())
    const migrated = await adapterFor(host.location).connect()
    const sql = `SELECT table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable
        || ' ' || coalesce(column_default, '') || ' ' || coalesce(collation_name, '') AS line
      FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'
      UNION SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY line`
    const [wanted, found] = await Promise.all(
      [created, migrated].map(one => one.queryRaw({ sql, args: [], argTypes: [] })),
    )
    assert.deepEqual(found?.rows, wanted?.rows)
    assert.ok((found?.rows.length ?? 0) > 300)
    await Promise.all([created.dispose(), migrated.dispose()])
  })

  test('ranges of words and ids are independent of the database’s collation', async () => {
    await host.tables.$executeRaw(
      Prisma.sql`CREATE DATABASE danish TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'da-DK' LOCALE 'C'`,
    )
    const danish = await openHost({ kind: 'postgresql', url: server.url.replace(/latchkey$/, 'danish') })
    const names = ['Aase', 'Zoe', 'aa', 'Ab', 'Å', 'z_z', 'z-z']
    const users = names.map(name => sampleUser({ username: name, claims: {} }))
    await danish.storage.configuration.apply({ put: { users }, remove: {} }, now)
    const lists = danish.storage.adminLists
    const list = async (search: string | null) => {
      const items = await readAll(page => lists.users({ search, enabled: null }, page), 2)
      return items.map(item => item.username)
    }
    assert.deepEqual(await list(null), ['aa', 'Aase', 'Ab', 'z-z', 'z_z', 'Zoe', 'Å'])
    assert.deepEqual(await list('a'), ['Å', 'aa', 'Aase', 'Ab'])
    // Users found by a search are sorted by `compareNames`, which puts the underscore first.
    assert.deepEqual(await list('z'), ['z_z', 'z-z', 'Zoe'])
    await danish.close()
  })

  test('a migration waits for another node for a limited time', async () => {
    const held = await holdMigrationLock(server.url)
    await assert.rejects(holdMigrationLock(server.url, 50), /^ConfigError: DATABASE_URL: another Latchkey/)
    await held.release()
    await (await holdMigrationLock(server.url, 50)).release()
  })

  const elsewhere = [
    { path: '"$user",public', place: 'the schema "latchkey"' },
    { path: 'absent', place: 'no schema that this user may use' },
  ]
  test('a different search_path stops the start with one sentence before anything is created', async () => {
    const url = await server.createDatabase('elsewhere')
    const tables = openDatabase({ kind: 'postgresql', url })
    await tables.$executeRaw(Prisma.sql`CREATE SCHEMA latchkey`)
    for (const { path, place } of elsewhere) {
      const options = encodeURIComponent(`-c search_path=${path}`)
      await assert.rejects(migrate({ kind: 'postgresql', url: `${url}?options=${options}` }), {
        name: 'ConfigError',
        message: `DATABASE_URL: this user's search_path leads to ${place}, but Latchkey's tables are in "public"; put that first.`,
      })
    }
    const made = Prisma.sql`SELECT 1 FROM pg_tables WHERE schemaname IN ('public', 'latchkey')`
    assert.deepEqual(await tables.$queryRaw(made), [])
    await tables.$disconnect()
  })

  const wrong = [
    {
      name: 'password',
      change: { password: 'canary' },
      words: /refuses this user or password; correct them\.$/,
    },
    {
      name: 'address, without a password,',
      change: { password: '' },
      words: /requires a password; put it into the address\.$/,
    },
    { name: 'user', change: { username: 'canary' }, words: /refuses this user or password; correct them\.$/ },
    {
      name: 'database',
      change: { pathname: '/absent' },
      words: /has no database "absent"; create it, or correct/,
    },
    {
      name: 'port',
      change: { port: '1' },
      words: /no PostgreSQL answers at 127\.0\.0\.1:1; start it, or correct/,
    },
    {
      name: 'host',
      change: { hostname: 'absent.invalid' },
      words: /no PostgreSQL answers at absent\.invalid:/,
    },
  ]
  for (const { name, change, words } of wrong) {
    test(`LG-03 a wrong ${name} stops the start in one sentence without credentials`, async () => {
      const changed = new URL(server.url)
      Object.assign(changed, change)
      const url = changed.href
      await assert.rejects(migrate({ kind: 'postgresql', url }), error => {
        assert.ok(isConfigError(error), String(error))
        assert.match(error.message, words)
        assert.match(error.message, /^DATABASE_URL: [^\n]*\.$/)
        assert.doesNotMatch(error.message, /canary|latchkey:/)
        return true
      })
    })
  }

  test('LG-03 an address without a database stops the start in one sentence if the user has none', async () => {
    await host.tables.$executeRaw(Prisma.sql`CREATE ROLE homeless LOGIN PASSWORD 'app'`)
    const { href: url } = Object.assign(new URL(server.url), {
      username: 'homeless',
      password: 'app',
      pathname: '',
    })
    await assert.rejects(migrate({ kind: 'postgresql', url }), {
      name: 'ConfigError',
      message:
        /^DATABASE_URL: the address names no database, and the PostgreSQL at \S+ has none with the name of the user; add .*\.$/,
    })
  })

  test('LG-03 missing rights stop the start in one sentence that says what to grant', async () => {
    const { tables } = host
    await tables.$executeRaw(Prisma.sql`CREATE ROLE "app user" LOGIN PASSWORD 'app'`)
    const asApp = (url: string): DatabaseLocation => {
      const changed = Object.assign(new URL(url), { username: 'app user', password: 'app' })
      return { kind: 'postgresql', url: changed.href }
    }
    const freshUrl = await server.createDatabase('fresh')
    const fresh = asApp(freshUrl)
    const mayNotCreate = {
      name: 'ConfigError',
      message:
        'DATABASE_URL: this user may not create tables in the schema public of fresh; make it the owner: ALTER DATABASE fresh OWNER TO "app user".',
    }
    await assert.rejects(migrate(fresh), mayNotCreate)
    const owner = await adapterFor({ kind: 'postgresql', url: freshUrl }).connect()
    await owner.executeScript('GRANT ALL ON SCHEMA public TO PUBLIC')
    await owner.dispose()
    await assert.rejects(migrate(fresh), mayNotCreate)
    await tables.$executeRaw(Prisma.sql`REVOKE CONNECT ON DATABASE fresh FROM PUBLIC`)
    await assert.rejects(migrate(fresh), {
      name: 'ConfigError',
      message: /does not let this user into the database "fresh"; make it the owner, or grant it CONNECT\.$/,
    })
    await tables.$executeRaw(Prisma.sql`ALTER DATABASE fresh OWNER TO "app user"`)
    assert.ok((await migrate(fresh)) > 0)
    assert.equal(await migrate(fresh), 0)
    await assert.rejects(migrate(asApp(server.url)), {
      name: 'ConfigError',
      message:
        /^DATABASE_URL: this user may not use the table "AdminFlash" of latchkey; connect as the owner of the tables, or .*\.$/,
    })
    await tables.$executeRaw(Prisma.sql`GRANT ALL ON ALL TABLES IN SCHEMA public TO "app user"`)
    assert.equal(await migrate(asApp(server.url)), 0)
  })

  test('a read-only database is reported as not ready', async () => {
    assert.ok(host.location.kind === 'postgresql')
    await host.storage.ping()
    const url = `${host.location.url}?options=${encodeURIComponent('-c default_transaction_read_only=on')}`
    const standby = await openStorage({ kind: 'postgresql', url }, auditHash)
    await assert.rejects(standby.ping(), { reason: 'database_not_writable' })
    await standby.close()
  })

  test('a running configuration change does not make other nodes not ready', async () => {
    const release = Promise.withResolvers<void>()
    const applying = host.tables.$transaction(async tables => {
      await lockRevision(tables)
      await release.promise
    })
    await host.storage.ping()
    release.resolve()
    await applying
  })

  test('an admin’s change of an older version does not overwrite a concurrent change by a file', async () => {
    const clientId = clientIdSchema.parse('configured-twice')
    const put = (client_name: string) => {
      const metadata = { client_id: clientId, client_name, grant_types: ['client_credentials'] }
      return { put: { clients: [{ clientId, metadata, secrets: [] }] }, remove: {} }
    }
    await host.storage.configuration.apply(put('first'), now)
    const committing = await host.tables.$transaction(async tables => {
      await lockRevision(tables)
      const [record] = put('admin').put.clients
      assert.ok(record)
      const writes = [{ kind: 'put', of: 'client', record, expectedVersion: 1 }] as const
      const committed = host.storage.adminStore.commit({ writes, audit: [sampleAuditEntry()] }, now)
      await somebodyWaits(host)
      await applyChanges(tables, put('file'), { now, dialect: 'postgresql' })
      return { committed }
    })
    assert.equal((await committing.committed).kind, 'conflict')
    assert.equal((await host.storage.clients.find(clientId))?.client.clientName, 'file')
  })

  test('the connection that verifies the audit log can read it, and refuses to write', async () => {
    await host.storage.adminStore.commit({ writes: [], audit: [sampleAuditEntry()] }, now)
    const { audit, meta, close } = await openAuditTrail(host.location)
    assert.deepEqual(await audit.head(), await host.storage.adminStore.audit.head())
    assert.equal(await meta.settle('never stored', 'x'), 'x')
    assert.equal(await host.storage.meta.find('never stored'), null)
    assert.equal(await findMeta(host.location, 'never stored'), null)
    await host.storage.meta.settle('stored', 'y')
    assert.equal(await findMeta(host.location, 'stored'), 'y')
    await close()
    const reader = openReadOnlyDatabase(host.location)
    await assert.rejects(reader.meta.create({ data: { name: 'a', value: 'b' } }), /read-only transaction/)
    await reader.$disconnect()
  })

  test('opening the audit log of an unused or unreachable database fails with one sentence', async () => {
    const url = await server.createDatabase('unused')
    await assert.rejects(openAuditTrail({ kind: 'postgresql', url }), {
      name: 'ConfigError',
      message: /^This database has no tables of Latchkey; [^\n]+\.$/,
    })
    const unreachable = Object.assign(new URL(url), { port: '1' }).href
    await assert.rejects(openAuditTrail({ kind: 'postgresql', url: unreachable }), {
      name: 'ConfigError',
      message: /^DATABASE_URL: no PostgreSQL answers at 127\.0\.0\.1:1; [^\n]+\.$/,
    })
  })

  test('a stopped PostgreSQL server is reported as temporarily unavailable', async () => {
    await server.stop()
    await assert.rejects(host.storage.ping(), isUnavailable)
    await assert.rejects(host.storage.grants.find(sampleGrant().id), isUnavailable)
    await assert.rejects(host.storage.aggregates.activeDays({ first: 1, last: 2 }), isUnavailable)
    await assert.rejects(
      host.storage.rateLimiter.consume([{ key: 'k', limit: 1, windowSeconds: 1 }], now),
      isUnavailable,
    )
    const grant = sampleGrant()
    await assert.rejects(host.storage.codes.issue(sampleCode(grant), grant), isUnavailable)
    await host.close()
  })
})

/** Waits until a transaction is blocked by another transaction. */
async function somebodyWaits({ tables }: Host): Promise<void> {
  const waiting = Prisma.sql`SELECT 1 FROM pg_locks WHERE NOT granted`
  let rows: unknown = []
  while (Array.isArray(rows) && rows.length === 0) rows = await tables.$queryRaw(waiting)
}

function isUnavailable(error: unknown): boolean {
  return isOauthError(error) && error.code === 'temporarily_unavailable' && error.retryAfterSeconds !== null
}

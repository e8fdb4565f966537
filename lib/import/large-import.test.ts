/** Tests a large import on both databases. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { openAdminTestPorts } from '#lib/admin/testing/admin-ports.ts'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { type Host, openHost, openSqliteHost } from '#lib/storage/testing/host.ts'
import { type RunningPostgres, startPostgres } from '#lib/storage/testing/postgres.ts'
import { runImport } from './run-import.ts'
import { subjectOf, writeLargeExport } from './testing/large-export.ts'
import { importOf, writeExport } from './testing/write-export.ts'

const size = { clients: 500, users: 50_000 }

describe('an export of many clients and users', () => {
  const file = writeExport('')
  let postgres: RunningPostgres
  before(async () => {
    await writeLargeExport(file, size)
    postgres = await startPostgres()
  })
  after(async () => {
    await postgres.stop()
    rmSync(file)
  })

  const hosts: Readonly<Record<DatabaseLocation['kind'], () => Promise<Host>>> = {
    sqlite: openSqliteHost,
    postgresql: () => openHost({ kind: 'postgresql', url: postgres.url }),
  }
  for (const [name, open] of Object.entries(hosts))
    test(`is imported on ${name}, and a second import changes nothing`, async () => {
      const opened = await openAdminTestPorts()
      const host = await open()
      try {
        const ports = { ...opened.ports, ...host.storage }
        const first = await runImport(ports, importOf(file))
        assert.equal(first.outcome, 'imported', first.report)
        assert.match(first.report, /clients +500 +0 +0 +0 +0\nusers +50000 +0 +0 +0 +0\nconsents +10000 /)
        const last = await ports.users.findBySubject(subjectIdSchema.parse(subjectOf(49_999)))
        assert.equal(last?.claims.family_name, 'Family4999')
        const found = { search: 'given 49999', enabled: null }
        const { items } = await ports.adminLists.users(found, { after: null, limit: 5 })
        assert.deepEqual(
          items.map(({ username }) => username),
          ['user49999@example.com'],
        )
        assert.equal((await ports.adminStore.audit.head())?.seq, 50_541)
        assert.equal((await runImport(ports, importOf(file))).outcome, 'nothing')
      } finally {
        await host.close()
        await opened.close()
      }
    })
})

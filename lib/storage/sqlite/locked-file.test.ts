import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { migrate } from '#prisma/migrate.ts'
import { openStorage } from '../open.ts'
import { auditHash, type Host, openSqliteHost } from '../testing/host.ts'
import {
  later,
  newDigest,
  now,
  sampleAuditEntry,
  sampleCode,
  sampleEvent,
  sampleGrant,
  sampleUser,
} from '../testing/samples.ts'

const lock = `
  const database = new (require(${JSON.stringify(createRequire(import.meta.url).resolve('better-sqlite3'))}))(process.argv[1])
  database.exec('BEGIN IMMEDIATE')
  process.stdout.write('locked')
  setTimeout(() => database.exec('COMMIT'), Number(process.argv[2]))`

/** Starts a process that locks the file for this time. Resolves when the file is locked. */
async function lockElsewhere(
  file: string,
  milliseconds: number,
): Promise<{ readonly released: Promise<unknown> }> {
  const child = spawn(process.execPath, ['-e', lock, file, String(milliseconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const released = once(child, 'exit')
  await once(child.stdout, 'data')
  return { released }
}

describe('while another process has the SQLite file locked for a moment', () => {
  let host: Host
  let file: string
  const grant = sampleGrant()
  const code = sampleCode(grant)
  before(async () => {
    host = await openSqliteHost()
    file = host.location.kind === 'sqlite' ? host.location.file : ''
    await host.storage.codes.issue(code, grant)
  })
  after(() => host.close())

  const writes: Readonly<Record<string, () => Promise<unknown>>> = {
    'a change that reads conditions first': async () => {
      assert.equal(await host.storage.codes.redeem(code.digest, { grantId: null }, now), true)
    },
    'a single insert': () => host.storage.revokedTokens.add(newDigest(), later(60)),
    'a statement of Prisma': () => host.storage.ping(),
    'a transaction of Prisma that reads first': () =>
      host.tables.$transaction(async tables => {
        await tables.meta.count()
        await tables.meta.create({ data: { name: 'in a transaction', value: '' } })
      }),
    'an event': () => host.storage.eventLog.write([sampleEvent()]),
    'a change by an administrator': async () => {
      const user = sampleUser()
      await host.storage.configuration.apply({ put: { users: [user] }, remove: {} }, now)
      await host.storage.adminStore.commit({ writes: [], audit: [sampleAuditEntry()] }, now)
    },
    'the purge': () => host.storage.purge(later(0)),
  }
  for (const [name, write] of Object.entries(writes)) {
    test(`${name} waits for it`, async () => {
      const { released } = await lockElsewhere(file, 150)
      await write()
      await released
    })
  }

  test('the first migration, the check of a migrated database and a start wait for it', async t => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-locked-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const location = { kind: 'sqlite', file: join(folder, 'latchkey.db') } as const
    for (const _ of ['first', 'second']) {
      const { released } = await lockElsewhere(location.file, 700)
      await migrate(location)
      await released
    }
    const { released } = await lockElsewhere(location.file, 700)
    const storage = await openStorage(location, auditHash)
    await storage.ping()
    await released
    await storage.close()
  })
})

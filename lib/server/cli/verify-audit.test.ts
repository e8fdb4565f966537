/** Tests `npm run audit:verify` while this process has the storage open. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import Database from 'better-sqlite3'
import { masterKeysFor } from '#lib/crypto/testing/master-keys.ts'
import { openInstallation } from '#lib/crypto/testing/opened-installation.ts'
import type { AuditEntry } from '#lib/ports/admin-store.ts'
import type { Storage } from '#lib/storage/open.ts'
import { migrate } from '#prisma/migrate.ts'

const entry: AuditEntry = {
  action: 'clients.update',
  actor: null,
  actorRole: null,
  targetKind: 'client',
  targetId: 'web',
  before: { name: 'Before' },
  after: { name: 'After' },
  requestId: '7QK4-M2P9',
  address: null,
}

const root = join(import.meta.dirname, '../../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const [, ...script] = String(scripts['audit:verify']).split(' ')

describe('npm run audit:verify', () => {
  const masterKey = randomBytes(32)
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-audit-'))
  const file = join(folder, 'latchkey.db')
  let storage: Storage

  before(async () => {
    await migrate({ kind: 'sqlite', file })
    const opened = await openInstallation({ kind: 'sqlite', file }, masterKeysFor(masterKey))
    storage = opened.storage
    await storage.adminStore.commit({ writes: [], audit: [entry] }, new Date())
  })
  after(async () => {
    await storage.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const end = async () => {
    const head = await storage.adminStore.audit.head()
    return `${head?.seq}:${head?.hash.slice(0, 16)}`
  }
  const run = (changes: Readonly<Record<string, string>> = {}, given: readonly string[] = []) => {
    const env = { MASTER_KEY: masterKey.toString('base64'), DATABASE_URL: `file:${file}`, ...changes }
    const { status, stdout, stderr } = spawnSync(process.execPath, [...script, ...given], {
      cwd: root,
      env: { ...process.env, DATA_DIR: folder, ...env },
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }
  const tamper = (statement: string) => {
    const database = new Database(file)
    database.exec(statement)
    database.close()
  }

  test('LG-04 an intact audit log is reported with the number of its rows and the digest of the last', async () => {
    assert.match(run().stdout, /^Intact: 1 change, as it was written\.\n/)
    for (let row = 0; row < 2; row += 1)
      await storage.adminStore.commit({ writes: [], audit: [entry] }, new Date())
    const { status, stdout, stderr } = run()
    assert.equal(stderr, '')
    assert.match(stdout, /^Intact: 3 changes, each as it was written\.\n/)
    assert.ok(stdout.includes(await end()))
    assert.equal(status, 0)
  })

  test('a change between two runs is not a problem, and the command writes nothing', async () => {
    const before = readFileSync(file)
    assert.equal(run().status, 0)
    assert.deepEqual(readFileSync(file), before)
    await storage.adminStore.commit({ writes: [], audit: [entry] }, new Date())
    assert.match(run().stdout, /^Intact: 4 changes/)
  })

  test('another master key is reported as such, not as a broken audit log', () => {
    const { status, stdout, stderr } = run({ MASTER_KEY: randomBytes(32).toString('base64') })
    assert.deepEqual([status, stdout], [2, ''])
    assert.match(stderr, /^MASTER_KEY is \(not shown\), but it is different/)
  })

  test('the verification creates neither a database nor a key', () => {
    const empty = join(folder, 'empty')
    const { status, stderr } = run({
      DATABASE_URL: `file:${join(empty, 'x.db')}`,
      MASTER_KEY: '',
      DATA_DIR: empty,
    })
    assert.equal(status, 2)
    assert.match(stderr, /^There is no database at /)
    assert.equal(existsSync(empty), false)
    assert.ok(!readdirSync(folder).includes('master.key'))
  })

  test('a database that no server has used is named as such, whether there is a key or not', () => {
    const other = join(folder, 'other')
    mkdirSync(other)
    new Database(join(other, 'latchkey.db')).exec('CREATE TABLE "Other" ("id" TEXT)').close()
    for (const MASTER_KEY of ['', masterKey.toString('base64')]) {
      const { status, stderr } = run({ DATABASE_URL: '', DATA_DIR: other, MASTER_KEY })
      assert.equal(status, 2)
      assert.match(stderr, /^This database has no tables of Latchkey; [^\n]+\.\n$/)
    }
    assert.deepEqual(readdirSync(other), ['latchkey.db'])
  })

  test('LG-04 deleted rows at the end are detected with a recorded end, also if the stored end was restored', async () => {
    const { hash } = (await storage.adminStore.audit.head()) ?? { hash: '' }
    const noted = await end()
    assert.equal(run({}, ['--holds', noted]).status, 0)
    assert.match(
      run({}, ['--holds', noted.replace(/:.*/, ':AAAAAAAAAAAAAAAAAAAA')]).stdout,
      /^Broken: change 4 does not match --holds/,
    )
    assert.equal(run({}, ['--holds', hash]).status, 2)
    tamper(`DELETE FROM "AuditRow" WHERE "seq" = 4;
      UPDATE "AuditHead" SET "seq" = 3, "hash" = (SELECT "hash" FROM "AuditRow" WHERE "seq" = 3)`)
    assert.equal(run().status, 0)
    const { status, stdout } = run({}, ['--holds', noted])
    assert.equal(status, 1)
    assert.match(stdout, /^Broken: change 4 is missing/)
  })

  test('LG-04 the first changed row of a broken audit log is reported', () => {
    tamper(`UPDATE "AuditRow" SET "after" = '{"name":"Afterwards"}' WHERE "seq" = 3`)
    const { status, stdout, stderr } = run()
    assert.deepEqual([status, stderr], [1, ''])
    assert.match(stdout, /^Broken: change 3 was edited/)
    tamper('DELETE FROM "AuditRow" WHERE "seq" = 2')
    assert.match(run().stdout, /^Broken: change 2 is missing\./)
  })
})

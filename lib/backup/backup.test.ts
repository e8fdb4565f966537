/** Tests backups and restores: what a backup contains, what ends, and what each kind of damage leads to. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import Database from 'better-sqlite3'
import { makeSigningKey } from '#lib/crypto/keys/signing-key.ts'
import { masterKeysFor } from '#lib/crypto/testing/master-keys.ts'
import { openInstallation } from '#lib/crypto/testing/opened-installation.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import { takeLease } from '#lib/storage/sqlite/sqlite-lease.ts'
import {
  now,
  sampleAuditEntry,
  sampleCode,
  sampleGrant,
  sampleSession,
} from '#lib/storage/testing/samples.ts'
import { migrate } from '#prisma/migrate.ts'
import { readMigrations } from '#prisma/migration-files.ts'
import { BackupProblem } from './backup-problem.ts'
import { checkDatabase } from './check-database.ts'
import { keepNewest, makeBackup } from './make-backup.ts'
import { type RestoreRequest, restoreBackup } from './restore-backup.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-backup-'))
const database = join(folder, 'latchkey.db')
const masterKey = randomBytes(32)
const passphrase = 'a passphrase for tests'
const masterKeys = masterKeysFor(masterKey)
const knownMigrations = readMigrations('sqlite').map(({ name }) => name)
after(() => rmSync(folder, { recursive: true, force: true }))

before(async () => {
  await migrate({ kind: 'sqlite', file: database })
  const { storage, sealing } = await openInstallation({ kind: 'sqlite', file: database }, masterKeys)
  const signing = { algorithm: 'ES256', generation: 1, createdAt: now, activatesAt: now } as const
  await storage.signingKeys.create(await makeSigningKey(signing, sealing))
  await storage.adminStore.commit({ writes: [], audit: [sampleAuditEntry()] }, now)
  const grant = sampleGrant()
  await storage.codes.issue(sampleCode(grant), grant)
  await storage.sessions.create(sampleSession())
  await storage.close()
})

let made = 0
/** Makes a backup, by default without encryption, and returns its path. */
async function backup(encryptsWith: string | null = null, of = database): Promise<string> {
  made += 1
  const time = new Date(now.getTime() + made)
  const request = { database: of, folder: join(folder, 'backups'), masterKeys, passphrase: encryptsWith }
  return (await makeBackup({ ...request, now: time })).file
}

/** Restores a backup into a new folder. */
function restore(file: string, changes: Partial<RestoreRequest> = {}) {
  const target = join(mkdtempSync(join(folder, 'target-')), 'latchkey.db')
  const keys = changes.masterKeys ?? masterKeys
  const request: RestoreRequest = {
    file,
    target,
    masterKeys: keys,
    askPassphrase: async () => passphrase,
    revokesGrants: true,
    now,
    knownMigrations,
    migrate,
    check: location => checkDatabase(location, keys),
    ...changes,
  }
  return { target: request.target, done: restoreBackup(request) }
}

/** Reads one column of the first row. */
function cell(file: string, query: string): unknown {
  const opened = new Database(file, { readonly: true })
  try {
    return opened.prepare(query).pluck().get()
  } finally {
    opened.close()
  }
}

describe('BAK-01 a backup', () => {
  test('BAK-01 has the same rows after it is restored, and only its account can read it', async () => {
    for (const encryptsWith of [null, passphrase]) {
      const file = await backup(encryptsWith)
      const { target, done } = restore(file, { revokesGrants: false })
      const { header, changes, signingKeys } = await done
      assert.deepEqual([changes, signingKeys, header.counts.Grant, header.counts.Session], [1, 1, 1, 1])
      assert.equal(cell(target, 'SELECT COUNT(*) FROM "Session"'), 1)
      assert.equal(cell(target, 'SELECT "revokedAt" FROM "Grant"'), null)
      assert.deepEqual([modeOf(file), modeOf(target)], [0o600, 0o600])
      assert.deepEqual(readdirSync(dirname(target)).toSorted(), ['latchkey.db', 'latchkey.db.lock'])
    }
  })

  test('BAK-01 has all that was committed before it, while another connection has a transaction open', async () => {
    const writer = new Database(database)
    try {
      writer.exec(`INSERT INTO "UsedId" VALUES ('committed', '2031-01-01T00:00:00.000+00:00');
        BEGIN IMMEDIATE; INSERT INTO "UsedId" VALUES ('open', '2031-01-01T00:00:00.000+00:00')`)
      const { target, done } = restore(await backup())
      await done
      assert.equal(cell(target, 'SELECT GROUP_CONCAT("id") FROM "UsedId"'), 'committed')
    } finally {
      writer.exec('ROLLBACK')
      writer.close()
    }
  })

  test('BAK-01 contains neither the master key nor, if encrypted, readable data', async () => {
    const [plain, encrypted] = [readFileSync(await backup()), readFileSync(await backup(passphrase))]
    for (const form of [masterKey, masterKey.toString('base64'), masterKey.toString('hex')])
      assert.ok(!plain.includes(form))
    assert.ok(plain.includes('SQLite format 3'))
    assert.ok(!encrypted.includes('SQLite format 3'))
  })

  test('leaves no copy of the database behind, also after an interrupted one, and runs once at a time', async () => {
    writeFileSync(`${database}.backup`, 'the copy of an interrupted backup')
    await backup(passphrase)
    assert.equal(existsSync(`${database}.backup`), false)
    const running = takeLease(`${database}.backup`)
    await assert.rejects(backup(), /^BackupProblem: Another backup of this database is running\.$/)
    running.release()
  })

  test('of a database of another program is refused', async () => {
    const other = join(folder, 'other.db')
    new Database(other).exec('CREATE TABLE "Other" ("id" TEXT)').close()
    await assert.rejects(backup(null, other), /^ConfigError: This database has no tables of Latchkey/)
  })

  test('BAK-01 only the newest backups are kept, and other files of the folder stay', async () => {
    const kept = mkdtempSync(join(folder, 'kept-'))
    for (const day of [1, 2, 3])
      writeFileSync(join(kept, `latchkey-2030010${day}T030405.678Z.backup`), String(day))
    writeFileSync(join(kept, 'notes.backup'), '')
    assert.equal(await keepNewest(kept, 2), 1)
    assert.deepEqual(readdirSync(kept).toSorted(), [
      'latchkey-20300102T030405.678Z.backup',
      'latchkey-20300103T030405.678Z.backup',
      'notes.backup',
    ])
  })
})

describe('BAK-02 a restore', () => {
  test('BAK-02 ends codes in any case, and grants and sessions unless they are kept', async () => {
    const file = await backup()
    const kept = restore(file, { revokesGrants: false })
    assert.deepEqual((await kept.done).ended, { AuthorizationCode: 1 })
    const revoked = restore(file)
    assert.deepEqual((await revoked.done).ended, { Grant: 1, AuthorizationCode: 1, Session: 1 })
    assert.equal(cell(kept.target, 'SELECT COUNT(*) FROM "AuthorizationCode"'), 0)
    assert.equal(cell(revoked.target, 'SELECT COUNT(*) FROM "Grant" WHERE "revokedAt" IS NULL'), 0)
  })

  test('checks a backup next to a database, and changes nothing', async () => {
    const { done } = restore(await backup(), { revokesGrants: null, target: database })
    const before = readFileSync(database)
    assert.deepEqual((await done).ended, {})
    assert.deepEqual(readFileSync(database), before)
    assert.ok(!readdirSync(folder).some(name => name.includes('.check')))
  })

  test('BAK-02 of an earlier release migrates the schema', async () => {
    const earlier = join(folder, 'earlier.db')
    const [last] = knownMigrations.slice(-1)
    await withoutLastMigration(earlier)
    const { target, done } = restore(await backup(null, earlier))
    assert.equal((await done).migrated, 1)
    assert.equal(cell(target, 'SELECT MAX("migration_name") FROM "_prisma_migrations"'), last)
  })

  const damages: readonly (readonly [string, (bytes: Buffer) => Buffer, RegExp])[] = [
    ['an empty file', () => Buffer.alloc(0), /is not a backup of Latchkey\.$/],
    ['a foreign file', () => readFileSync(database), /is not a backup of Latchkey\.$/],
    ['a file cut in its header', bytes => bytes.subarray(0, 300), /is cut off: it ends in its header\.$/],
    ['a file cut by one byte', bytes => bytes.subarray(0, -1), /is cut off: it has \d+ of \d+ bytes\.$/],
    ['a file cut in half', bytes => bytes.subarray(0, bytes.length / 2), /is cut off: it has \d+ of /],
    ['a longer file', bytes => Buffer.concat([bytes, bytes]), /is damaged: it has \d+ bytes instead of /],
    ['a flipped byte in the data', bytes => flipped(bytes, bytes.length / 2), /its digest is different\.$/],
    ['a flipped byte in the version', bytes => flipped(bytes, 16), /its digest is different\.$/],
    [
      'a flipped byte in the digest',
      bytes => flipped(bytes, bytes.length - 40),
      /its digest is different\.$/,
    ],
    [
      'a flipped byte in the HMAC',
      bytes => flipped(bytes, bytes.length - 1),
      /was changed after it was made\.$/,
    ],
    ['a broken header', bytes => flipped(bytes, 18), /is damaged: its header cannot be read\.$/],
  ]
  let intact: Buffer
  before(async () => {
    intact = readFileSync(await backup(passphrase))
  })
  for (const [name, damage, sentence] of damages) {
    test(`BAK-02 of ${name} is refused with one sentence, and leaves the target empty`, async () => {
      const file = join(folder, 'damaged.backup')
      writeFileSync(file, damage(intact))
      await refused(restore(file), sentence)
    })
  }

  test('BAK-02 with a wrong passphrase is refused', async () => {
    const file = await backup(passphrase)
    await refused(
      restore(file, { askPassphrase: async () => 'another passphrase' }),
      /^The passphrase is wrong\.$/,
    )
  })

  test('BAK-02 with a different master key is refused before the passphrase is asked', async () => {
    const askPassphrase = () => assert.fail('asked')
    const given = restore(await backup(passphrase), { masterKeys: masterKeysFor(), askPassphrase })
    await refused(given, /was made with a different master key; set MASTER_KEY to /)
  })

  test('BAK-02 of a newer release is refused', async () => {
    const file = await backup()
    const given = restore(file, { knownMigrations: knownMigrations.slice(0, -1) })
    await refused(
      given,
      /was made by a newer release \(it has the migration \d+_\w+\); restore it with that release\.$/,
    )
  })

  test('BAK-02 into a database with content, or of another program, is refused and changes nothing', async () => {
    const foreign = join(folder, 'foreign.txt')
    writeFileSync(foreign, 'not a database')
    for (const target of [database, foreign]) {
      const before = readFileSync(target)
      const { done } = restore(await backup(), { target })
      await assert.rejects(done, /^ConfigError: There is already a database at /)
      assert.deepEqual(readFileSync(target), before)
    }
  })

  test('BAK-02 next to the write-ahead log of another database is refused', async () => {
    const target = join(mkdtempSync(join(folder, 'wal-')), 'latchkey.db')
    writeFileSync(`${target}-wal`, 'left behind')
    await assert.rejects(restore(await backup(), { target }).done, /move it and its -wal file away/)
  })

  test('BAK-02 of a database whose audit log was edited is refused', async () => {
    const edited = join(folder, 'edited.db')
    writeFileSync(edited, readFileSync(database))
    const opened = new Database(edited)
    opened.exec(`UPDATE "AuditRow" SET "targetId" = 'other'`)
    opened.close()
    await refused(restore(await backup(null, edited)), /^The audit log is broken at change 1: /)
  })
})

/** Requires that a restore fails with this sentence, and leaves no file except the lock. */
async function refused({ target, done }: ReturnType<typeof restore>, sentence: RegExp): Promise<void> {
  const error: unknown = await done.then(
    () => assert.fail('restored'),
    failure => failure,
  )
  assert.ok(error instanceof BackupProblem || isConfigError(error), String(error))
  assert.match(error instanceof Error ? error.message : '', sentence)
  assert.deepEqual(
    readdirSync(dirname(target)).filter(name => !name.endsWith('.lock')),
    [],
  )
}

function modeOf(file: string): number {
  return statSync(file).mode & 0o777
}

function flipped(bytes: Buffer, position: number): Buffer {
  const changed = Buffer.from(bytes)
  const index = Math.floor(position)
  changed[index] = (changed[index] ?? 0) ^ 1
  return changed
}

/** Makes a database as the release before the last migration had it. */
async function withoutLastMigration(file: string): Promise<void> {
  await migrate({ kind: 'sqlite', file }, readMigrations('sqlite').slice(0, -1))
}

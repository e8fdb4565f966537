/** Restores a backup into an empty SQLite database, or checks it without restoring it. */
import { existsSync, realpathSync, rmSync, statSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import type { MasterKeys } from '#lib/crypto/keys/master-key.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import { endRestoredState } from '#lib/storage/restored-state.ts'
import { type Lease, takeLease } from '#lib/storage/sqlite/sqlite-lease.ts'
import { endWriteAheadLog, hasContent, readFacts } from '#lib/storage/sqlite/sqlite-snapshot.ts'
import type { BackupHeader } from './backup-format.ts'
import { BackupProblem, explainingFullDisk } from './backup-problem.ts'
import type { CheckedDatabase } from './check-database.ts'
import { deriveChunkKey } from './chunk-cipher.ts'
import { type OpenedBackup, readData, requireUnchanged, withBackup } from './read-backup.ts'
import { syncFolder, writeSynced } from './write-backup.ts'

export type RestoreRequest = {
  /** The backup. */
  readonly file: string
  /** The database to create. */
  readonly target: string
  readonly masterKeys: MasterKeys
  /** Asked only for an encrypted backup. */
  readonly askPassphrase: () => Promise<string>
  /** Whether to revoke what was issued before the backup; `null`: only check the backup. */
  readonly revokesGrants: boolean | null
  readonly now: Date
  /** The names of the migrations of this release. */
  readonly knownMigrations: readonly string[]
  readonly migrate: (location: DatabaseLocation) => Promise<number>
  readonly check: (location: DatabaseLocation) => Promise<CheckedDatabase>
}

/** `migrated`: the number of migrations that were applied. `ended`: the number of ended rows, by table. */
export type Restored = CheckedDatabase & {
  readonly header: BackupHeader
  readonly migrated: number
  readonly ended: Readonly<Record<string, number>>
}

/**
 * Restores a backup. The target gets its content in one step, after all checks; until then, and after any failure, it is
 * empty. Throws a BackupProblem or a ConfigError with the reason.
 */
export async function restoreBackup(request: RestoreRequest): Promise<Restored> {
  if (request.revokesGrants === null) return restoreInto(`${request.target}.check-${process.pid}`, request)
  return withEmptyTarget(request.target, async target => {
    const draft = `${target}.restore`
    const restored = await restoreInto(draft, request, () => rename(draft, target))
    await syncFolder(dirname(target))
    return restored
  })
}

/** Takes the lease of a database without content. Removes the file again if `work` fails. */
async function withEmptyTarget<R>(file: string, work: (target: string) => Promise<R>): Promise<R> {
  if (isFilled(file) || isFilled(`${file}-wal`)) {
    throw new ConfigError(
      `There is already a database at ${file}, which a restore does not overwrite; move it and its -wal file away, or name an empty folder in DATA_DIR.`,
    )
  }
  const lease: Lease = takeLease(file)
  const target = realpathSync(file)
  try {
    return await work(target)
  } catch (error) {
    if (statSync(target, { throwIfNoEntry: false })?.size === 0) rmSync(target)
    throw error
  } finally {
    lease.release()
  }
}

function isFilled(file: string): boolean {
  return existsSync(file) && statSync(file).size > 0 && (file.endsWith('-wal') || hasContent(file))
}

/** Writes and checks the database at `draft`, and then calls `finish`. The draft does not remain. */
async function restoreInto(
  draft: string,
  request: RestoreRequest,
  finish: () => Promise<void> = async () => {},
): Promise<Restored> {
  removeDraft(draft)
  try {
    return await explainingFullDisk('a restore needs the size of the database', () =>
      withBackup(request.file, async opened => {
        const restored = await writeChecked(draft, opened, request)
        await finish()
        return restored
      }),
    )
  } finally {
    removeDraft(draft)
  }
}

async function writeChecked(draft: string, opened: OpenedBackup, request: RestoreRequest): Promise<Restored> {
  const { header } = opened
  await requireUnchanged(opened, request.masterKeys)
  refuseNewer(header, request)
  const key = await chunkKeyOf(header, request)
  await writeSynced(draft, async handle => {
    for await (const chunk of readData(opened, key)) await handle.writeFile(chunk)
  })
  requireSameFacts(draft, opened)
  const location = { kind: 'sqlite', file: draft } as const
  const migrated = await request.migrate(location)
  const checked = await request.check(location)
  const { now, revokesGrants } = request
  const ended = revokesGrants === null ? {} : await endRestoredState(location, { now, revokesGrants })
  endWriteAheadLog(draft)
  await sync(draft)
  return { ...checked, header, migrated, ended }
}

function refuseNewer({ migrations }: BackupHeader, { file, knownMigrations }: RestoreRequest): void {
  const unknown = migrations.filter(name => !knownMigrations.includes(name))
  if (unknown.length === 0) return
  throw new BackupProblem(
    `The backup ${file} was made by a newer release (it has the migration ${unknown.at(-1)}); restore it with that release.`,
  )
}

async function chunkKeyOf(
  { encryption }: BackupHeader,
  { askPassphrase }: RestoreRequest,
): Promise<Buffer | null> {
  if (encryption === null) return null
  return deriveChunkKey(await askPassphrase(), Buffer.from(encryption.salt, 'base64url'))
}

/** Compares the migrations, the number of rows of each table, and the end of the audit chain with the header. */
function requireSameFacts(draft: string, { file, header }: OpenedBackup): void {
  const facts = readFacts(draft)
  const { migrations, counts, audit } = header
  if (JSON.stringify(facts) === JSON.stringify({ migrations, counts, audit })) return
  throw new BackupProblem(`The data of the backup ${file} is different from its header.`)
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function removeDraft(draft: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal', '.lock']) rmSync(`${draft}${suffix}`, { force: true })
}

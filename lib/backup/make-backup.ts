/** Makes a backup of a SQLite database while a server writes to it. */
import { existsSync, rmSync } from 'node:fs'
import { mkdir, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { openDataKeys } from '#lib/crypto/keys/data-keys.ts'
import type { MasterKeys } from '#lib/crypto/keys/master-key.ts'
import { keyIdOf } from '#lib/crypto/keys/sealing.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import { tryLease } from '#lib/storage/sqlite/sqlite-lease.ts'
import { copyDatabaseFile, readFacts, readMetaValue } from '#lib/storage/sqlite/sqlite-snapshot.ts'
import type { BackupHeader } from './backup-format.ts'
import { BackupProblem, explainingFullDisk } from './backup-problem.ts'
import { deriveChunkKey, newSalt } from './chunk-cipher.ts'
import { writeBackup } from './write-backup.ts'

export type BackupRequest = {
  /** The database. */
  readonly database: string
  /** The folder of the backups; created if it is missing. */
  readonly folder: string
  readonly masterKeys: MasterKeys
  /** The passphrase; `null`: the backup is not encrypted. */
  readonly passphrase: string | null
  readonly now: Date
}

export type MadeBackup = { readonly file: string; readonly header: BackupHeader }

/**
 * Makes a backup, and returns its file. The copy of the database is next to the database until the backup is complete, so that
 * readable data is never in the folder of an encrypted backup. Throws a BackupProblem if another backup is running or
 * the disk is full, and a ConfigError if the file is not a database of Latchkey.
 */
export async function makeBackup(request: BackupRequest): Promise<MadeBackup> {
  const copy = `${request.database}.backup`
  const lease = tryLease(copy, 0)
  if (lease === null) throw new BackupProblem('Another backup of this database is running.')
  try {
    return await explainingFullDisk('the backup needs twice the size of the database', async () => {
      // An interrupted backup leaves its copy behind
      await truncate(copy)
      copyDatabaseFile(request.database, copy)
      return await writeFrom(copy, request)
    })
  } finally {
    rmSync(copy, { force: true })
    lease.release()
  }
}

async function writeFrom(
  copy: string,
  { folder, masterKeys, passphrase, now }: BackupRequest,
): Promise<MadeBackup> {
  const facts = readFacts(copy)
  if (facts === null)
    throw new ConfigError(
      'This database has no tables of Latchkey; correct DATABASE_URL or DATA_DIR, or start the server first.',
    )
  const masterKey = await masterKeyOf(copy, masterKeys)
  const salt = passphrase === null ? null : newSalt()
  const header: BackupHeader = {
    ...facts,
    createdAt: now.toISOString(),
    keyId: keyIdOf(masterKey),
    migrations: [...facts.migrations],
    bytes: (await stat(copy)).size,
    encryption: salt && { method: 'scrypt-aes-256-gcm', salt: salt.toString('base64url') },
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, nameOf(now))
  if (existsSync(file)) throw new BackupProblem(`There is already a backup ${file}.`)
  const chunkKey = passphrase === null || salt === null ? null : await deriveChunkKey(passphrase, salt)
  await writeBackup(file, { header, data: copy, chunkKey, masterKey })
  return { file, header }
}

/** Returns the master key that opens the copy: a rotation may have ended while it was made. */
async function masterKeyOf(copy: string, masterKeys: MasterKeys): Promise<Buffer> {
  const find = async (name: string) => readMetaValue(copy, name)
  const settle = async (name: string, value: string) => (await find(name)) ?? value
  return (await openDataKeys(masterKeys, { find, settle })).masterKey
}

/** Returns a name such as `latchkey-20261127T134510.123Z.backup`: names sort by time. */
function nameOf(now: Date): string {
  return `latchkey-${now.toISOString().replaceAll(/[-:]/g, '')}.backup`
}

const namePattern = /^latchkey-\d{8}T\d{6}\.\d{3}Z\.backup$/

/** Deletes the backups of a folder except the newest ones, and returns the number of deleted files. */
export async function keepNewest(folder: string, kept: number): Promise<number> {
  const names = (await readdir(folder)).filter(name => namePattern.test(name)).toSorted()
  const old = names.slice(0, Math.max(0, names.length - kept))
  for (const name of old) await rm(join(folder, name), { force: true })
  return old.length
}

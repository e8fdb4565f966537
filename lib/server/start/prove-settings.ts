/**
 * Checks that the settings work on this machine, before anything slow or permanent is done; `address.ts` checks the
 * port.
 */
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { loadConfiguration } from '#lib/admin/configuration/load-configuration.ts'
import type { Config } from '#lib/config/env.ts'
import { openBreachedList } from '#lib/crypto/passwords/breached-list.ts'
import { createPasswordFlaws } from '#lib/crypto/passwords/password-flaws.ts'
import { ConfigError } from '#lib/errors/config-error.ts'

/**
 * Checks the settings. Creates only the data folder.
 * @throws ConfigError for the first setting that cannot work
 */
export async function proveSettings(config: Config): Promise<void> {
  proveExtensionsFile(config.extensionsFile)
  const list = config.breachedPasswordsFile
  const breached = list === null ? null : await openBreachedList(list)
  await loadConfiguration(config, {
    flawsOf: hasStoredUsers(config) ? undefined : createPasswordFlaws(breached),
    // The grants of an extensions file are not known until the start has loaded it
    customGrants: config.extensionsFile === null ? [] : undefined,
  })
  await breached?.close()
  if (config.masterKey === null && config.masterKeyCommand === null)
    proveDataFolder('DATA_DIR', config.dataDir)
  if (config.database.kind !== 'sqlite') return
  proveDatabaseFolder(config, dirname(config.database.file))
  proveDatabaseFile(config.database.file)
}

function proveExtensionsFile(file: string | null): void {
  if (file === null) return
  const problem = existsSync(file)
    ? statSync(file).isDirectory() && 'it is a folder; name the file in it'
    : `there is no such file; a relative path begins at ${process.cwd()}`
  if (problem !== false) throw new ConfigError(`LATCHKEY_EXTENSIONS is "${file}", but ${problem}.`)
}

/**
 * AU-02: whether users may be stored already; the database is not read here. Stored users keep their passwords, even if
 * a newer list of common passwords contains them.
 */
function hasStoredUsers({ database }: Config): boolean {
  return database.kind === 'postgresql' || existsSync(database.file)
}

/**
 * Refuses a missing database folder. The server creates only the data folder: with a mistyped path it would start with
 * a new, empty database.
 */
function proveDatabaseFolder({ dataDir }: Config, folder: string): void {
  const setting = folder === dataDir ? 'DATA_DIR' : 'The folder of DATABASE_URL'
  if (folder !== dataDir && !existsSync(folder))
    throw new ConfigError(
      `${setting} is "${folder}", but there is no such folder; create it, or correct the path.`,
    )
  proveDataFolder(setting, folder)
}

/**
 * Creates the folder and its parents, and checks that files can be written there. `setting` is for the error message.
 */
function proveDataFolder(setting: string, folder: string): void {
  try {
    makeFolder(folder)
  } catch (error) {
    throw refusal(setting, folder, `it cannot be created (${codeOf(error)})`)
  }
  if (!statSync(folder).isDirectory()) throw refusal(setting, folder, 'it is a file')
  const probe = join(folder, `.probe-${randomUUID()}`)
  try {
    writeFileSync(probe, '', { flag: 'wx', mode: 0o600 })
    rmSync(probe)
  } catch (error) {
    throw refusal(setting, folder, `it cannot be written (${codeOf(error)})`)
  }
}

/** Creates a folder. NOTE: Node's `recursive` never returns for a folder such as /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // A concurrent start created it
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

function refusal(setting: string, folder: string, problem: string): ConfigError {
  return new ConfigError(`${setting} is "${folder}", but ${problem}; name a folder this user may write to.`)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}

/** The first bytes of SQLite's file format, section 1.3.1. An empty file is a database without tables. */
const beginning = 'SQLite format 3\0'

/**
 * Refuses a file that is not a SQLite database or cannot be written. NOTE: closing a file ends all locks of the process
 * on it, so it must not be open elsewhere in this process.
 */
export function proveDatabaseFile(file: string): void {
  const found = beginningOf(file)
  if (found === '' || found === beginning) return
  throw new ConfigError(
    `The database ${file} is not a SQLite database; restore it from the backup, or name another file in DATABASE_URL.`,
  )
}

function beginningOf(file: string): string {
  try {
    const descriptor = openSync(file, 'r+')
    const bytes = Buffer.alloc(beginning.length)
    const count = readSync(descriptor, bytes)
    closeSync(descriptor)
    return bytes.toString('latin1', 0, count)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    if (code === 'ENOENT') return ''
    if (code === 'EISDIR')
      throw new ConfigError(`The database ${file} is a folder; name a file in it as DATABASE_URL.`)
    throw new ConfigError(
      `The database ${file} cannot be written (${code}); give this user the right to, or name another file in DATABASE_URL.`,
    )
  }
}

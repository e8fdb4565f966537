/** Everything about the settings that can be wrong, found out before anything slow or lasting happens. */
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { loadConfiguration } from '#lib/admin/configuration/load-configuration.ts'
import type { Config } from '#lib/config/env.ts'
import { passwordProblem } from '#lib/crypto/passwords/passwords.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import { proveAddress } from './bind.ts'
import { proveDataFolder } from './data-folder.ts'
import { proveDatabaseFile } from './database-file.ts'

/** Throws a ConfigError for the first setting that cannot work on this machine. Makes the data folder, nothing else. */
export async function proveSettings(config: Config): Promise<void> {
  await proveAddress(config)
  proveExtensionsFile(config.extensionsFile)
  await loadConfiguration(config, {
    passwordProblem: hasStoredPeople(config) ? undefined : passwordProblem,
    // Those of a file are known when it was loaded, by the start itself
    customGrants: config.extensionsFile === null ? [] : undefined,
  })
  if (config.masterKey === null) proveDataFolder('DATA_DIR', config.dataDir)
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

/** Who is stored keeps their password, whatever a newer list of bad ones says (AU-02). */
function hasStoredPeople({ database }: Config): boolean {
  return database.kind === 'postgresql' || existsSync(database.file)
}

/** Only the data folder is created by the server: a mistyped path must not start it on a new, empty database. */
function proveDatabaseFolder({ dataDir }: Config, folder: string): void {
  const setting = folder === dataDir ? 'DATA_DIR' : 'The folder of DATABASE_URL'
  if (folder !== dataDir && !existsSync(folder))
    throw new ConfigError(
      `${setting} is "${folder}", but there is no such folder; create it, or correct the path.`,
    )
  proveDataFolder(setting, folder)
}

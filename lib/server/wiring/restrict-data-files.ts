/**
 * Removes the permissions of other accounts from data files, which an earlier release, a copy or a restore may have
 * left.
 */
import { chmodSync, existsSync, realpathSync, type Stats, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, parse } from 'node:path'
import type { Config } from '#lib/config/env.ts'
import type { Log } from '#lib/events/log.ts'
import { root } from '#lib/server/start/bootstrap-stamps.mjs'

const otherAccounts = 0o077
const sticky = 0o1000
/** The suffixes of a database and of the files next to it: SQLite's own and the lease. */
const companions = ['', '-wal', '-shm', '-journal', '.lock']

/**
 * Reduces the permissions of data files to those of the owner. Returns the changed paths. Skips files of another
 * account, and a folder that has other uses.
 */
export function restrictDataFiles({ dataDir, database }: Pick<Config, 'dataDir' | 'database'>): string[] {
  // Windows has no such permissions
  if (process.getuid === undefined) return []
  const file = database.kind === 'sqlite' && existsSync(database.file) ? realpathSync(database.file) : null
  const databaseFiles = file === null ? [] : companions.map(ending => `${file}${ending}`)
  return [dataDir, join(dataDir, 'master.key'), ...databaseFiles].filter(restrict)
}

/** Logs one line for each path, because other accounts may have copied the data. */
export function logRestricted({
  restricted,
  log,
}: {
  restricted: readonly string[]
  log: Pick<Log, 'write'>
}) {
  for (const path of restricted) log.write('warn', 'permissions_restricted', { path })
}

/** Restricts a file or folder. Returns whether the permissions were changed. */
function restrict(place: string): boolean {
  const found = statSync(place, { throwIfNoEntry: false })
  if (found === undefined || (found.mode & otherAccounts) === 0 || found.uid !== process.getuid?.())
    return false
  if (found.isDirectory() && isShared(place, found)) return false
  chmodSync(place, found.mode & 0o7700)
  return true
}

/**
 * Whether the folder has other uses: a folder for temporary files, the home of this account, the program's folder, or
 * one that contains it.
 */
function isShared(folder: string, { mode }: Stats): boolean {
  const real = realpathSync(folder)
  const others = [homedir(), ...ancestorsOf(realpathSync(root))]
  return (mode & sticky) !== 0 || others.includes(real)
}

function ancestorsOf(folder: string): readonly string[] {
  return folder === parse(folder).root ? [folder] : [folder, ...ancestorsOf(dirname(folder))]
}

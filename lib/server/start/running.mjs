/** The list of servers that run from this folder: a build or an installation would remove their files. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bootstrap-stamps.mjs'

const standard = join(root, '.latchkey/running')

/**
 * Writes a file that exists until the process ends. Errors are ignored: in a folder that is not writable nothing can be
 * built either.
 */
export function declareRunning(folder = standard) {
  const mark = join(folder, String(process.pid))
  try {
    mkdirSync(folder, { recursive: true })
    // A start by another account must be able to read it
    chmodSync(folder, 0o755)
    writeFileSync(mark, '')
  } catch {
    return
  }
  process.once('exit', () => rmSync(mark, { force: true }))
}

/**
 * Returns the process ID of a server that runs from this folder; `null` when there is none. Deletes the files of killed
 * servers.
 * @param {string} folder
 * @returns {number | null}
 */
export function findRunning(folder = standard) {
  if (!existsSync(folder)) return null
  for (const name of readdirSync(folder)) {
    if (isServer(Number(name))) return Number(name)
    rmSync(join(folder, name), { force: true })
  }
  return null
}

/** @param {number} pid */
function isServer(pid) {
  if (!Number.isInteger(pid) || pid === process.pid) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
  // The system reuses process IDs: a command line, if it is readable, must be that of this server
  const command = `/proc/${pid}/cmdline`
  return !existsSync(command) || readFileSync(command, 'utf8').includes('main.ts')
}

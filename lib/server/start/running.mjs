/** Which servers run from this folder. A build or an installation would remove their files. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bootstrap-stamps.mjs'

const standard = join(root, '.latchkey/running')

/** Writes a file that exists until the process ends. In a folder that cannot be written nothing can be built either. */
export function declareRunning(folder = standard) {
  const mark = join(folder, String(process.pid))
  try {
    mkdirSync(folder, { recursive: true })
    // A start by another account reads it, too
    chmodSync(folder, 0o755)
    writeFileSync(mark, '')
  } catch {
    return
  }
  process.once('exit', () => rmSync(mark, { force: true }))
}

/**
 * The process ID of a server that runs from this folder; `null` when there is none. Files of killed servers are deleted.
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
  // The system reuses process IDs: if it has a command line, that must be of this server
  const command = `/proc/${pid}/cmdline`
  return !existsSync(command) || readFileSync(command, 'utf8').includes('main.ts')
}

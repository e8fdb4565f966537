/** Which servers run from this folder. Building or installing under one would take its files away. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bootstrap-stamps.mjs'

const standard = join(root, '.latchkey/running')

/** Leaves a mark until the process ends. A folder that cannot be written cannot be built in either. */
export function declareRunning(folder = standard) {
  const mark = join(folder, String(process.pid))
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(mark, '')
  } catch {
    return
  }
  process.once('exit', () => rmSync(mark, { force: true }))
}

/**
 * The process id of a server that runs from this folder; `null` when there is none. Marks of killed ones are cleared away.
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
  // Numbers are given again: where the system tells, it must be one of ours.
  const command = `/proc/${pid}/cmdline`
  return !existsSync(command) || readFileSync(command, 'utf8').includes('main.ts')
}

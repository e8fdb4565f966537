/** The folder for the data: there, and ours to write in. */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ConfigError } from '#lib/errors/config-error.ts'

/**
 * Makes the folder and its parents and proves that files can be written there. `setting` names the variable that led here
 * in the sentence of the ConfigError.
 */
export function proveDataFolder(setting: string, folder: string): void {
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

/** NOTE: Node's own `recursive` never comes back from a place such as /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another start was quicker.
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

function refusal(setting: string, folder: string, problem: string): ConfigError {
  return new ConfigError(`${setting} is "${folder}", but ${problem}; name a folder this user may write to.`)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}

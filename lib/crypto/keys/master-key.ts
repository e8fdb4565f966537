/** The master key: from the environment, or made once for a developer's machine. It opens the data keys. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Config } from '#lib/config/env.ts'
import { masterKeyCommandMs } from '#lib/config/limits.ts'
import { decodeMasterKey, masterKeyProblem } from '#lib/config/master-key-text.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import type { Meta } from '#lib/ports/configuration-store.ts'

/** The name in `Meta` of a text that the sealing key opens. It exists as soon as anything can be sealed. */
export const keyCheckName = 'master_key_check'

type Settings = Pick<Config, 'masterKey' | 'masterKeyCommand' | 'nextMasterKey' | 'dataDir' | 'isLoopback'>

/** A key, and the setting that it is from, for messages. */
type NamedKey = { readonly bytes: Buffer; readonly subject: string }

/** `next`: the key that replaces the current one in a rotation; `null` if there is no other. */
export type MasterKeys = { readonly current: NamedKey; readonly next: NamedKey | null }

/**
 * Returns MASTER_KEY, or the output of MASTER_KEY_COMMAND, and MASTER_KEY_NEXT. For a loopback issuer without the first two, returns the key in the file `master.key` of the
 * data folder; the file is created if nothing is sealed yet. `findMeta` reads what is stored. Throws a ConfigError if the key
 * is missing or malformed. Equal keys count as no next key: the last step of a rotation makes the new key the current one
 * while MASTER_KEY_NEXT may still be set.
 */
export async function loadMasterKeys(config: Settings, findMeta: Meta['find']): Promise<MasterKeys> {
  const current = { bytes: await loadCurrent(config, findMeta), subject: subjectOf(config) }
  if (config.nextMasterKey === null) return { current, next: null }
  const subject = 'MASTER_KEY_NEXT'
  const bytes = decode(config.nextMasterKey, subject, makeOne)
  return { current, next: bytes.equals(current.bytes) ? null : { bytes, subject } }
}

export function masterKeysOf({ current, next }: MasterKeys): readonly NamedKey[] {
  return next === null ? [current] : [current, next]
}

const makeOne = 'make one with "openssl rand -base64 32"'

async function loadCurrent(config: Settings, findMeta: Meta['find']): Promise<Buffer> {
  if (config.masterKey !== null) return decode(config.masterKey, subjectOf(config), makeOne)
  if (config.masterKeyCommand !== null)
    return decode(
      await outputOf(config.masterKeyCommand),
      subjectOf(config),
      'it must print the key and nothing else',
    )
  if (!config.isLoopback) {
    throw new ConfigError(
      'MASTER_KEY is not set, but the issuer is public; set it to the output of "openssl rand -base64 32".',
    )
  }
  return decode(await readOrMake(keyFile(config), findMeta), subjectOf(config), 'restore it from your copy')
}

/** MK-03: runs the program without a shell. Its output may be a secret, so no part of it is in a message. */
async function outputOf([program = '', ...given]: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, given, { timeout: masterKeyCommandMs })).stdout.trim()
  } catch (error) {
    const { code, killed: isKilled } = failureSchema.parse(error)
    if (isKilled === true) throw commandProblem(`it did not end within ${masterKeyCommandMs / 1000} seconds`)
    throw commandProblem(
      typeof code === 'number' ? `it ended with exit code ${code}` : 'it cannot be started',
    )
  }
}

const failureSchema = z.object({
  code: z.union([z.string(), z.number()]).nullish(),
  killed: z.boolean().nullish(),
})

function commandProblem(rule: string): ConfigError {
  return new ConfigError(
    `MASTER_KEY_COMMAND is (not shown), but ${rule}; run it as this user, and correct it.`,
  )
}

function keyFile({ dataDir }: Settings): string {
  return join(dataDir, 'master.key')
}

function subjectOf(config: Settings): string {
  if (config.masterKeyCommand !== null) return 'The output of MASTER_KEY_COMMAND'
  return config.masterKey === null ? `The master key in ${keyFile(config)}` : 'MASTER_KEY'
}

function decode(written: string, subject: string, fix: string): Buffer {
  const problem = masterKeyProblem(written)
  const bytes = decodeMasterKey(written)
  if (problem !== null || bytes === null)
    throw new ConfigError(`${subject} is (not shown), but ${problem}; ${fix}.`)
  return bytes
}

/**
 * Reads or makes the file. `wx` lets exactly one process make it; the others read it. If the file was lost, no new key
 * is made, because it could not open anything that is sealed.
 */
async function readOrMake(file: string, findMeta: Meta['find']): Promise<string> {
  if (!existsSync(file) && (await findMeta(keyCheckName)) !== null) {
    throw new ConfigError(
      `${file} is missing, but the data was made with the key in it; restore it from your copy, or set MASTER_KEY to that key.`,
    )
  }
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
  const made = randomBytes(32).toString('base64')
  try {
    await writeFile(file, `${made}\n`, { flag: 'wx', mode: 0o600 })
    return made
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    return (await readFile(file, 'utf8')).trim()
  }
}

/** The master key: from the environment, or made once for a developer's machine. It opens the data keys. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#lib/config/env.ts'
import { decodeMasterKey, masterKeyProblem } from '#lib/config/master-key-text.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import type { Meta } from '#lib/ports/configuration-store.ts'

/** The name in `Meta` of a text that the sealing key opens. It exists as soon as anything can be sealed. */
export const keyCheckName = 'master_key_check'

type Settings = Pick<Config, 'masterKey' | 'nextMasterKey' | 'dataDir' | 'isLoopback'>

/** A key, and the setting that it is from, for messages. */
type NamedKey = { readonly bytes: Buffer; readonly subject: string }

/** `next`: the key that replaces the current one in a rotation; `null` if there is none. */
export type MasterKeys = { readonly current: NamedKey; readonly next: NamedKey | null }

/**
 * Returns MASTER_KEY and MASTER_KEY_NEXT. For a loopback issuer without the first, returns the key in the file `master.key` of the
 * data folder; the file is created if nothing is sealed yet. `findMeta` reads what is stored. Throws a ConfigError if the key
 * is missing or malformed, or if the two are equal.
 */
export async function loadMasterKeys(config: Settings, findMeta: Meta['find']): Promise<MasterKeys> {
  const current = { bytes: await loadCurrent(config, findMeta), subject: subjectOf(config) }
  if (config.nextMasterKey === null) return { current, next: null }
  const subject = 'MASTER_KEY_NEXT'
  const bytes = decode(config.nextMasterKey, subject, makeOne)
  if (!bytes.equals(current.bytes)) return { current, next: { bytes, subject } }
  throw new ConfigError(
    `${subject} is (not shown), but it is the same key as ${current.subject}; ${makeOne}, or remove it.`,
  )
}

export function masterKeysOf({ current, next }: MasterKeys): readonly NamedKey[] {
  return next === null ? [current] : [current, next]
}

const makeOne = 'make one with "openssl rand -base64 32"'

async function loadCurrent(config: Settings, findMeta: Meta['find']): Promise<Buffer> {
  if (config.masterKey !== null) return decode(config.masterKey, subjectOf(config), makeOne)
  if (!config.isLoopback) {
    throw new ConfigError(
      'MASTER_KEY is not set, but the issuer is public; set it to the output of "openssl rand -base64 32".',
    )
  }
  const text = await readOrMake(keyFile(config), findMeta)
  return decode(text, subjectOf(config), 'restore it from your copy')
}

function keyFile({ dataDir }: Settings): string {
  return join(dataDir, 'master.key')
}

function subjectOf(config: Settings): string {
  return config.masterKey === null ? `The master key in ${keyFile(config)}` : 'MASTER_KEY'
}

function decode(text: string, subject: string, fix: string): Buffer {
  const problem = masterKeyProblem(text)
  const bytes = decodeMasterKey(text)
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
  const text = randomBytes(32).toString('base64')
  try {
    await writeFile(file, `${text}\n`, { flag: 'wx', mode: 0o600 })
    return text
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    return (await readFile(file, 'utf8')).trim()
  }
}

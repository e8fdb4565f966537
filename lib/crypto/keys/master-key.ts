/** The master key: from the environment, or made once for a developer's machine. It decrypts everything that is sealed. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#lib/config/env.ts'
import { decodeMasterKey, masterKeyProblem } from '#lib/config/master-key-text.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import type { Meta } from '#lib/ports/configuration-store.ts'
import type { Sealing } from '#lib/ports/environment.ts'

const checkName = 'master_key_check'
const checkContext = `meta:value:${checkName}`
const checkText = 'latchkey'

type Settings = Pick<Config, 'masterKey' | 'dataDir' | 'isLoopback'>

/**
 * Returns MASTER_KEY. For a loopback issuer without it, returns the key in the file `master.key` of the data folder;
 * the file is created if nothing is sealed yet. `findMeta` reads what is stored. Throws a ConfigError if the key is
 * missing or malformed.
 */
export async function loadMasterKey(config: Settings, findMeta: Meta['find']): Promise<Buffer> {
  if (config.masterKey !== null)
    return decode(config.masterKey, subjectOf(config), 'make one with "openssl rand -base64 32"')
  if (!config.isLoopback) {
    throw new ConfigError(
      'MASTER_KEY is not set, but the issuer is public; set it to the output of "openssl rand -base64 32".',
    )
  }
  const text = await readOrMake(keyFile(config), findMeta)
  return decode(text, subjectOf(config), 'restore it from your copy')
}

/**
 * Compares the key with the one that sealed the data (CR-04). The first start stores a sealed check value. Throws a
 * ConfigError when a different key sealed it.
 */
export async function verifyMasterKey(
  config: Settings,
  { meta, sealing }: { readonly meta: Pick<Meta, 'settle'>; readonly sealing: Sealing },
): Promise<void> {
  const check = await meta.settle(checkName, sealing.seal(checkText, checkContext))
  if (canOpen(sealing, check)) return
  throw new ConfigError(
    `${subjectOf(config)}, but it is different from the one the data was made with; start with the earlier key, or with a new database.`,
  )
}

function keyFile({ dataDir }: Settings): string {
  return join(dataDir, 'master.key')
}

function subjectOf(config: Settings): string {
  return config.masterKey === null
    ? `The master key in ${keyFile(config)} is (not shown)`
    : 'MASTER_KEY is (not shown)'
}

function decode(text: string, subject: string, fix: string): Buffer {
  const problem = masterKeyProblem(text)
  const bytes = decodeMasterKey(text)
  if (problem !== null || bytes === null) throw new ConfigError(`${subject}, but ${problem}; ${fix}.`)
  return bytes
}

/**
 * Reads or makes the file. `wx` lets exactly one process make it; the others read it. If the file was lost, no new key
 * is made, because it could not open anything that is sealed.
 */
async function readOrMake(file: string, findMeta: Meta['find']): Promise<string> {
  if (!existsSync(file) && (await findMeta(checkName)) !== null) {
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

function canOpen(sealing: Sealing, check: string): boolean {
  try {
    return sealing.open(check, checkContext) === checkText
  } catch {
    return false
  }
}

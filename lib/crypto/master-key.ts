/** The master key: from the environment, or made once for a developer's machine. Everything sealed hangs on it. */
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#lib/config/env.ts'
import { decodeMasterKey, masterKeyProblem } from '#lib/config/master-key-text.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import type { Meta } from '#lib/ports/configuration-store.ts'
import type { Sealing } from '#lib/ports/environment.ts'

const checkName = 'master_key_check'
const checkPlace = `meta:value:${checkName}`
const checkText = 'latchkey'

/** MASTER_KEY, else for loopback issuers the file `master.key` in the data folder. Throws a ConfigError otherwise. */
export async function loadMasterKey(
  config: Pick<Config, 'masterKey' | 'dataDir' | 'isLoopback'>,
): Promise<Buffer> {
  if (config.masterKey !== null) return decode(config.masterKey, 'MASTER_KEY is (not shown)')
  if (!config.isLoopback) {
    throw new ConfigError(
      'MASTER_KEY is not set, but the issuer is public; set it to the output of "openssl rand -base64 32".',
    )
  }
  const file = join(config.dataDir, 'master.key')
  return decode(await readOrMake(file), `The master key in ${file} is (not shown)`)
}

/**
 * Compares the key with the one the data was made with (CR-04). The first start leaves a sealed check value.
 * Throws a ConfigError when another key sealed it.
 */
export async function verifyMasterKey({
  meta,
  sealing,
}: {
  meta: Pick<Meta, 'settle'>
  sealing: Sealing
}): Promise<void> {
  const check = await meta.settle(checkName, sealing.seal(checkText, checkPlace))
  if (canOpen(sealing, check)) return
  throw new ConfigError(
    'MASTER_KEY is (not shown), but it is different from the one the data was made with; start with the earlier key, or with a new database.',
  )
}

function decode(text: string, subject: string): Buffer {
  const problem = masterKeyProblem(text)
  const bytes = decodeMasterKey(text)
  if (problem !== null || bytes === null) throw new ConfigError(`${subject}, but ${problem}.`)
  return bytes
}

/** `wx` lets exactly one process make it; the others read what it wrote. */
async function readOrMake(file: string): Promise<string> {
  await mkdir(join(file, '..'), { recursive: true })
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
    return sealing.open(check, checkPlace) === checkText
  } catch {
    return false
  }
}

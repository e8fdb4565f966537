/** Reads secrets from files that variables with the ending `_FILE` name, as orchestrators provide them. */
import { readFileSync, statSync } from 'node:fs'
import { ConfigError } from '#lib/errors/config-error.ts'
import { closestName } from '#lib/protocol/text/similar-names.ts'
import type { Environment } from './env.ts'
import { secretNames } from './environment-fields.ts'
import { longestSecretFileBytes } from './limits.ts'

/** The variables that name files of secrets. */
export const secretFileNames: readonly string[] = [...secretNames].map(name => `${name}_FILE`)

/**
 * Returns the environment with the secrets of the named files. A line break at the end of a file does not belong to its
 * secret.
 * @throws ConfigError if a secret is also set directly, or if its file cannot be read. NOTE: the message has no path: it
 * may be the secret itself, given by mistake.
 */
export function withSecretFiles(environment: Environment): Environment {
  refuseMisspeltDatabaseFile(environment)
  const secrets = [...secretNames].flatMap(name => {
    const file = environment[`${name}_FILE`] ?? ''
    if (file === '') return []
    if ((environment[name] ?? '') !== '') {
      throw new ConfigError(`${name}_FILE is set, but ${name} is set too; remove one of them.`)
    }
    return [[name, readSecret(`${name}_FILE`, file)] as const]
  })
  return { ...environment, ...Object.fromEntries(secrets) }
}

/** Refuses a name that is almost `DATABASE_URL_FILE`: without it, the server would start with a new, empty database. */
function refuseMisspeltDatabaseFile(environment: Environment): void {
  const isSet = (name: string) => (environment[name] ?? '') !== ''
  const meant = 'DATABASE_URL_FILE'
  if (isSet('DATABASE_URL') || isSet(meant)) return
  const misspelt = Object.keys(environment).find(
    name => Math.abs(name.length - meant.length) < 2 && closestName(name, [meant]) !== null && isSet(name),
  )
  if (misspelt === undefined) return
  throw new ConfigError(`${misspelt} is (not shown), but there is no such setting; did you mean "${meant}"?`)
}

function readSecret(name: string, file: string): string {
  try {
    const status = statSync(file)
    // NOTE: each process reads the file, and a pipe can be read only once
    if (!status.isFile()) throw problem(name, 'it is not the path of a regular file')
    if (status.size > longestSecretFileBytes)
      throw problem(name, `the file has more than ${longestSecretFileBytes} bytes`)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)).replace(/\r?\n$/, '')
    if (text === '') throw problem(name, 'the file is empty')
    return text
  } catch (error) {
    throw explain(name, error)
  }
}

function problem(name: string, rule: string): ConfigError {
  return new ConfigError(`${name} is (not shown), but ${rule}.`)
}

const missing = 'there is no such file; write the path of a file that contains the secret'
const unreadable = 'this user may not read the file; change its owner or its rights'

const problems: Readonly<Record<string, string>> = {
  ENOENT: missing,
  ENOTDIR: missing,
  ENAMETOOLONG: missing,
  ERR_INVALID_ARG_VALUE: missing,
  EACCES: unreadable,
  EPERM: unreadable,
  ERR_ENCODING_INVALID_ENCODED_DATA: 'the file is not text in UTF-8',
}

function explain(name: string, error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return error
  return problem(name, problems[error.code] ?? `the file cannot be read (${error.code})`)
}

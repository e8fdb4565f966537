/** Loads the configuration with which the server starts: the file, the demo, or none. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { ConfigError } from '#lib/errors/config-error.ts'
import type { Extensions } from '#lib/ports/extensions.ts'
import type { Passwords } from '#lib/ports/passwords.ts'
import { type ConfigurationFile, readConfiguration } from '#lib/protocol/registration/configuration-file.ts'
import { sentence } from '#lib/protocol/registration/configuration-problems.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { findJsonFault, parseStrictJson, placeInText } from '#lib/protocol/text/json-text.ts'
import { demoConfiguration } from './demo.ts'
import { documentProblems, wrongClaims } from './document-problems.ts'
import { passwordProblems } from './user-records.ts'

export type LoadedConfiguration = {
  readonly source: 'file' | 'demo' | 'none'
  readonly configuration: ConfigurationFile
}

type Where = {
  readonly configFile: string | null
  readonly demo: boolean
  readonly issuer: string
  readonly siteName: string
}

type Checks = {
  /** Given while no users are stored: rejected passwords are then reported with the other problems. */
  readonly flawsOf?: Passwords['flawsOf'] | undefined
  /** The grant types of extensions; left out before the extensions are loaded. */
  readonly customGrants?: Extensions['customGrants'] | undefined
}

/** Reads the configuration. Throws a ConfigError that lists its problems. */
export async function loadConfiguration(
  { configFile, demo, issuer, siteName }: Where,
  { flawsOf, customGrants }: Checks = {},
): Promise<LoadedConfiguration> {
  if (configFile !== null) {
    const document = await readDocument(configFile)
    const passwords = flawsOf === undefined ? [] : await badPasswords(document, flawsOf)
    const names = documentProblems(document, { siteName, customGrants })
    const others = [...names, ...wrongClaims(document)]
    return { source: 'file', configuration: check(document, configFile, { passwords, others }) }
  }
  if (demo) return { source: 'demo', configuration: check(demoConfiguration(issuer), 'the demo') }
  return { source: 'none', configuration: check({}, 'nothing') }
}

async function readDocument(file: string): Promise<unknown> {
  const text = decoded(file, await readBytes(file))
  try {
    const parsed = parseStrictJson(text)
    if ('value' in parsed) return parsed.value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  const fault = findJsonFault(text)
  if (fault === null) throw refusal(file, 'it is not JSON')
  throw refusal(file, `it is not right at ${placeInText(text, fault.position)}: ${fault.problem}`)
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    if (code === 'ENOENT') {
      throw refusal(file, `there is no such file; a relative path begins at ${process.cwd()}`)
    }
    if (code === 'EISDIR') throw refusal(file, 'it is a folder; name the file in it')
    throw refusal(file, `it cannot be read (${code}); let this user read it`)
  }
}

/**
 * Decodes a file without its byte order mark. NOTE: invalid bytes are an error, because replacing them could turn one name into
 * another.
 */
function decoded(file: string, bytes: Uint8Array): string {
  // JSON begins with ASCII characters; in UTF-16 one of their two bytes is zero
  const isUtf16 = /^(?:fffe|feff|00|..00)/.test(Buffer.from(bytes.subarray(0, 2)).toString('hex'))
  if (isUtf16) throw refusal(file, 'it is written in UTF-16; save it as UTF-8')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw refusal(file, 'it is not valid UTF-8; save it as UTF-8')
  }
}

/** Checks the passwords of the users that can be read, even if the document has other problems. */
async function badPasswords(document: unknown, flawsOf: Passwords['flawsOf']): Promise<readonly string[]> {
  const users: unknown = isRecord(document) ? document.users : null
  if (!Array.isArray(users)) return []
  const read = users.map(user => passwordUserSchema.safeParse(user).data)
  const problems = read.map((user, index) =>
    user === undefined ? [] : passwordProblems(flawsOf, user, index),
  )
  return (await Promise.all(problems)).flat()
}

/** The members of a user that the check of the password needs. Invalid ones are ignored. */
const passwordUserSchema = z.object({
  username: z.string().catch(''),
  password: z.string(),
  claims: z.record(z.string(), z.json()).catch({}),
})

type FoundProblems = Readonly<Record<'passwords' | 'others', readonly string[]>>

/** Checks the document. The problems of a password replace the problems that the schema finds in it. */
function check(
  document: unknown,
  file: string,
  { passwords, others }: FoundProblems = { passwords: [], others: [] },
): ConfigurationFile {
  const read = readConfiguration(document)
  const isOfPassword = (problem: string) => passwords.some(password => placeOf(password) === placeOf(problem))
  const ofSchema = read.kind === 'invalid' ? read.problems.filter(problem => !isOfPassword(problem)) : []
  const problems = [...ofSchema, ...others, ...passwords]
  if (read.kind === 'valid' && problems.length === 0) return read.configuration
  throw refusalOf(file, problems)
}

/** The place that a problem is about: `users[0].password` for `users[0].password: is too long`. */
function placeOf(problem: string): string | undefined {
  return problem.split(': ')[0]
}

/** Matches the path and colon of a problem whose rest is a predicate, as in `clients[0].client_id: is missing`. */
const predicate = /^([^:]+): (?=(?:is|must|needs|has|contains|may|cannot)\b)/

/** The error for these problems. Also used for problems that are found only when the document is applied. */
export function refusalOf(file: string, problems: readonly string[]): ConfigError {
  const [first = '', ...others] = problems
  if (others.length === 0) return refusal(file, first.replace(predicate, '$1 '))
  const list = problems.map(problem => `  ${problem}`).join('\n')
  return refusal(file, `it has ${problems.length} problems:\n${list}`)
}

function refusal(file: string, problem: string): ConfigError {
  return new ConfigError(`LATCHKEY_CONFIG is "${file}", but ${sentence(problem)}`)
}

/** Reads an export of the users of another product from its file. */
import { readFile, stat } from 'node:fs/promises'
import { getHeapStatistics } from 'node:v8'
import { ConfigError } from '#lib/errors/config-error.ts'
import { findJsonFault, parseStrictJson, placeInText } from '#lib/protocol/text/json-text.ts'
import { requireRegularFile } from '../source/export-file.ts'
import { readAuth0 } from './auth0.ts'
import { readFirebase } from './firebase.ts'
import { readKeycloak } from './keycloak.ts'
import { readPlainUsers } from './plain-users.ts'
import type { UserExport } from './user-export.ts'

type UserProduct = {
  /** The name of the product in texts. */
  readonly name: string
  readonly content: string
  readonly parse: (file: string, text: string) => unknown
  /** Returns `null` if the document is not such an export. */
  readonly read: (document: unknown) => UserExport | null
}

export const userProductNames = ['keycloak', 'auth0', 'firebase', 'users'] as const
export type UserProductName = (typeof userProductNames)[number]

export function isUserProduct(name: string): name is UserProductName {
  return Object.hasOwn(userProducts, name)
}

const userProducts: Readonly<Record<UserProductName, UserProduct>> = {
  keycloak: {
    name: 'Keycloak',
    content: 'an export of a realm, which is an object with a list "users"',
    parse: parseDocument,
    read: readKeycloak,
  },
  auth0: {
    name: 'Auth0',
    content: 'an export of users with one JSON object in each line',
    parse: parseLines,
    read: document => readAuth0(Array.isArray(document) ? document : []),
  },
  firebase: {
    name: 'Firebase',
    content: 'an export of users, which is an object with a list "users"',
    parse: parseDocument,
    read: readFirebase,
  },
  users: {
    name: 'a list of users',
    content: 'an object with a list "users"',
    parse: parseDocument,
    read: readPlainUsers,
  },
}

/** The maximum number of bytes of a file: parsing it needs several times as much memory. */
const mostBytes = getHeapStatistics().heap_size_limit / 8

/** Reads the users in a file. Throws a ConfigError if it cannot be read, or is not an export of this product. */
export async function readUserExport(product: UserProductName, file: string): Promise<UserExport> {
  const { name, content, parse, read } = userProducts[product]
  const found = read(parse(file, await textOf(file)))
  if (found !== null) return found
  throw new ConfigError(`The export ${file} cannot be read as that of ${name}: it must be ${content}.`)
}

async function textOf(file: string): Promise<string> {
  await requireRegularFile(file)
  if ((await stat(file)).size > mostBytes)
    throw new ConfigError(
      `The export ${file} is too large for the memory of the process. Divide it, and import the parts one after the other.`,
    )
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new ConfigError(`The export ${file} is not UTF-8; save it as UTF-8.`)
  }
}

function parseDocument(file: string, text: string): unknown {
  const parsed = parsedJson(text)
  if ('value' in parsed) return parsed.value
  throw new ConfigError(`The export ${file} cannot be read: ${parsed.problem}.`)
}

/** Parses one document in each line. Also accepts one document that is a list. */
function parseLines(file: string, text: string): unknown {
  if (text.trimStart().startsWith('[')) return parseDocument(file, text)
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const parsed = parsedJson(line)
    if ('value' in parsed) return [parsed.value]
    throw new ConfigError(`The export ${file} cannot be read: line ${index + 1}: ${parsed.problem}.`)
  })
}

function parsedJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    const parsed = parseStrictJson(text)
    return 'value' in parsed ? parsed : { problem: `it names ${JSON.stringify(parsed.repeatedKey)} twice` }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const fault = findJsonFault(text)
    return {
      problem: fault === null ? 'it is not JSON' : `${placeInText(text, fault.position)}: ${fault.problem}`,
    }
  }
}

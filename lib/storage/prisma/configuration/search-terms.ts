/**
 * Writes the search words of users and clients. One owner is on several shelves, so that a filter with few matches reads
 * its own shelf instead of all owners.
 */

import { search } from '#lib/config/limits.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import {
  type Client,
  type ClientKind,
  clientKindOf,
  clientKinds,
  legacySwitchesOf,
} from '#lib/protocol/registration/client.ts'
import { isImportedHash } from '#lib/protocol/registration/imported-hashes.ts'
import { canonicalUsername } from '#lib/protocol/text/user-names.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Dialect, Tables } from '../../database.ts'
import { batchesOf, equals, insertByDialect } from '../rows.ts'

export const userShelves = {
  all: 'user',
  disabled: 'user-disabled',
  /** Contains no words: the name of each user whose password hash was imported, until it is replaced. */
  imported: 'user-imported',
} as const
export const clientShelves = {
  all: 'client',
  disabled: 'client-disabled',
  ofKind: (kind: ClientKind) => `client-${kind}`,
  /** Contains no words: `<scope> <sort key>` of each client that may ask for the scope. */
  byScope: 'client-by-scope',
  /** Likewise of each client whose own list of identity providers names this one. */
  byProvider: 'client-by-provider',
  /** Likewise of each enabled client that may do what standards advise against. */
  bySwitch: 'client-by-switch',
} as const

const owners = {
  user: Object.values(userShelves),
  client: [
    clientShelves.all,
    clientShelves.disabled,
    clientShelves.byScope,
    clientShelves.byProvider,
    clientShelves.bySwitch,
    ...clientKinds.map(clientShelves.ofKind),
  ],
} as const

type Row = { readonly kind: string; readonly term: string; readonly id: string }

export async function putUserTerms(tables: Tables, user: StoredUser): Promise<void> {
  await replace(tables, 'user', user.subject, userSearchRows(user))
}

/** For users that were just added: there are no older terms to replace. */
export async function putNewUserTerms(
  tables: Tables,
  users: readonly StoredUser[],
  dialect: Dialect,
): Promise<void> {
  await tables.$executeRaw(insertTerms[dialect](users.flatMap(userSearchRows)).whole)
}

const insertTerms = insertByDialect<Row>('SearchTerm')

export function userSearchRows(user: StoredUser): readonly Row[] {
  const shelves = user.enabled ? [userShelves.all] : [userShelves.all, userShelves.disabled]
  return [...onShelves(shelves, termsOfUser(user), user.subject), ...importedRows(user)]
}

function importedRows({ subject: id, username, passwordHash }: StoredUser): readonly Row[] {
  const isImported = passwordHash !== null && isImportedHash(passwordHash)
  return isImported ? [{ kind: userShelves.imported, term: canonicalUsername(username), id }] : []
}

/** For a user whose imported password hash was replaced. */
export async function removeImportedTerm(tables: Tables, subject: string): Promise<void> {
  await tables.searchTerm.deleteMany({ where: { kind: userShelves.imported, id: equals(subject) } })
}

export async function putClientTerms(tables: Tables, client: Client): Promise<void> {
  await replace(tables, 'client', client.clientId, clientSearchRows(client, clientKindOf(client)))
}

/** Of clients that have none yet. */
export async function putNewClientTerms(tables: Tables, clients: readonly Client[]): Promise<void> {
  const rows = clients.flatMap(client => clientSearchRows(client, clientKindOf(client)))
  await insert(tables, rows)
}

export function clientSearchRows(client: Client, kind: ClientKind): readonly Row[] {
  const { clientId: id, enabled } = client
  const shelves = [
    clientShelves.all,
    clientShelves.ofKind(kind),
    ...(enabled ? [] : [clientShelves.disabled]),
  ]
  const named = (kind: string, names: readonly string[]) =>
    names.map(name => ({ kind, term: `${name} ${clientSortKey(client)}`, id }))
  return [
    ...onShelves(shelves, termsOfClient(client), id),
    ...named(clientShelves.byScope, client.scopes),
    ...named(clientShelves.byProvider, [...new Set(client.identityProviderRestrictions)]),
    ...named(clientShelves.bySwitch, enabled ? legacySwitchesOf(client) : []),
  ]
}

export async function removeTerms(tables: Tables, owner: keyof typeof owners, id: string): Promise<void> {
  await tables.searchTerm.deleteMany({ where: { kind: { in: [...owners[owner]] }, id } })
}

/** The order of lists. Unique: no client id contains a tab. */
export function clientSortKey({ clientName, clientId }: Pick<Client, 'clientName' | 'clientId'>): string {
  return `${foldedText(clientName)}\t${clientId}`
}

function termsOfUser({ subject, username, claims }: StoredUser): readonly string[] {
  const names = ['name', 'given_name', 'family_name', 'nickname'].map(name => claims[name])
  const phones = [claims.phone_number, username].filter(isText).map(phoneDigits)
  return storedTerms([
    ...emailTerms(username),
    ...(isText(claims.email) ? emailTerms(claims.email) : []),
    ...names.filter(isText).flatMap(textTerms),
    ...phones.filter(isText),
    ...textTerms(subject).slice(0, 1),
  ])
}

function termsOfClient({ clientId, clientName }: Client): readonly string[] {
  return storedTerms([...textTerms(clientId), ...textTerms(clientName)])
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function onShelves(shelves: readonly string[], terms: readonly string[], id: string): readonly Row[] {
  return shelves.flatMap(kind => terms.map(term => ({ kind, term, id })))
}

async function replace(
  tables: Tables,
  owner: keyof typeof owners,
  id: string,
  rows: readonly Row[],
): Promise<void> {
  const where = { kind: { in: [...owners[owner]] }, id }
  const found = await tables.searchTerm.findMany({ where })
  if (isSame(found, rows)) return
  if (found.length > 0) await tables.searchTerm.deleteMany({ where })
  await insert(tables, rows)
}

async function insert(tables: Tables, rows: readonly Row[]): Promise<void> {
  for (const batch of batchesOf(rows)) await tables.$executeRaw(insertion(batch))
}

/** NOTE: Prisma plans each `createMany` again, which takes longer than everything else about a client. */
function insertion(rows: readonly Row[]): Prisma.Sql {
  const values = rows.map(({ kind, term, id }) => Prisma.sql`(${kind}, ${term}, ${id})`)
  return Prisma.sql`INSERT INTO "SearchTerm" ("kind", "term", "id") VALUES ${Prisma.join(values)}`
}

function isSame(left: readonly Row[], right: readonly Row[]): boolean {
  const written = (rows: readonly Row[]) => rows.map(row => JSON.stringify([row.kind, row.term])).toSorted()
  return JSON.stringify(written(left)) === JSON.stringify(written(right))
}

/** One line in lower case without accents; every run of blanks and signs of control is one space. */
export function foldedText(text: string): string {
  const plain = text.slice(0, search.characters).normalize('NFKD').toLowerCase().normalize('NFKD')
  const letters = Array.from(plain.replace(accents, ''), letter => writtenOut[letter] ?? letter)
  return letters.join('').replace(blanks, ' ').trim()
}

/** Letters with strokes and joined letters, which Unicode does not take apart. */
const writtenOut: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}
const accents = /\p{M}/gu
const blanks = /[\p{Z}\p{C}]+/gu
/**
 * What a text has around a word. Of the signs after a word only quotes, brackets and the marks of a sentence: `a_` is a
 * beginning of `a_b`, and `50%` a name.
 */
const outerSigns = /^[^\p{L}\p{N}]+|[\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'`,;:!?<>]+$/gu

/** `null`: nothing is asked for. Empty: it has no letter or digit, so nothing can be found by it. */
export function searchWords(asked: string | null): readonly string[] | null {
  if (asked === null || asked.trim() === '') return null
  return withoutBeginnings(wordsOf(asked).map(shortened)).slice(0, search.wordsAsked)
}

/** The digits of a telephone number, without the sign or the zeros of an international prefix. */
export function phoneDigits(text: string): string | null {
  if (!/^\s*\+?[\d\s()./-]+$/.test(text)) return null
  const digits = text.replace(/\D/g, '').replace(/^00/, '')
  return digits.length < search.phoneDigits ? null : shortened(digits)
}

/** Each word from each of its parts on: `ann-marie` is found by `ann-m` and by `marie`. */
export function textTerms(text: string): readonly string[] {
  return wordsOf(text).flatMap(endings)
}

/** Like any word, but never by what follows the last dot: half of the world ends in `com`. */
export function emailTerms(address: string): readonly string[] {
  return wordsOf(address).flatMap(word => {
    const found = endings(word)
    return found.length > 1 ? found.slice(0, -1) : found
  })
}

/** The stored terms of one owner, the most distinctive first. Prefix search finds the beginnings of each. */
export function storedTerms(candidates: readonly string[]): readonly string[] {
  return withoutBeginnings(candidates.map(shortened)).slice(0, search.termsStored)
}

function wordsOf(text: string): readonly string[] {
  return foldedText(text)
    .split(' ')
    .map(word => word.replace(outerSigns, ''))
    .filter(word => word !== '')
}

function endings(word: string): readonly string[] {
  return Array.from(word.matchAll(/[\p{L}\p{N}]+/gu), part => word.slice(part.index))
}

/** NOTE: by code point; a lone surrogate is invalid in a database. */
function shortened(word: string): string {
  return Array.from(word).slice(0, search.termCharacters).join('')
}

/** Each once, and none that is the beginning of another. */
function withoutBeginnings(words: readonly string[]): readonly string[] {
  const distinct = [...new Set(words)]
  return distinct.filter(word => !distinct.some(other => other !== word && other.startsWith(word)))
}

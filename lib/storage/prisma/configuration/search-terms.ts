/**
 * Writes the search terms of users and clients, which are the owners of the terms, and finds the words in the text of a
 * search. An owner has terms of several kinds, so that a filter with few matches reads only the terms of its kind and
 * not those of all owners.
 */

import { search } from '#lib/config/limits.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import {
  type Client,
  type ClientKind,
  clientKindOf,
  clientKinds,
  notedSettingsOf,
} from '#lib/protocol/registration/client.ts'
import { isImportedHash } from '#lib/protocol/registration/imported-hashes.ts'
import { canonicalUsername } from '#lib/protocol/text/user-names.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Dialect, Tables } from '../../database.ts'
import { batchesOf, equals, insertByDialect } from '../rows.ts'

export const userTermKinds = {
  all: 'user',
  disabled: 'user-disabled',
  /** Not words: the user name of each user with an imported password hash, until the hash is replaced. */
  imported: 'user-imported',
} as const
export const clientTermKinds = {
  all: 'client',
  disabled: 'client-disabled',
  ofKind: (kind: ClientKind) => `client-${kind}`,
  /** Not words: `<scope> <sort key>` of each client that may request the scope. */
  byScope: 'client-by-scope',
  /**
   * Not words: `<scheme> <sort key>` of each client that allows only listed identity providers, for each
   * provider in its list.
   */
  byProvider: 'client-by-provider',
  /**
   * Not words: `<switch> <sort key>` of each enabled client, for each of its settings that standards advise against or
   * that have no effect.
   */
  bySwitch: 'client-by-switch',
} as const

const owners = {
  user: Object.values(userTermKinds),
  client: [
    clientTermKinds.all,
    clientTermKinds.disabled,
    clientTermKinds.byScope,
    clientTermKinds.byProvider,
    clientTermKinds.bySwitch,
    ...clientKinds.map(clientTermKinds.ofKind),
  ],
} as const

type Row = { readonly kind: string; readonly term: string; readonly id: string }

export async function putUserTerms(tables: Tables, user: StoredUser): Promise<void> {
  await replace(tables, 'user', user.subject, userSearchRows(user))
}

/** Writes the terms of new users: there are no older terms to replace. */
export async function putNewUserTerms(
  tables: Tables,
  users: readonly StoredUser[],
  dialect: Dialect,
): Promise<void> {
  await tables.$executeRaw(insertTerms[dialect](users.flatMap(userSearchRows)).whole)
}

const insertTerms = insertByDialect<Row>('SearchTerm')

export function userSearchRows(user: StoredUser): readonly Row[] {
  const kinds = user.enabled ? [userTermKinds.all] : [userTermKinds.all, userTermKinds.disabled]
  return [...rowsOfKinds(kinds, termsOfUser(user), user.subject), ...importedRows(user)]
}

function importedRows({ subject: id, username, passwordHash }: StoredUser): readonly Row[] {
  const isImported = passwordHash !== null && isImportedHash(passwordHash)
  return isImported ? [{ kind: userTermKinds.imported, term: canonicalUsername(username), id }] : []
}

/** Removes the term of a user's imported password hash, after the hash was replaced. */
export async function removeImportedTerm(tables: Tables, subject: string): Promise<void> {
  await tables.searchTerm.deleteMany({ where: { kind: userTermKinds.imported, id: equals(subject) } })
}

export async function putClientTerms(tables: Tables, client: Client): Promise<void> {
  await replace(tables, 'client', client.clientId, clientSearchRows(client, clientKindOf(client)))
}

/** Writes the terms of new clients: there are no older terms to replace. */
export async function putNewClientTerms(tables: Tables, clients: readonly Client[]): Promise<void> {
  const rows = clients.flatMap(client => clientSearchRows(client, clientKindOf(client)))
  await insert(tables, rows)
}

export function clientSearchRows(client: Client, kind: ClientKind): readonly Row[] {
  const { clientId: id, enabled } = client
  const kinds = [
    clientTermKinds.all,
    clientTermKinds.ofKind(kind),
    ...(enabled ? [] : [clientTermKinds.disabled]),
  ]
  const named = (kind: string, names: readonly string[]) =>
    names.map(name => ({ kind, term: `${name} ${clientSortKey(client)}`, id }))
  return [
    ...rowsOfKinds(kinds, termsOfClient(client), id),
    ...named(clientTermKinds.byScope, client.scopes),
    ...named(clientTermKinds.byProvider, [...new Set(client.identityProviderRestrictions)]),
    ...named(clientTermKinds.bySwitch, enabled ? notedSettingsOf(client) : []),
  ]
}

export async function removeTerms(tables: Tables, owner: keyof typeof owners, id: string): Promise<void> {
  await tables.searchTerm.deleteMany({ where: { kind: { in: [...owners[owner]] }, id } })
}

/** The key by which lists of clients are sorted. It is unique: no client ID contains a tab. */
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

function rowsOfKinds(kinds: readonly string[], terms: readonly string[], id: string): readonly Row[] {
  return kinds.flatMap(kind => terms.map(term => ({ kind, term, id })))
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

/**
 * Inserts rows in one statement. NOTE: Prisma plans each `createMany` again, which takes longer than all other work for
 * a client.
 */
function insertion(rows: readonly Row[]): Prisma.Sql {
  const values = rows.map(({ kind, term, id }) => Prisma.sql`(${kind}, ${term}, ${id})`)
  return Prisma.sql`INSERT INTO "SearchTerm" ("kind", "term", "id") VALUES ${Prisma.join(values)}`
}

function isSame(left: readonly Row[], right: readonly Row[]): boolean {
  const written = (rows: readonly Row[]) => rows.map(row => JSON.stringify([row.kind, row.term])).toSorted()
  return JSON.stringify(written(left)) === JSON.stringify(written(right))
}

/**
 * Folds a text to one line in lower case without accents; every run of spaces and control characters becomes one space.
 * The end of a very long text is cut off.
 */
export function foldedText(text: string): string {
  const plain = text.slice(0, search.characters).normalize('NFKD').toLowerCase().normalize('NFKD')
  const letters = Array.from(plain.replace(accents, ''), letter => writtenOut[letter] ?? letter)
  return letters.join('').replace(blanks, ' ').trim()
}

/** Replacements for letters that Unicode does not decompose, such as ligatures and letters with strokes. */
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
 * Matches the characters around a word that are not part of it: before the word, all except letters and digits; after
 * it, only quotes, brackets and `,;:!?`, because a search for `a_` must find `a_b`, and `50%` must remain `50%`.
 */
const outerSigns = /^[^\p{L}\p{N}]+|[\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'`,;:!?<>]+$/gu

/**
 * Returns the words of a search. `null`: there is no search. Empty: the text has no letter or digit, so nothing can
 * match.
 */
export function searchWords(asked: string | null): readonly string[] | null {
  if (asked === null || asked.trim() === '') return null
  return withoutBeginnings(wordsOf(asked).map(shortened)).slice(0, search.wordsAsked)
}

/**
 * Returns the digits of a phone number, without the plus sign or the zeros of an international prefix; `null` for texts
 * with other characters or with too few digits.
 */
export function phoneDigits(text: string): string | null {
  if (!/^\s*\+?[\d\s()./-]+$/.test(text)) return null
  const digits = text.replace(/\D/g, '').replace(/^00/, '')
  return digits.length < search.phoneDigits ? null : shortened(digits)
}

/**
 * Returns the search terms of a text: for each part of each word, the word from this part on. The terms of `ann-marie`
 * are `ann-marie` and `marie`, so that it is found by `ann-m` and by `marie`.
 */
export function textTerms(text: string): readonly string[] {
  return wordsOf(text).flatMap(endings)
}

/**
 * Returns the search terms of an email address. The last of several parts is not a term: many addresses end in `com`.
 */
export function emailTerms(address: string): readonly string[] {
  return wordsOf(address).flatMap(word => {
    const found = endings(word)
    return found.length > 1 ? found.slice(0, -1) : found
  })
}

/**
 * Selects the terms to store for one owner from `candidates`, which begin with the most important one. Prefixes of
 * other terms are left out, because a prefix search finds them anyway.
 */
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

/** Cuts a word. NOTE: counts code points; databases refuse a lone surrogate. */
function shortened(word: string): string {
  return Array.from(word).slice(0, search.termCharacters).join('')
}

/** Removes duplicates and words that are prefixes of other words. */
function withoutBeginnings(words: readonly string[]): readonly string[] {
  const distinct = [...new Set(words)]
  return distinct.filter(word => !distinct.some(other => other !== word && other.startsWith(word)))
}

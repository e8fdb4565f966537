/** Plans the users of an import, and their links to identity providers. */
import { errorFor, type FieldError, fieldErrors } from '#lib/admin/admin-result.ts'
import { canonicalJson } from '#lib/admin/configuration/compare-documents.ts'
import { reservedClientId } from '#lib/admin/configuration/document-problems.ts'
import { users } from '#lib/admin/users/user-resource.ts'
import type { AccountLink } from '#lib/ports/admin-store.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import { plainMessage } from '#lib/protocol/registration/configuration-problems.ts'
import { costOf, isSlow, parseImportedHash } from '#lib/protocol/registration/imported-hashes.ts'
import { userRecordSchema } from '#lib/protocol/registration/records.ts'
import { canonicalUsername } from '#lib/protocol/text/user-names.ts'
import type { ImportedUser } from './imported.ts'
import { inBatches } from './in-batches.ts'
import { decide, isAccepted, isWritten, type Planning } from './planning.ts'

export type PlannedUsers = { readonly users: readonly StoredUser[]; readonly links: readonly AccountLink[] }

export async function planUsers(planning: Planning, imported: Iterable<ImportedUser>): Promise<PlannedUsers> {
  const planned = { users: [] as StoredUser[], links: [] as AccountLink[] }
  const names = new Map<string, string>()
  const providers = await providersByName(planning)
  const administrators = new Set((await planning.ports.administrators.all()).map(({ subject }) => subject))
  for await (const batch of inBatches(imported)) {
    const found = await Promise.all(batch.map(user => findUser(planning, user)))
    for (const [index, given] of batch.entries()) {
      const known = found[index]
      if (known === undefined) continue
      const user = await planUser(planning, { given, known, names, administrators })
      if (user === null) continue
      noteSlowHash(planning, given, user.row)
      if (user.isWritten) planned.users.push(user.row)
      planned.links.push(...(await planLinks(planning, { given, account: user.row.subject, providers })))
    }
  }
  return planned
}

/**
 * Notes an imported hash whose check is slow. The report has one line for all users whose hashes
 * have the same cost.
 */
function noteSlowHash(
  { notes }: Planning,
  { place }: ImportedUser,
  { subject: id, passwordHash }: StoredUser,
): void {
  const hash = passwordHash === null ? null : parseImportedHash(passwordHash)
  if (hash === null || !isSlow(hash)) return
  const { i } = hash.parameters
  const cost = i === undefined ? costOf(hash) : `${i} iterations`
  const text = `has a slow hash of ${cost} until the first sign-in: see the documentation of the import`
  notes.push({ kind: 'changed', field: 'password', text, of: 'user', place, id })
}

/** The stored user with the same subject, and the one with the same user name. */
type Known = { readonly stored: StoredUser | null; readonly named: StoredUser | null }

async function findUser({ ports }: Planning, { document }: ImportedUser): Promise<Known> {
  const subject = subjectIdSchema.safeParse(document.sub).data
  const name = userRecordSchema.shape.username.safeParse(document.username).data
  return {
    stored: subject === undefined ? null : await ports.users.findBySubject(subject),
    named: name === undefined ? null : await ports.users.findByUsername(name),
  }
}

type Given = {
  readonly given: ImportedUser
  readonly known: Known
  /** The place in the export for each user name. */
  readonly names: Map<string, string>
  readonly administrators: ReadonlySet<SubjectId>
}

type PlannedUser = { readonly row: StoredUser; readonly isWritten: boolean }

async function planUser(
  planning: Planning,
  { given, known, names, administrators }: Given,
): Promise<PlannedUser | null> {
  const { place, notes, document } = given
  const id = typeof document.sub === 'string' ? document.sub : null
  if (typeof document.username === 'string') planning.usernames.set(place, document.username)
  const read = userRecordSchema.safeParse(document, { error: plainMessage })
  const errors = async () => (read.success ? nameErrors({ given, known, names }) : fieldErrors(read.error))
  const candidate = { of: 'user' as const, place, id, notes, errors }
  if (!(await isAccepted(planning, candidate)) || !read.success) return null
  const { username, enabled, claims } = read.data
  names.set(canonicalUsername(username), place)
  const fresh = { subject: subjectIdSchema.parse(document.sub), username, enabled, claims }
  const row = { ...fresh, ...passwordFor(given, known.stored) }
  const isSame = (other: StoredUser) => factsIn(other) === factsIn(row)
  const isKnownSame = known.stored !== null && isSame(known.stored)
  if (administrators.has(row.subject)) return keepAdministrator(planning, given, { row, isKnownSame })
  if (isKnownSame) {
    planning.counts.user.unchanged += 1
    return { row, isWritten: false }
  }
  // Only a changed user is read again, to get its version
  const stored = known.stored && (await planning.ports.adminLists.user(row.subject))
  const outcome = await decide(planning, users, { of: 'user', place, row, stored, isSame, original: null })
  return { row, isWritten: isWritten(outcome) }
}

/**
 * Refuses changes of administrators, even if the operator allows overwriting: an account and its links to providers
 * give access to the dashboard.
 */
function keepAdministrator(
  { counts, notes }: Planning,
  { place, logins }: ImportedUser,
  { row: { subject: id }, isKnownSame }: { readonly row: StoredUser; readonly isKnownSame: boolean },
): null {
  counts.user[isKnownSame ? 'unchanged' : 'kept'] += 1
  counts.login.kept += logins.length
  const text = 'is an administrator here: the account and its sign-ins stay as they are'
  notes.push({ kind: 'changed', field: '', text, of: 'user', place, id })
  return null
}

function nameErrors({ given, known, names }: Omit<Given, 'administrators'>): readonly FieldError[] {
  const { sub, username } = given.document
  const twin = names.get(canonicalUsername(String(username)))
  const isTaken = known.named !== null && known.named.subject !== sub
  const taken = isTaken ? 'is the name of a different user here' : null
  return [
    ...errorFor('sub', typeof sub === 'string' ? reservedClientId(sub) : 'is missing'),
    ...errorFor('username', twin === undefined ? taken : `is also the name of ${twin}`),
  ]
}

/** Returns the password to store. A stored hash that was not imported is kept. */
function passwordFor({ passwordHash, mustChangePassword }: ImportedUser, stored: StoredUser | null) {
  const hash = stored?.passwordHash ?? null
  const isOwn = stored !== null && hash !== null && parseImportedHash(hash) === null
  return isOwn
    ? { passwordHash: hash, mustChangePassword: stored.mustChangePassword }
    : { passwordHash, mustChangePassword }
}

function factsIn({ username, passwordHash, mustChangePassword, enabled, claims }: StoredUser): string {
  return canonicalJson([username, passwordHash, mustChangePassword, enabled, claims])
}

type Providers = ReadonlyMap<string, IdentityProvider>

/** Loads the identity providers by name, in lower case: the products differ in letter case. */
async function providersByName({ ports }: Planning): Promise<Providers> {
  const providers = await ports.adminLists.providers()
  return new Map(providers.map(provider => [provider.scheme.toLowerCase(), provider]))
}

type Linking = { readonly given: ImportedUser; readonly account: SubjectId; readonly providers: Providers }

async function planLinks(
  { ports, counts, notes, seen }: Planning,
  { given, account, providers }: Linking,
): Promise<readonly AccountLink[]> {
  const links: AccountLink[] = []
  const note = (text: string) =>
    notes.push({ kind: 'changed', field: 'Logins', text, of: 'user', place: given.place, id: account })
  for (const { provider: name, externalSubject: subject } of given.logins) {
    const provider = providers.get(name.toLowerCase())
    if (provider === undefined) {
      counts.login.refused += 1
      note(
        `there is no identity provider ${JSON.stringify(name.slice(0, 60))} here: add it, then import again`,
      )
      continue
    }
    const key = { scheme: provider.scheme, issuer: provider.issuer, subject }
    const once = `login ${provider.scheme} ${subject}`
    if (seen.has(once)) {
      counts.login.refused += 1
      note(`the account at ${provider.scheme} is in the export more than once`)
      continue
    }
    seen.add(once)
    const owner = await ports.users.findByExternal(key)
    if (owner === null) links.push({ ...key, account })
    else if (owner.subject !== account) note(`${provider.scheme} is linked to a different user here`)
    counts.login[owner === null ? 'added' : owner.subject === account ? 'unchanged' : 'kept'] += 1
  }
  return links
}

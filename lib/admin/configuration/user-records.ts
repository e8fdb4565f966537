/** People of a configuration as the store keeps them. */

import { z } from 'zod'
import { ConfigError } from '#lib/errors/config-error.ts'
import type { Meta, UserToPut } from '#lib/ports/configuration-store.ts'
import type { StoredUser, Users } from '#lib/ports/users.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { UserRecord } from '#lib/protocol/registration/records.ts'
import { canonicalUsername, wordsAbout } from '#lib/protocol/text/user-names.ts'
import type { RecordParts } from './configured-records.ts'

/**
 * Who is stored under that name keeps their `sub`. `noted`: what the same document said before; a password that it still
 * says is no news, and what stands meanwhile stays. Without that the document's passwords count, and one that is stored
 * already keeps its hash. Throws a ConfigError that names every password that may not be set, and entries that come to be
 * one person.
 */
export async function userRecords(
  parts: RecordParts,
  wanted: readonly UserRecord[],
  noted: readonly NotedPassword[] = [],
): Promise<readonly ConfiguredUser[]> {
  const users: ConfiguredUser[] = []
  const problems: string[] = []
  for (const [index, user] of wanted.entries()) {
    const standing = await standingOf(parts, user, noted)
    // AU-02: only when it is set, so that a longer list of common passwords locks no user out later.
    if (standing.known === null && !standing.isKept)
      problems.push(...(await passwordProblems(parts.passwordProblem, user, index)))
    if (problems.length > 0) continue
    users.push(await configuredUser(parts, user, standing))
  }
  if (problems.length === 0) problems.push(...twiceNamed(users))
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return users
}

/** A new user with a name that another stored user still has would get that account. */
function twiceNamed(users: readonly ConfiguredUser[]): readonly string[] {
  const subjects = users.map(({ record }) => record.subject)
  return subjects.flatMap((subject, index) => {
    const first = subjects.indexOf(subject)
    if (first === index) return []
    return `users[${index}]: has the name under which users[${first}] (sub "${subject}") is stored. Give it a separate sub.`
  })
}

/** `users[2].password: is one of the passwords that attackers try first.`, or nothing. */
export async function passwordProblems(
  passwordProblem: RecordParts['passwordProblem'],
  user: UserRecord,
  index: number,
): Promise<readonly string[]> {
  if (user.password === undefined) return []
  const problem = await passwordProblem(user.password, wordsAbout(user))
  return problem === null ? [] : [`users[${index}].password: ${problem}.`]
}

/** A user of the document together with the stored user. */
type Standing = {
  readonly stored: StoredUser | null
  /** A hash of the document's password: the one that was noted, else the one that is stored. */
  readonly known: string | null
  /** The password that is stored stays, whatever it is. */
  readonly isKept: boolean
}

async function standingOf(
  { storage, passwords }: RecordParts,
  user: UserRecord,
  noted: readonly NotedPassword[],
): Promise<Standing> {
  const { sub, username, password } = user
  const stored = await (sub === undefined
    ? storage.users.findByUsername(username)
    : storage.users.findBySubject(sub))
  const note = stored && noteFor(noted, user, stored)
  const hashes = new Set([note?.hash ?? null, stored?.passwordHash ?? null])
  const known = await hashOf(passwords, password, hashes)
  // Of what an earlier release applied nobody knows who changed it since. Kept: an operator notices that a new password
  // of the file does not work, and nobody that an old one works again.
  const isUnnoted = note?.hash === null && stored?.passwordHash !== null
  const isKept =
    password !== undefined && note !== null && (isUnnoted || (known !== null && known === note.hash))
  return { stored, known, isKept }
}

/** The first of them that was made of that password. */
async function hashOf(
  passwords: RecordParts['passwords'],
  password: string | undefined,
  hashes: ReadonlySet<string | null>,
): Promise<string | null> {
  if (password === undefined) return null
  for (const hash of hashes) if (hash !== null && (await passwords.verify(password, hash))) return hash
  return null
}

async function configuredUser(
  parts: RecordParts,
  user: UserRecord,
  standing: Standing,
): Promise<ConfiguredUser> {
  const { stored, isKept } = standing
  const hash = await documentHash(parts, user, standing)
  const record = {
    subject: user.sub ?? stored?.subject ?? subjectIdSchema.parse(parts.random.id()),
    username: user.username,
    passwordHash: stored !== null && isKept ? keptHash(stored, standing, hash) : hash,
    // Passwords of a file are not temporary
    mustChangePassword: stored !== null && isKept && stored.mustChangePassword,
    enabled: user.enabled,
    claims: user.claims,
  }
  const note = { sub: record.subject, username: canonicalUsername(user.username), hash }
  return {
    record: { ...record, keepsPassword: isKept && record.passwordHash === stored?.passwordHash },
    note: hash === null ? null : note,
  }
}

/** The one that is known, unless it was made with weaker parameters than today's. */
async function documentHash(
  { passwords }: RecordParts,
  { password }: UserRecord,
  { known }: Standing,
): Promise<string | null> {
  if (password === undefined) return null
  return known !== null && !passwords.needsRehash(known) ? known : passwords.hash(password)
}

/** The stored hash of the document's password, computed again if the parameters changed. */
function keptHash(stored: StoredUser, { known }: Standing, hash: string | null): string | null {
  return known !== null && stored.passwordHash === known ? hash : stored.passwordHash
}

const notedPasswordSchema = z.object({
  sub: subjectIdSchema,
  /** As the file says it, in canonical form. */
  username: z.string(),
  /** `null`: an earlier release applied the file and noted nothing. */
  hash: z.string().nullable(),
})

type NotedPassword = z.infer<typeof notedPasswordSchema>

type ConfiguredUser = {
  readonly record: UserToPut
  /** The password as the document has it; `null` without one. */
  readonly note: NotedPassword | null
}

/** The name in `Meta`. */
export const notedPasswordsMeta = 'configuration_passwords'

/** `managed`: whom the configuration made so far. */
export async function findNotedPasswords(
  meta: Pick<Meta, 'find'>,
  managed: readonly SubjectId[],
): Promise<readonly NotedPassword[]> {
  const text = await meta.find(notedPasswordsMeta)
  if (text === null) return managed.map(sub => ({ sub, username: '', hash: null }))
  return z.array(notedPasswordSchema).parse(JSON.parse(text))
}

/** To be stored with what it tells of. */
export function metaOfPasswords(noted: readonly NotedPassword[]): Readonly<Record<string, string>> {
  return { [notedPasswordsMeta]: JSON.stringify(noted) }
}

/**
 * Whoever was deleted and made again under the same name is known by it: their password was chosen here, too, and
 * perhaps because the file's one had become known.
 */
function noteFor(
  noted: readonly NotedPassword[],
  { username }: UserRecord,
  { subject }: StoredUser,
): NotedPassword | null {
  const name = canonicalUsername(username)
  return noted.find(({ sub }) => sub === subject) ?? noted.find(note => note.username === name) ?? null
}

/** Whose password is still the one that the document has; asked right after it was applied, and without hashing. */
export async function unchangedPeople(
  { meta, users }: { readonly meta: Meta; readonly users: Pick<Users, 'findByUsername'> },
  people: readonly UserRecord[],
): Promise<readonly UserRecord[]> {
  const noted = await findNotedPasswords(meta, [])
  const isUnchanged = async ({ username }: UserRecord) => {
    const hash = (await users.findByUsername(username))?.passwordHash ?? null
    return hash !== null && noted.some(note => note.hash === hash)
  }
  const found = await Promise.all(people.map(async person => ((await isUnchanged(person)) ? [person] : [])))
  return found.flat()
}

/**
 * What the document says from now on. Whom it does not name is remembered until they are `removed`: named again with the
 * old password, after a file that was wrong for once, they must not have it back.
 */
export function notesOf(
  users: readonly ConfiguredUser[],
  noted: readonly NotedPassword[],
  removed: readonly SubjectId[] = [],
): readonly NotedPassword[] {
  const subjects = new Set([...users.map(({ record }) => record.subject), ...removed])
  const names = new Set(users.map(({ record }) => canonicalUsername(record.username)))
  const others = noted.filter(({ sub, username }) => !subjects.has(sub) && !names.has(username))
  return [...users.flatMap(({ note }) => note ?? []), ...others]
}

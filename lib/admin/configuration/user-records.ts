/** The users of a configuration in the format of the store, and which passwords a file set. */
import { z } from 'zod'
import { ConfigError } from '#lib/errors/config-error.ts'
import type { Meta, UserToPut } from '#lib/ports/configuration-store.ts'
import type { StoredUser, Users } from '#lib/ports/users.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { UserRecord } from '#lib/protocol/registration/records.ts'
import { canonicalUsername, wordsAbout } from '#lib/protocol/text/user-names.ts'
import type { RecordParts } from './configured-records.ts'

/**
 * A user who is stored under the name keeps the `sub`. `earlier`: the passwords that the file contained before; one that it
 * still contains is not set again, so that a password that was changed since then is kept. Without `earlier` the
 * document's passwords are set, and one that is stored already keeps its hash. Throws a ConfigError that lists every
 * password that must not be set, and entries that are the same user.
 */
export async function userRecords(
  parts: RecordParts,
  given: readonly UserRecord[],
  earlier: readonly ConfiguredPassword[] = [],
): Promise<readonly ConfiguredUser[]> {
  const users: ConfiguredUser[] = []
  const problems: string[] = []
  for (const [index, user] of given.entries()) {
    const state = await storedStateOf(parts, user, earlier)
    // AU-02: only when it is set, so that a longer list of common passwords locks no user out later.
    if (state.known === null && !state.isKept)
      problems.push(...(await passwordProblems(parts.passwordProblem, user, index)))
    if (problems.length > 0) continue
    users.push(await configuredUser(parts, user, state))
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

/** `users[2].password: must have at least 8 characters and is one of …`, or nothing. */
export async function passwordProblems(
  passwordProblem: RecordParts['passwordProblem'],
  user: Pick<UserRecord, 'username' | 'password' | 'claims'>,
  index: number,
): Promise<readonly string[]> {
  if (user.password === undefined) return []
  const problem = await passwordProblem(user.password, wordsAbout(user))
  return problem === null ? [] : [`users[${index}].password: ${problem}.`]
}

/** A user of the document together with the stored user. */
type StoredState = {
  readonly stored: StoredUser | null
  /** A hash of the document's password, either from the last time or from the stored user; `null`: it is new. */
  readonly known: string | null
  /** The stored password is kept, whatever it is. */
  readonly isKept: boolean
}

async function storedStateOf(
  { storage, passwords }: RecordParts,
  user: UserRecord,
  earlier: readonly ConfiguredPassword[],
): Promise<StoredState> {
  const { sub, username, password } = user
  const stored = await (sub === undefined
    ? storage.users.findByUsername(username)
    : storage.users.findBySubject(sub))
  const last = stored && earlierPassword(earlier, user, stored)
  const hashes = new Set([last?.hash ?? null, stored?.passwordHash ?? null])
  const known = await hashOf(passwords, password, hashes)
  // An earlier release stored no hash, so it is unknown whether the password was changed since. It is kept: an operator
  // notices a new password of the file that does not work, but not an old one that works again.
  const isUnknown = last?.hash === null && stored?.passwordHash !== null
  const isKept =
    password !== undefined && last !== null && (isUnknown || (known !== null && known === last.hash))
  return { stored, known, isKept }
}

/** The first of these hashes that is one of the password. */
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
  state: StoredState,
): Promise<ConfiguredUser> {
  const { stored, isKept } = state
  const hash = await documentHash(parts, user, state)
  const record = {
    subject: user.sub ?? stored?.subject ?? subjectIdSchema.parse(parts.random.id()),
    username: user.username,
    passwordHash: stored !== null && isKept ? keptHash(stored, state, hash) : hash,
    // Passwords of a file are not temporary
    mustChangePassword: stored !== null && isKept && stored.mustChangePassword,
    enabled: user.enabled,
    claims: user.claims,
  }
  const password = { sub: record.subject, username: canonicalUsername(user.username), hash }
  return {
    record: { ...record, keepsPassword: isKept && record.passwordHash === stored?.passwordHash },
    password: hash === null ? null : password,
  }
}

/** The known hash, unless its parameters are weaker than the current ones. */
async function documentHash(
  { passwords }: RecordParts,
  { password }: UserRecord,
  { known }: StoredState,
): Promise<string | null> {
  if (password === undefined) return null
  return known !== null && !passwords.needsRehash(known) ? known : passwords.hash(password)
}

/** The stored hash of the document's password, computed again if the parameters changed. */
function keptHash(stored: StoredUser, { known }: StoredState, hash: string | null): string | null {
  return known !== null && stored.passwordHash === known ? hash : stored.passwordHash
}

/**
 * NOTE: an Argon2id hash. Anything faster would make it easier to find the password for an attacker who reads the database.
 */
const configuredPasswordSchema = z.object({
  sub: subjectIdSchema,
  /** The name in the file, in canonical form. */
  username: z.string(),
  /** `null`: an earlier release applied the file and stored no hash. */
  hash: z.string().nullable(),
})

type ConfiguredPassword = z.infer<typeof configuredPasswordSchema>

export type ConfiguredUser = {
  readonly record: UserToPut
  /** The password of the document; `null` without one. */
  readonly password: ConfiguredPassword | null
}

/** The name in `Meta`. */
export const configuredPasswordsMeta = 'configuration_passwords'

/** The passwords that the last file set. `managed`: the users that it contained. */
export async function findConfiguredPasswords(
  meta: Pick<Meta, 'find'>,
  managed: readonly SubjectId[],
): Promise<readonly ConfiguredPassword[]> {
  const text = await meta.find(configuredPasswordsMeta)
  if (text === null) return managed.map(sub => ({ sub, username: '', hash: null }))
  return z.array(configuredPasswordSchema).parse(JSON.parse(text))
}

/** The entry of `Meta`, stored together with the users. */
export function metaOfPasswords(passwords: readonly ConfiguredPassword[]): Readonly<Record<string, string>> {
  return { [configuredPasswordsMeta]: JSON.stringify(passwords) }
}

/**
 * A user who was deleted and created again is found by the name: the new password was set here, perhaps because the one of
 * the file had become known.
 */
function earlierPassword(
  earlier: readonly ConfiguredPassword[],
  { username }: UserRecord,
  { subject }: StoredUser,
): ConfiguredPassword | null {
  const name = canonicalUsername(username)
  const byName = earlier.find(password => password.username === name) ?? null
  return earlier.find(({ sub }) => sub === subject) ?? byName
}

/** The users whose password is still that of the document that was just applied; without hashing. */
export async function usersWithConfiguredPassword(
  { meta, users }: { readonly meta: Meta; readonly users: Pick<Users, 'findByUsername'> },
  records: readonly UserRecord[],
): Promise<readonly UserRecord[]> {
  const configured = await findConfiguredPasswords(meta, [])
  const isUnchanged = async ({ username }: UserRecord) => {
    const hash = (await users.findByUsername(username))?.passwordHash ?? null
    return hash !== null && configured.some(password => password.hash === hash)
  }
  const found = await Promise.all(records.map(async user => ((await isUnchanged(user)) ? [user] : [])))
  return found.flat()
}

/**
 * The passwords after this document. Users whom it does not name are kept until they are `removed`: if a later file names
 * them again with the old password, it must not be set again.
 */
export function passwordsAfter(
  users: readonly ConfiguredUser[],
  earlier: readonly ConfiguredPassword[],
  removed: readonly SubjectId[] = [],
): readonly ConfiguredPassword[] {
  const subjects = new Set([...users.map(({ record }) => record.subject), ...removed])
  const names = new Set(users.map(({ record }) => canonicalUsername(record.username)))
  const others = earlier.filter(({ sub, username }) => !subjects.has(sub) && !names.has(username))
  return [...users.flatMap(({ password }) => password ?? []), ...others]
}

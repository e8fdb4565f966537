/** Converts the users of a configuration to records of the store, and remembers which passwords a file set. */
import { z } from 'zod'
import { passwordCharacters } from '#lib/config/limits.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import type { Meta, UserToPut } from '#lib/ports/configuration-store.ts'
import type { Passwords } from '#lib/ports/passwords.ts'
import type { StoredUser, Users } from '#lib/ports/users.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { UserRecord } from '#lib/protocol/registration/records.ts'
import { canonicalUsername, wordsAbout } from '#lib/protocol/text/user-names.ts'
import { passwordProblem } from '../users/password-problem.ts'
import type { RecordParts } from './configured-records.ts'

/**
 * Converts users. A user that is found by name keeps the stored `sub`. `earlier` has the passwords that earlier files set: one
 * that the file still contains is not set again for a stored user, so that the user's later change is kept. Without `earlier`
 * every password of the document is set. Throws a ConfigError that lists every password that must not be set or, if there is
 * none, the entries for the same user.
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
    // AU-02: only new passwords are checked, so that the server still starts when the list of common passwords has become longer
    if (state.known === null && !state.isKept)
      problems.push(...(await passwordProblems(parts.passwords.flawsOf, user, index)))
    if (problems.length > 0) continue
    users.push(await configuredUser(parts, user, state))
  }
  if (problems.length === 0) problems.push(...twiceNamed(users))
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return users
}

/**
 * Refuses two entries for one stored user: an entry without a `sub` may have the name that the user of another entry still has in
 * the store.
 */
function twiceNamed(users: readonly ConfiguredUser[]): readonly string[] {
  const subjects = users.map(({ record }) => record.subject)
  return subjects.flatMap((subject, index) => {
    const first = subjects.indexOf(subject)
    if (first === index) return []
    return `users[${index}]: has the name under which users[${first}] (sub "${subject}") is stored. Give it a separate sub.`
  })
}

/**
 * Explains why the password must not be set, such as `users[2].password: must have at least 8 characters and is one of …`. The
 * longer minimum of the policies is for passwords that users choose: with it, a file that worked could stop a start.
 */
export async function passwordProblems(
  flawsOf: Passwords['flawsOf'],
  user: Pick<UserRecord, 'username' | 'password' | 'claims'>,
  index: number,
): Promise<readonly string[]> {
  if (user.password === undefined) return []
  const rules = { minimum: passwordCharacters.minimum, words: wordsAbout(user) }
  const problem = await passwordProblem(flawsOf, user.password, rules)
  return problem === null ? [] : [`users[${index}].password: ${problem}.`]
}

/** The stored user for an entry of the document, with the state of the password. */
type StoredState = {
  readonly stored: StoredUser | null
  /**
   * A hash of the document's password, from an earlier file or from the stored user; `null` if the password is new, or if there
   * is none.
   */
  readonly known: string | null
  /** Whether the stored password is kept, even if the document has a different one. */
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
  // Earlier releases stored no hash of the file's password, so it is unknown whether the user has changed it since. The stored
  // password is kept: an operator notices a new password of the file that does not work, but not an old one that works again.
  const isUnknown = last?.hash === null && stored?.passwordHash !== null
  const isKept =
    password !== undefined && last !== null && (isUnknown || (known !== null && known === last.hash))
  return { stored, known, isKept }
}

/** The first of these hashes that matches the password; `null` if none does. */
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
    // Passwords of a file are never temporary
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

/** The hash of the document's password: the known one, unless its parameters are weaker than the current ones. */
async function documentHash(
  { passwords }: RecordParts,
  { password }: UserRecord,
  { known }: StoredState,
): Promise<string | null> {
  if (password === undefined) return null
  return known !== null && !passwords.needsRehash(known) ? known : passwords.hash(password)
}

/**
 * The hash to store if the password is kept. If the kept password is that of the document, its hash gets the current parameters.
 */
function keptHash(stored: StoredUser, { known }: StoredState, hash: string | null): string | null {
  return known !== null && stored.passwordHash === known ? hash : stored.passwordHash
}

/**
 * A password that a file set. NOTE: the hash is an Argon2id hash, because a faster one would help an attacker who reads the
 * database to find the password.
 */
const configuredPasswordSchema = z.object({
  sub: subjectIdSchema,
  /** The user name in the file, in canonical form. */
  username: z.string(),
  /** The hash of the password; `null` if the file was applied by an earlier release, which stored no hashes. */
  hash: z.string().nullable(),
})

type ConfiguredPassword = z.infer<typeof configuredPasswordSchema>

export type ConfiguredUser = {
  readonly record: UserToPut
  /** The password to remember for this user; `null` if the document has none. */
  readonly password: ConfiguredPassword | null
}

/** The key of the passwords in `Meta`. */
export const configuredPasswordsMeta = 'configuration_passwords'

/**
 * The passwords that earlier files set, as `passwordsAfter` remembers them. Earlier releases stored none: without a stored list,
 * the users of the last file, `managed`, are returned without hashes.
 */
export async function findConfiguredPasswords(
  meta: Pick<Meta, 'find'>,
  managed: readonly SubjectId[],
): Promise<readonly ConfiguredPassword[]> {
  const text = await meta.find(configuredPasswordsMeta)
  if (text === null) return managed.map(sub => ({ sub, username: '', hash: null }))
  return z.array(configuredPasswordSchema).parse(JSON.parse(text))
}

/** The entry of `Meta` for these passwords. */
export function metaOfPasswords(passwords: readonly ConfiguredPassword[]): Readonly<Record<string, string>> {
  return { [configuredPasswordsMeta]: JSON.stringify(passwords) }
}

/**
 * Finds the password that a file set for this user; `null` if none did. A user who was deleted and created again has another
 * `sub` and is found by name: the file must not replace the new password, which the administrator may have chosen because
 * others knew the one of the file.
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

/** The users whose stored password is still the password of the document that was just applied. Compares hashes only. */
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
 * The passwords to remember after this document. Users whom it does not name stay remembered until they are `removed`: if a later
 * file names them again with the old password, it must not be set again.
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

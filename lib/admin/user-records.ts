/** People of a configuration as the store keeps them. */
import { ConfigError } from '#lib/errors/config-error.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import type { UserRecord } from '#lib/protocol/user-record.ts'
import { wordsAbout } from '#lib/protocol/words-about.ts'
import type { RecordParts } from './stored-parts.ts'

/**
 * Who is stored under that name keeps their `sub`, and an unchanged password keeps its hash. Throws a ConfigError that
 * names every password that may not be set.
 */
export async function userRecords(
  parts: RecordParts,
  wanted: readonly UserRecord[],
): Promise<readonly StoredUser[]> {
  const records: StoredUser[] = []
  const problems: string[] = []
  for (const [index, user] of wanted.entries()) {
    const stored = await findStored(parts, user)
    const kept = await unchangedHash(parts, user, stored)
    // AU-02: at set time only, so that a longer list of bad passwords locks nobody out later.
    if (kept === null) problems.push(...(await passwordProblems(parts.passwordProblem, user, index)))
    if (problems.length > 0) continue
    records.push({
      subject: user.sub ?? stored?.subject ?? subjectIdSchema.parse(parts.random.id()),
      username: user.username,
      passwordHash:
        user.password === undefined ? null : (kept ?? (await parts.passwords.hash(user.password))),
      // Whoever writes passwords into a file means them to stay
      mustChangePassword: false,
      enabled: user.enabled,
      claims: user.claims,
    })
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return records
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

async function findStored(
  { storage }: RecordParts,
  { sub, username }: UserRecord,
): Promise<StoredUser | null> {
  return sub === undefined ? storage.users.findByUsername(username) : storage.users.findBySubject(sub)
}

async function unchangedHash(
  { passwords }: RecordParts,
  { password }: UserRecord,
  stored: StoredUser | null,
): Promise<string | null> {
  const hash = stored?.passwordHash ?? null
  if (hash === null || password === undefined || passwords.needsRehash(hash)) return null
  return (await passwords.verify(password, hash)) ? hash : null
}

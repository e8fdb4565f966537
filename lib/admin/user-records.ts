/** People of a configuration as the store keeps them. */
import { ConfigError } from '#lib/errors/config-error.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import type { UserRecord } from '#lib/protocol/user-record.ts'
import type { RecordParts } from './stored-parts.ts'

/** Who is stored under that name keeps their `sub`, and an unchanged password keeps its hash. */
export async function userRecords(
  parts: RecordParts,
  wanted: readonly UserRecord[],
): Promise<readonly StoredUser[]> {
  const records: StoredUser[] = []
  for (const [index, user] of wanted.entries()) {
    const stored = await findStored(parts, user)
    records.push({
      subject: user.sub ?? stored?.subject ?? subjectIdSchema.parse(parts.random.id()),
      username: user.username,
      passwordHash: await passwordHash(parts, { user, stored, index }),
      enabled: user.enabled,
      claims: user.claims,
    })
  }
  return records
}

async function findStored(
  { storage }: RecordParts,
  { sub, username }: UserRecord,
): Promise<StoredUser | null> {
  return sub === undefined ? storage.users.findByUsername(username) : storage.users.findBySubject(sub)
}

async function passwordHash(
  { passwords, passwordProblem }: RecordParts,
  { user, stored, index }: { user: UserRecord; stored: StoredUser | null; index: number },
): Promise<string | null> {
  if (user.password === undefined) return null
  const hash = stored?.passwordHash ?? null
  const isUnchanged =
    hash !== null && !passwords.needsRehash(hash) && (await passwords.verify(user.password, hash))
  if (isUnchanged) return hash
  // AU-02: at set time only, so that a longer list of bad passwords locks nobody out later.
  const problem = await passwordProblem(user.password, wordsAbout(user))
  if (problem !== null) throw new ConfigError(`users[${index}].password: ${problem}.`)
  return passwords.hash(user.password)
}

function wordsAbout({ username, claims }: UserRecord): readonly string[] {
  const names = [claims.email, claims.name, claims.given_name, claims.family_name, claims.nickname]
  return [username, ...names.filter(name => typeof name === 'string')]
}

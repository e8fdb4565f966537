/**
 * What a configuration file last said of each password, so that only what it says anew is applied: a password that was
 * changed or reset here must not come back with a restart. Kept in the store's meta facts, as Argon2id hashes: anything
 * faster would be an easier way to the password for who reads the database.
 */
import { z } from 'zod'
import type { Meta, UserToPut } from '#lib/ports/configuration-store.ts'
import type { StoredUser, Users } from '#lib/ports/users.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { UserRecord } from '#lib/protocol/registration/records.ts'
import { canonicalUsername } from '#lib/protocol/text/user-names.ts'

const notedPasswordSchema = z.object({
  sub: subjectIdSchema,
  /** As the file says it, in canonical form. */
  username: z.string(),
  /** `null`: an earlier release applied the file and noted nothing. */
  hash: z.string().nullable(),
})

export type NotedPassword = z.infer<typeof notedPasswordSchema>

export type ConfiguredUser = {
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
export function noteFor(
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

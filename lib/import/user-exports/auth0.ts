/**
 * Reads the users of Auth0: the lines of its export job, the lines of its export of password hashes, or both in one file. Lines
 * about one user are joined.
 */
import { z } from 'zod'
import { jsonValueSchema } from '#lib/protocol/claims.ts'
import { readTextHash } from '#lib/protocol/registration/exported-hashes.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import type { ImportedUser } from '../imported.ts'
import { type Note, note } from '../mapping/field-map.ts'
import { noSecondFactor } from '../mapping/users.ts'
import { acceptedClaims, acceptedHash, readUserList, type UserExport } from './user-export.ts'

/** The provider of accounts with a password; the names of all others are those of connections. */
const ownProvider = 'auth0'

const userSchema = z.object({
  user_id: z.string(),
  email: z.string().optional(),
  email_verified: z.boolean().default(false),
  username: z.string().optional(),
  name: z.string().optional(),
  given_name: z.string().optional(),
  family_name: z.string().optional(),
  nickname: z.string().optional(),
  picture: z.string().optional(),
  locale: z.string().optional(),
  phone_number: z.string().optional(),
  phone_verified: z.boolean().default(false),
  blocked: z.boolean().default(false),
  passwordHash: z.string().optional(),
  app_metadata: z.record(z.string(), jsonValueSchema).optional(),
  user_metadata: z.record(z.string(), jsonValueSchema).optional(),
  multifactor: z.array(z.unknown()).default([]),
  identities: z
    .array(
      z.object({
        provider: z.string().optional(),
        connection: z.string(),
        user_id: z.union([z.string(), z.number()]),
      }),
    )
    .default([]),
})
type Auth0User = z.infer<typeof userSchema>

export function readAuth0(lines: readonly unknown[]): UserExport | null {
  const known = lines.some(line => isRecord(line) && idOf(line) !== null)
  return known ? readUserList(joined(lines), { schema: userSchema, read: readUser }) : null
}

/** Joins lines with the same user. A line without one stays, and is refused. */
function joined(lines: readonly unknown[]): readonly unknown[] {
  const users = new Map<string, unknown>()
  for (const [index, line] of lines.entries()) {
    const id = isRecord(line) ? idOf(line) : null
    const key = id ?? `line ${index}`
    const before = users.get(key)
    users.set(
      key,
      id === null || !isRecord(line) ? line : { ...(isRecord(before) ? before : {}), ...line, user_id: id },
    )
  }
  return [...users.values()]
}

/** The user of a line. The export of hashes has the ID of its database, which the `sub` has after the provider. */
function idOf({ user_id: user, _id: row }: Readonly<Record<string, unknown>>): string | null {
  if (typeof user === 'string') return user
  return isRecord(row) && typeof row.$oid === 'string' ? `${ownProvider}|${row.$oid}` : null
}

function readUser(user: Auth0User, place: string): ImportedUser {
  const { user_id: sub, email, username, blocked, passwordHash: exported } = user
  const { claims, notes } = acceptedClaims(claimsOf(user))
  const { passwordHash, notes: ofHash } = acceptedHash(exported === undefined ? null : readTextHash(exported))
  return {
    place,
    document: { sub, username: username ?? email ?? sub, enabled: !blocked, claims },
    passwordHash,
    mustChangePassword: false,
    logins: user.identities.flatMap(({ provider, connection, user_id: id }) =>
      provider === ownProvider ? [] : [{ provider: connection, externalSubject: String(id) }],
    ),
    notes: [...notes, ...ofHash, ...notesAbout(user)],
  }
}

function claimsOf({ email, phone_number, ...user }: Auth0User) {
  const { username, name, given_name, family_name, nickname, picture, locale } = user
  return {
    ...{ name, given_name, family_name, nickname, picture, locale, email, phone_number },
    preferred_username: username,
    email_verified: email === undefined ? undefined : user.email_verified,
    phone_number_verified: phone_number === undefined ? undefined : user.phone_verified,
  }
}

function notesAbout({ app_metadata, user_metadata, multifactor }: Auth0User): readonly Note[] {
  const metadata = Object.entries({ app_metadata, user_metadata }).filter(
    ([, value]) => Object.keys(value ?? {}).length > 0,
  )
  return [
    ...metadata.map(([name]) =>
      note('changed', name, 'is left out: apps got it only by rules and actions of Auth0'),
    ),
    ...(multifactor.length > 0 ? [note('changed', 'multifactor', noSecondFactor)] : []),
  ]
}

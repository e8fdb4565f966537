/** Reads a list of users in the format of the configuration file, with password hashes in the text form of their algorithm. */
import { z } from 'zod'
import { jsonValueSchema } from '#lib/protocol/claims.ts'
import { readTextHash } from '#lib/protocol/registration/exported-hashes.ts'
import type { ImportedUser } from '../imported.ts'
import { acceptedClaims, acceptedHash, readUserList, type UserExport } from './user-export.ts'

const userSchema = z.strictObject({
  sub: z.union([z.string(), z.number()]),
  username: z.string(),
  password_hash: z.string().nullable().default(null),
  must_change_password: z.boolean().default(false),
  enabled: z.boolean().default(true),
  claims: z.record(z.string(), jsonValueSchema).default({}),
})

const listSchema = z.object({ users: z.array(z.unknown()) })

export function readPlainUsers(document: unknown): UserExport | null {
  const list = listSchema.safeParse(document).data
  return list === undefined ? null : readUserList(list.users, { schema: userSchema, read: readUser })
}

function readUser(user: z.infer<typeof userSchema>, place: string): ImportedUser {
  const { sub, username, enabled, password_hash: exported } = user
  const { claims, notes } = acceptedClaims(user.claims)
  const { passwordHash, notes: ofHash } = acceptedHash(exported === null ? null : readTextHash(exported))
  return {
    place,
    document: { sub: String(sub), username, enabled, claims },
    passwordHash,
    mustChangePassword: passwordHash !== null && user.must_change_password,
    logins: [],
    notes: [...notes, ...ofHash],
  }
}

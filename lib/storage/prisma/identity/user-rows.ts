/** The rows of users, and their conversion. */
import type { Account, StoredUser } from '#lib/ports/users.ts'
import { canonicalUsername, verifiedEmailOf } from '#lib/protocol/text/user-names.ts'
import type { User as UserRow } from '#prisma/generated/sqlite/client.ts'
import { table } from '../../sql/table.ts'
import { claims, subjectId } from '../rows.ts'

export const userTable = table<UserRow>('User', {
  mustChangePassword: 'boolean',
  enabled: 'boolean',
  createdAt: 'time',
  updatedAt: 'time',
  lastSignInAt: 'time',
})

/** The columns of an `Account`. */
export const accountColumns = userTable.pick('subject', 'username', 'enabled', 'claims')

export function userToRow(user: StoredUser) {
  const { subject, username, passwordHash, mustChangePassword, enabled } = user
  return {
    ...{ subject, username, passwordHash, mustChangePassword, enabled },
    canonicalUsername: canonicalUsername(username),
    verifiedEmail: verifiedEmailOf(user.claims),
    claims: JSON.stringify(user.claims),
  }
}

export function accountFromRow(row: Pick<UserRow, keyof Account>): Account {
  return { ...row, subject: subjectId(row.subject), claims: claims(row.claims) }
}

export function userFromRow(row: UserRow): StoredUser {
  const { username, passwordHash, mustChangePassword, enabled } = row
  const subject = subjectId(row.subject)
  return { subject, username, passwordHash, mustChangePassword, enabled, claims: claims(row.claims) }
}

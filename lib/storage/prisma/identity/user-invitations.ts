/** Invitations of users, stored by the digests of their links. */
import { userInvitation as limits } from '#lib/config/limits.ts'
import type { UserInvitation, UserInvitations, UserInvitationWrite } from '#lib/ports/user-invitations.ts'
import type { UserInvitation as Row } from '#prisma/generated/sqlite/client.ts'
import type { Tables } from '../../database.ts'
import { expired, type Store } from '../../store.ts'
import { changesOne, equals, jsonColumns } from '../rows.ts'

export const userInvitationStore: Store<UserInvitations> = {
  create: database => ({
    find: async (digest, now) => {
      const where = { digest: equals(digest), usedAt: null, expiresAt: { gt: now } }
      const row = await database.userInvitation.findFirst({ where })
      return row && userInvitationFromRow(row)
    },
    take: (digest, subject, now) =>
      changesOne(
        database.userInvitation.updateMany({
          where: { digest: equals(digest), usedAt: null, expiresAt: { gt: now } },
          data: { usedAt: now, subject },
        }),
      ),
    release: async (digest, subject) => {
      const where = { digest: equals(digest), subject: equals(subject) }
      await database.userInvitation.updateMany({ where, data: { usedAt: null, subject: null } })
    },
  }),
  purge: [expired('user_invitations', 'UserInvitation', limits.keptSeconds)],
}

/** Makes, renews or withdraws invitations. Returns how many were changed; 0 if the invitation was used or withdrawn. */
export async function writeUserInvitations(tables: Tables, write: UserInvitationWrite): Promise<number> {
  if (write.kind === 'put_user_invitations') {
    const data = write.invitations.map(each => ({ ...toRow(each), usedAt: null, subject: null }))
    return (await tables.userInvitation.createMany({ data })).count
  }
  const where = { id: equals(write.id), usedAt: null }
  if (write.kind === 'remove_user_invitation')
    return (await tables.userInvitation.deleteMany({ where })).count
  const { digest, isMailed, expiresAt } = write
  return (await tables.userInvitation.updateMany({ where, data: { digest, isMailed, expiresAt } })).count
}

const { toRow, fromRow } = jsonColumns<UserInvitation, 'claims'>('claims')

export function userInvitationFromRow({ usedAt: _usedAt, subject: _subject, ...row }: Row): UserInvitation {
  return fromRow(row)
}

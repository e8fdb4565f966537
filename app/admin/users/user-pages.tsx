/** The description of the pages of a user. */
import { readUser } from '#lib/admin/users/read-users.ts'
import { setUserEnabled } from '#lib/admin/users/write-users.ts'
import { nameOfUser } from '#lib/protocol/text/user-names.ts'
import { CopyText } from '../_ui/copy.tsx'
import { type AdminPage, callUseCase, type OutputOf } from '../admin-page.tsx'
import { type ResourcePages, restrictUserToOwners } from '../resource/resource-pages.tsx'
import { absentUser } from './absent-user.tsx'

export type ReadUser = OutputOf<typeof readUser>

export const userPages: ResourcePages<ReadUser> = {
  area: 'users',
  title: 'Users',
  tabs: [['settings', 'Profile']],
  editingTabs: ['settings'],
  read: (page, sub) => callUseCase(page, readUser, { sub }),
  absent: absentUser,
  restrict: async (page, user) => withResult(await restrictUserToOwners(page, user.sub), user.enabled),
  head: user => ({
    name: nameOfUser({ claims: user.claims, hasPassword: user.has_password }) ?? user.username,
    isEnabled: user.enabled,
    aside: <BlockedTag user={user} />,
    description: <CopyText id="subject" name="subject" text={user.sub} />,
  }),
}

/** A tag next to the status, while failed attempts block sign-ins of an account that is not locked. */
export function BlockedTag({ user }: { readonly user: Pick<ReadUser, 'enabled' | 'sign_in_blocked_until'> }) {
  const isBlocked = user.enabled && user.sign_in_blocked_until !== null
  return isBlocked ? <span className="tag bad">Sign-in blocked</span> : null
}

/** Chooses the success message, since locking and unlocking are one use case. */
function withResult(page: AdminPage, isEnabled: boolean): AdminPage {
  if (page.query.done !== setUserEnabled.name) return page
  const locked = 'Locked. Their sessions and tokens have ended.'
  return { ...page, done: isEnabled ? 'Unlocked: they can sign in again.' : locked }
}

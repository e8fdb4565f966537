/** One user: profile, sessions, the apps with access, and what an admin can do for the account. */
import { z } from 'zod'
import { readUser } from '#lib/admin/users/read-users.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { nameOfUser } from '#lib/protocol/text/user-names.ts'
import { AdminShell } from '../../_ui/admin-shell.tsx'
import { CopyText } from '../../_ui/copy-text.tsx'
import { ManagedByFileNotice } from '../../_ui/managed-by-file-notice.tsx'
import { PageHeader } from '../../_ui/page-header.tsx'
import { SecretOnce } from '../../_ui/secret-once.tsx'
import { StatusTag } from '../../_ui/status-tag.tsx'
import { withAdminErrors } from '../../_ui/with-admin-errors.tsx'
import { type AdminPage, requireAdminPage } from '../../admin-page.ts'
import { callUseCase } from '../../call-use-case.ts'
import { RecentEvents } from '../../events/recent-events.tsx'
import { userPath } from '../../resource/paths.ts'
import { restrictUserToOwners } from '../../restrict-to-owners.ts'
import { type DetailInput, idOf } from '../../segments.ts'
import { AccessSections } from '../../sessions/access-lists.tsx'
import { EndUser } from '../end-user.tsx'
import { ProfileForm } from '../profile-form.tsx'
import { SignInBlock } from '../sign-in-block.tsx'
import { UserActions } from '../user-actions.tsx'
import { UserAuditLog } from '../user-audit-log.tsx'

const passwordSchema = z.object({ username: z.string(), password: z.string() })

export default withAdminErrors(UserPage)

async function UserPage(input: DetailInput) {
  const id = await idOf(input)
  const opened = await requireAdminPage('users:read', userPath(id), input)
  const user = await callUseCase(opened, readUser, { sub: id })
  const subject = subjectIdSchema.parse(id)
  const page = await restrictUserToOwners(opened, subject)
  const usage = await page.ports.adminLists.usage({ subject, clientId: null }, page.now)
  const told = passwordSchema.safeParse(page.answer?.value)
  const name = nameOfUser({ claims: user.claims, hasPassword: user.has_password }) ?? user.username
  return (
    <AdminShell page={withResult(page, user.enabled)} title={name}>
      <PageHeader
        title={name}
        back={{ name: 'Users', href: '/admin/users' }}
        aside={<StatusTag isEnabled={user.enabled} off="Locked" />}
        description={<CopyText id="subject" name="subject" text={user.sub} />}
      />
      {told.success && (
        <SecretOnce
          title={`Password of ${told.data.username}`}
          secret={told.data.password}
          hint={`Share it securely; it won’t be shown again. They must change it at their first sign-in.${user.enabled ? '' : ' The account is locked: unlock it below before they can sign in.'}`}
        />
      )}
      <ManagedByFileNotice page={page} kind="users" id={id} />
      <SignInBlock page={page} user={user} />
      <UserActions page={page} user={user} usage={usage} />
      <AccessSections page={page} subject={subject} clientId={null} />
      <ProfileForm page={page} user={user} />
      <RecentEvents page={page} filter={{ subject: id }} />
      <UserAuditLog page={page} subject={subject} />
      <EndUser page={page} user={user} usage={usage} />
    </AdminShell>
  )
}

/** Locking and unlocking are one use case, and read differently when they worked. */
function withResult(page: AdminPage, isEnabled: boolean): AdminPage {
  if (page.query.done !== 'users.set_enabled') return page
  const locked = 'Locked. Their sessions and tokens have ended.'
  return { ...page, done: isEnabled ? 'Unlocked: they can sign in again.' : locked }
}

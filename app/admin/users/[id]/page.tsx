/** The page of one user: account, sessions, access of clients, profile, and actions of administrators. */
import { z } from 'zod'
import type { Usage } from '#lib/admin/admin-ports.ts'
import { operationVerb } from '#lib/admin/changes/operation-labels.ts'
import { endedText } from '#lib/admin/grants/ended-text.ts'
import { endSessionsOfUser } from '#lib/admin/grants/revoke-access.ts'
import { changeNames } from '#lib/admin/names.ts'
import { factorsOf } from '#lib/admin/users/factors.ts'
import { limitsNow } from '#lib/admin/users/user-limits.ts'
import { deleteUser, resetPassword, setUserEnabled, updateUser } from '#lib/admin/users/write-users.ts'
import { adminList } from '#lib/config/limits.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { ConfirmedForm } from '../../_ui/confirmed-form.tsx'
import { SecretOnce } from '../../_ui/copy.tsx'
import { AdminForm, fieldState } from '../../_ui/form.tsx'
import { Facts, Section } from '../../_ui/page-parts.tsx'
import { SaveBar } from '../../_ui/post-form.tsx'
import { TimeAgo } from '../../_ui/times.tsx'
import type { AdminPage } from '../../admin-page.tsx'
import { EventLine, RecentEvents } from '../../events/recent-events.tsx'
import { DangerZone } from '../../resource/danger-zone.tsx'
import { resourcePage, type Shown } from '../../resource/resource-pages.tsx'
import { AccessSections } from '../../sessions/access-lists.tsx'
import { PlannedChanges } from '../planned-changes.tsx'
import { absentClaims, ProfileFields, profileLabels } from '../profile-fields.tsx'
import { UserLimits } from '../user-limits.tsx'
import { UserMails } from '../user-mails.tsx'
import { type ReadUser, userPages } from '../user-pages.tsx'
import { WaysIn } from '../ways-in.tsx'

export default resourcePage(userPages, 'settings', UserProfile)

async function UserProfile({ page, view: user, id }: Shown<ReadUser>) {
  const subject = subjectIdSchema.parse(id)
  const [usage, factors, limits] = await Promise.all([
    page.ports.adminLists.usage({ subject, clientId: null }, page.now),
    factorsOf(page.ports, subject, page.now),
    limitsNow(page.ports, subject),
  ])
  return (
    <>
      <TemporaryPassword page={page} isEnabled={user.enabled} />
      <UserLimits page={page} subject={user.sub} limits={limits} />
      <PlannedChanges page={page} subject={user.sub} />
      <UserActions page={page} user={user} usage={usage} />
      <WaysIn page={page} factors={factors} user={user} ends={endedText(usage, ['sessions', 'grants'])} />
      <AccessSections page={page} subject={subject} clientId={null} />
      <ProfileForm page={page} user={user} />
      <UserMails page={page} subject={user.sub} />
      <RecentEvents page={page} filter={{ subject: id }} />
      <UserAuditLog page={page} user={user} />
      <DangerZone
        page={page}
        area="users"
        id={user.sub}
        hidden={{ sub: user.sub, version: user.version }}
        name={user.username}
        deletion={{
          useCase: deleteUser,
          consequence: `Deletes the account permanently${deletedWith(usage)}. Admin changes to it stay in the history. To keep the user out temporarily, lock the account instead.`,
        }}
      />
    </>
  )
}

function deletedWith(usage: Usage): string {
  const deleted = endedText(usage, ['sessions', 'grants', 'consents'])
  return deleted === null ? '' : `, with ${deleted}`
}

const passwordSchema = z.object({ username: z.string(), password: z.string() })

function TemporaryPassword({ page, isEnabled }: { readonly page: AdminPage; readonly isEnabled: boolean }) {
  const created = passwordSchema.safeParse(page.oneTimeResult?.value)
  if (!created.success) return null
  return (
    <SecretOnce
      title={`Password of ${created.data.username}`}
      secret={created.data.password}
      hint={`Share it securely; it won’t be shown again. They must change it at their first sign-in.${isEnabled ? '' : ' The account is locked: unlock it below before they can sign in.'}`}
    />
  )
}

type UserProps = { readonly page: AdminPage; readonly user: ReadUser }

function ProfileForm({ page, user }: UserProps) {
  return (
    <Section
      title="Profile"
      description="Clients receive these claims through the scopes that the user grants."
    >
      <AdminForm
        page={page}
        useCase={updateUser}
        hidden={{ sub: user.sub, version: user.version }}
        labels={profileLabels}
        shown={absentClaims}
      >
        <ProfileFields
          username={user.username}
          claims={user.claims}
          state={fieldState(page, updateUser, profileLabels)}
        />
        <SaveBar />
      </AdminForm>
    </Section>
  )
}

/** The latest actions of administrators on the account. */
async function UserAuditLog({ page, user }: UserProps) {
  const filter = { targetKind: 'user', targetId: user.sub } as const
  const rows = await page.ports.adminStore.audit.list(filter, null, adminList.found)
  const names = await changeNames(page.ports, rows)
  return (
    <Section title="Admin activity">
      {rows.length === 0 ? (
        <p className="small muted">No admin has changed this account.</p>
      ) : (
        <ol className="event-list list">
          {rows.map(row => (
            <EventLine
              key={row.seq}
              requestId={row.requestId}
              time={row.time}
              isFailure={false}
              now={page.now}
            >
              {names.actor(row)} {operationVerb(row)} this user.
            </EventLine>
          ))}
        </ol>
      )}
    </Section>
  )
}

type UserActionsProps = {
  readonly page: AdminPage
  readonly user: ReadUser
  readonly usage: Usage
}

function UserActions({ page, user, usage }: UserActionsProps) {
  const ends = endedText(usage, ['sessions', 'grants'])
  return (
    <Section
      title="Account"
      description={
        ends === null
          ? 'No active sessions, and no client has access.'
          : `Resetting the password, locking the account or signing out everywhere ends ${ends}.`
      }
    >
      <Facts
        facts={{
          Created: <TimeAgo at={user.created_at} now={page.now} />,
          Changed: <TimeAgo at={user.updated_at} now={page.now} />,
          'Last sign-in': <TimeAgo at={user.last_sign_in_at} now={page.now} />,
        }}
      />
      <ActionButtons page={page} user={user} ends={ends} />
    </Section>
  )
}

type ActionButtonsProps = Pick<UserActionsProps, 'page' | 'user'> & { readonly ends: string | null }

/** The buttons for actions. If all are disabled for the same reason, the reason is shown once. */
function ActionButtons({ page, user, ends }: ActionButtonsProps) {
  const reasons = [setUserEnabled, resetPassword, endSessionsOfUser].map(({ permission }) =>
    page.reasonAgainst(permission),
  )
  const [reason = null] = reasons
  if (reason === null || reasons.some(other => other !== reason))
    return <EnabledButtons page={page} user={user} ends={ends} />
  return (
    <div className="admin-actions">
      {['Reset password', user.enabled ? 'Lock' : 'Unlock', 'Sign out everywhere'].map(label => (
        <button key={label} type="button" className="btn small" disabled>
          {label}
        </button>
      ))}
      <span className="small muted">{reason}</span>
    </div>
  )
}

function EnabledButtons({ page, user: { sub, enabled }, ends }: ActionButtonsProps) {
  const isOwn = page.actor.subject === sub
  return (
    <div className="admin-actions">
      <ConfirmedForm
        page={page}
        useCase={resetPassword}
        hidden={{ sub }}
        label="Reset password"
        reasonAgainst={isOwn ? 'Change your own password in your account, at /account/password.' : null}
        consequence={`Creates a temporary password, shown to you once${ends === null ? '' : `, and ends ${ends}`}. They choose a new one when they sign in with it.${enabled ? '' : ' They stay locked until you unlock them.'}`}
        verb="Reset the password"
        isBrief
      />
      <ConfirmedForm
        page={page}
        useCase={setUserEnabled}
        hidden={{ sub, enabled: String(!enabled) }}
        label={enabled ? 'Lock' : 'Unlock'}
        consequence={
          enabled
            ? `${ends === null ? 'The user has no active sessions.' : `Ends ${ends} immediately.`} At the next sign-in, the user sees “Incorrect email, user name or password”.`
            : 'They can sign in again.'
        }
        verb={enabled ? 'Lock this user' : 'Unlock this user'}
        isHarmless={!enabled}
        isBrief
      />
      <ConfirmedForm
        page={page}
        useCase={endSessionsOfUser}
        hidden={{ sub }}
        label="Sign out everywhere"
        consequence={
          ends === null
            ? 'The user has no active sessions, and no client has access: nothing changes.'
            : `Ends ${ends}. They sign in again with their password.`
        }
        verb="Sign them out everywhere"
        isBrief
      />
    </div>
  )
}

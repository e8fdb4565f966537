/** One user: account, sessions, the apps with access, profile, and what administrators did. */

import { z } from 'zod'
import { operationVerb } from '#lib/admin/changes/operation-labels.ts'
import { countedText } from '#lib/admin/counted-text.ts'
import { adminList } from '#lib/config/limits.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { SecretOnce } from '../../_ui/copy.tsx'
import { AdminForm, fieldState } from '../../_ui/form.tsx'
import { SaveBar } from '../../_ui/form-script.tsx'
import { Link } from '../../_ui/link.tsx'
import { Section } from '../../_ui/page-parts.tsx'
import { TimeAgo } from '../../_ui/times.tsx'
import type { AdminPage } from '../../admin-page.tsx'
import { requestTracePath } from '../../events/paths.ts'
import { RecentEvents } from '../../events/recent-events.tsx'
import { DangerZone } from '../../resource/danger-zone.tsx'
import { resourcePage, type Shown } from '../../resource/resource-pages.tsx'
import { AccessSections } from '../../sessions/access-lists.tsx'
import { ProfileFields, profileLabels } from '../profile-fields.tsx'
import { SignInBlock, UserActions } from '../user-actions.tsx'
import { type ReadUser, userPages } from '../user-pages.tsx'

export default resourcePage(userPages, 'settings', UserProfile)

async function UserProfile({ page, view: user, id }: Shown<ReadUser>) {
  const subject = subjectIdSchema.parse(id)
  const usage = await page.ports.adminLists.usage({ subject, clientId: null }, page.now)
  return (
    <>
      <TemporaryPassword page={page} isEnabled={user.enabled} />
      <SignInBlock page={page} user={user} />
      <UserActions page={page} user={user} usage={usage} />
      <AccessSections page={page} subject={subject} clientId={null} />
      <ProfileForm page={page} user={user} />
      <RecentEvents page={page} filter={{ subject: id }} />
      <UserAuditLog page={page} user={user} />
      <DangerZone
        page={page}
        area="users"
        thing="user"
        id={user.sub}
        hidden={{ sub: user.sub, version: user.version }}
        name={user.username}
        deletion={{
          consequence: `Deletes the account permanently, ends ${countedText(usage.sessions, 'session', 'sessions')} and ${countedText(usage.grants, 'grant', 'grants')}, and deletes ${countedText(usage.consents, 'consent', 'consents')}. Admin changes to it stay in the history. To block the user temporarily, lock the account instead.`,
        }}
      />
    </>
  )
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
        useCase="users.update"
        hidden={{ sub: user.sub, version: user.version }}
        labels={profileLabels}
      >
        <ProfileFields
          username={user.username}
          claims={user.claims}
          state={fieldState(page, 'users.update', profileLabels)}
        />
        <SaveBar reasonAgainst={page.reasonAgainst('users:update')} />
      </AdminForm>
    </Section>
  )
}

/** What administrators did with the account; the events show what the user did. */
async function UserAuditLog({ page, user }: UserProps) {
  const { adminStore, adminLists } = page.ports
  const filter = { targetKind: 'user', targetId: user.sub } as const
  const rows = await adminStore.audit.list(filter, null, adminList.found)
  const names = await adminLists.namesOf(rows.flatMap(({ actor }) => (actor === null ? [] : [actor])))
  const nameOf = (actor: string) => names.get(actor)?.name ?? names.get(actor)?.username ?? actor
  return (
    <Section title="Admin activity">
      {rows.length === 0 ? (
        <p className="small muted">No admin has changed this account.</p>
      ) : (
        <ol className="event-list list">
          {rows.map(row => (
            <li key={row.seq}>
              <span className="mark-of" aria-hidden="true">
                ✓
              </span>
              <span className="words">
                {row.actor === null ? 'The operator' : nameOf(row.actor)} {operationVerb(row)} this user.
              </span>
              <Link className="reference-of mono" href={requestTracePath(row.requestId)}>
                {row.requestId}
              </Link>
              <TimeAgo at={row.time} now={page.now} />
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}

/** The everyday help: a new password, a lock, signing out everywhere. Each says what the person will see. */
import type { UserView } from '#lib/admin/users/user-view.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { Facts } from '../_ui/facts.tsx'
import { Section } from '../_ui/section.tsx'
import { TimeAgo } from '../_ui/time-ago.tsx'
import type { AdminPage } from '../admin-page.ts'

export function HelpUser({ page, user }: { readonly page: AdminPage; readonly user: UserView }) {
  const { sub, enabled } = user
  return (
    <Section title="Account">
      <Facts
        facts={[
          ['Signs in with', signsInWith(user)],
          ['Since', <TimeAgo key="since" at={user.created_at} now={page.now} />],
          ['Changed', <TimeAgo key="changed" at={user.updated_at} now={page.now} />],
        ]}
      />
      <div className="admin-actions">
        <ConfirmedForm
          page={page}
          useCase="users.reset_password"
          hidden={{ sub }}
          label="Reset password"
          reasonAgainst={page.reasonAgainst('users:reset')}
          consequence="Makes a new password, shown to you once, and signs them out everywhere."
          verb="Reset the password"
        />
        <ConfirmedForm
          page={page}
          useCase="users.set_enabled"
          hidden={{ sub, enabled: String(!enabled) }}
          label={enabled ? 'Lock' : 'Unlock'}
          reasonAgainst={page.reasonAgainst('users:update')}
          consequence={
            enabled
              ? 'They are signed out everywhere at once and read "user name and password don’t match" when they try again.'
              : 'They can sign in again.'
          }
          verb={enabled ? 'Lock this person out' : 'Let them in again'}
          isHarmless={!enabled}
        />
        <ConfirmedForm
          page={page}
          useCase="grants.end_sessions_of_user"
          hidden={{ sub }}
          label="Sign out everywhere"
          reasonAgainst={page.reasonAgainst('grants:revoke')}
          consequence="Ends every session and every token. They sign in again with the password they have."
          verb="Sign them out everywhere"
        />
      </div>
    </Section>
  )
}

function signsInWith({ has_password: hasPassword, linked }: UserView): string {
  const ways = [...(hasPassword ? ['password'] : []), ...linked.map(({ scheme }) => scheme)]
  return ways.length === 0 ? 'nothing: they cannot sign in' : ways.join(', ')
}

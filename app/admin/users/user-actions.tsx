/** The everyday help: a new password, a lock, signing out everywhere. Each says what the person will see. */
import type { AdminLists } from '#lib/admin/admin-ports.ts'
import { countedText } from '#lib/admin/counted-text.ts'
import type { UserView } from '#lib/admin/users/user-view.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { Facts } from '../_ui/facts.tsx'
import { Section } from '../_ui/section.tsx'
import { TimeAgo } from '../_ui/time-ago.tsx'
import type { AdminPage } from '../admin-page.ts'

type UserActionsProps = {
  readonly page: AdminPage
  readonly user: UserView
  readonly usage: Awaited<ReturnType<AdminLists['usage']>>
}

export function UserActions({ page, user, usage }: UserActionsProps) {
  return (
    <Section title="Account" description={endsSentence(usage)}>
      <Facts
        facts={[
          ['Signs in with', signsInWith(user)],
          ['Since', <TimeAgo key="since" at={user.created_at} now={page.now} />],
          ['Changed', <TimeAgo key="changed" at={user.updated_at} now={page.now} />],
        ]}
      />
      <HelpButtons page={page} user={user} ends={endsOf(usage)} />
    </Section>
  )
}

function endsSentence(usage: UserActionsProps['usage']): string {
  if (usage.sessions.count + usage.grants.count === 0) return 'They are signed in nowhere.'
  return `A new password, a lock and signing out everywhere each end ${endsOf(usage)}.`
}

function endsOf({ sessions, grants }: UserActionsProps['usage']): string {
  if (sessions.count + grants.count === 0) return 'nothing, since they are signed in nowhere'
  return `${countedText(sessions, 'session', 'sessions')} and ${countedText(grants, 'grant', 'grants')}`
}

type HelpButtonsProps = Pick<UserActionsProps, 'page' | 'user'> & { readonly ends: string }

/** Where one reason stands against all of them, it is said once. */
function HelpButtons(props: HelpButtonsProps) {
  const { page, user } = props
  const reason = page.reasonAgainst('users:update')
  const others = [page.reasonAgainst('users:reset'), page.reasonAgainst('grants:revoke')]
  if (reason === null || others.some(other => other !== reason)) return <LiveButtons {...props} />
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

function LiveButtons({ page, user: { sub, enabled }, ends }: HelpButtonsProps) {
  return (
    <div className="admin-actions">
      <ConfirmedForm
        page={page}
        useCase="users.reset_password"
        hidden={{ sub }}
        label="Reset password"
        reasonAgainst={page.reasonAgainst('users:reset') ?? reasonAgainstOwn(page, sub)}
        consequence={`Makes a new password, shown to you once, and ends ${ends}. They choose another one when they sign in with it.${enabled ? '' : ' They stay locked until you unlock them, too.'}`}
        verb="Reset the password"
        isBrief
      />
      <ConfirmedForm
        page={page}
        useCase="users.set_enabled"
        hidden={{ sub, enabled: String(!enabled) }}
        label={enabled ? 'Lock' : 'Unlock'}
        reasonAgainst={page.reasonAgainst('users:update')}
        consequence={
          enabled
            ? `Ends ${ends} at once. They read "user name and password don’t match" when they try again.`
            : 'They can sign in again.'
        }
        verb={enabled ? 'Lock this person out' : 'Let them in again'}
        isHarmless={!enabled}
        isBrief
      />
      <ConfirmedForm
        page={page}
        useCase="grants.end_sessions_of_user"
        hidden={{ sub }}
        label="Sign out everywhere"
        reasonAgainst={page.reasonAgainst('grants:revoke')}
        consequence={`Ends ${ends}. They sign in again with the password they have.`}
        verb="Sign them out everywhere"
        isBrief
      />
    </div>
  )
}

function reasonAgainstOwn({ actor }: AdminPage, sub: string): string | null {
  return actor.subject === sub ? 'Your own is changed in your account, at /account/password.' : null
}

function signsInWith({
  has_password: hasPassword,
  must_change_password: mustChange,
  linked,
}: UserView): string {
  const password = mustChange ? 'a password that they must change at their next sign-in' : 'password'
  const ways = [...(hasPassword ? [password] : []), ...linked.map(({ scheme }) => scheme)]
  return ways.length === 0 ? 'nothing: they cannot sign in' : ways.join(', ')
}

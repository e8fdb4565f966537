/** What an admin can do for an account: a new password, a lock, signing out, ending a block. Each shows its consequences. */
import type { AdminLists } from '#lib/admin/admin-ports.ts'
import { countedText } from '#lib/admin/counted-text.ts'
import { signInBlock } from '#lib/admin/users/allow-sign-in.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { Facts, Section } from '../_ui/page-parts.tsx'
import { Moment, TimeAgo } from '../_ui/times.tsx'
import type { AdminPage } from '../admin-page.tsx'
import type { ReadUser } from './user-pages.tsx'

type UserActionsProps = {
  readonly page: AdminPage
  readonly user: ReadUser
  readonly usage: Awaited<ReturnType<AdminLists['usage']>>
}

export function UserActions({ page, user, usage: { sessions, grants } }: UserActionsProps) {
  const isSignedIn = sessions.count + grants.count > 0
  const ends = isSignedIn
    ? `${countedText(sessions, 'session', 'sessions')} and ${countedText(grants, 'grant', 'grants')}`
    : 'nothing (no active sessions)'
  return (
    <Section
      title="Account"
      description={
        isSignedIn
          ? `Resetting the password, locking the account or signing out everywhere ends ${ends}.`
          : 'No active sessions.'
      }
    >
      <Facts
        facts={[
          ['Sign-in methods', signsInWith(user)],
          ['Created', <TimeAgo key="created" at={user.created_at} now={page.now} />],
          ['Changed', <TimeAgo key="changed" at={user.updated_at} now={page.now} />],
        ]}
      />
      <ActionButtons page={page} user={user} ends={ends} />
    </Section>
  )
}

function signsInWith({
  has_password: hasPassword,
  must_change_password: mustChange,
  linked,
}: ReadUser): string {
  const password = mustChange ? 'a password that they must change at their next sign-in' : 'password'
  const ways = [...(hasPassword ? [password] : []), ...linked.map(({ scheme }) => scheme)]
  return ways.length === 0 ? 'none: the user cannot sign in' : ways.join(', ')
}

type ActionButtonsProps = Pick<UserActionsProps, 'page' | 'user'> & { readonly ends: string }

/** If the same reason disables all of them, it is shown once. */
function ActionButtons({ page, user, ends }: ActionButtonsProps) {
  const reason = page.reasonAgainst('users:update')
  const others = [page.reasonAgainst('users:reset'), page.reasonAgainst('grants:revoke')]
  if (reason === null || others.some(other => other !== reason))
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
        useCase="users.reset_password"
        hidden={{ sub }}
        label="Reset password"
        reasonAgainst={
          page.reasonAgainst('users:reset') ??
          (isOwn ? 'Change your own password in your account, at /account/password.' : null)
        }
        consequence={`Creates a temporary password, shown to you once, and ends ${ends}. They choose a new one when they sign in with it.${enabled ? '' : ' They stay locked until you unlock them.'}`}
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
            ? `Ends ${ends} immediately. At the next sign-in, the user sees “Incorrect email, user name or password”.`
            : 'They can sign in again.'
        }
        verb={enabled ? 'Lock this user' : 'Unlock this user'}
        isHarmless={!enabled}
        isBrief
      />
      <ConfirmedForm
        page={page}
        useCase="grants.end_sessions_of_user"
        hidden={{ sub }}
        label="Sign out everywhere"
        reasonAgainst={page.reasonAgainst('grants:revoke')}
        consequence={`Ends ${ends}. They sign in again with their password.`}
        verb="Sign them out everywhere"
        isBrief
      />
    </div>
  )
}

/** While failed attempts block sign-ins of the user: until when, and how to end it. */
export async function SignInBlock({ page, user }: Pick<UserActionsProps, 'page' | 'user'>) {
  const block = await signInBlock(page.ports, user.username)
  if (block === null) return null
  return (
    <Section title="Sign-in blocked">
      <p>
        Blocked until <Moment at={block.until} /> ·{' '}
        {countedText({ count: block.failures, isMore: false }, 'failed attempt', 'failed attempts')}
      </p>
      <ConfirmedForm
        page={page}
        useCase="users.allow_sign_in"
        hidden={{ sub: user.sub }}
        label="Allow sign-in again"
        reasonAgainst={page.reasonAgainst('users:reset')}
        consequence="Deletes the failed attempts. The user can sign in again immediately."
        verb="Allow sign-in again"
        isHarmless
        isBrief
      />
    </Section>
  )
}

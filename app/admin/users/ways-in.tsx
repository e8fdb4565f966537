/** The ways in which a user signs in, and the reset of the factors. */

import { countedText } from '#lib/admin/counted-text.ts'
import { type FactorsView, hasFactors, resetFactors } from '#lib/admin/users/factors.ts'
import { deviceOf } from '#lib/protocol/text/device-name.ts'
import { capitalized } from '#lib/protocol/text/display-text.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { CheckField } from '../_ui/fields.tsx'
import { fieldState } from '../_ui/form.tsx'
import { Facts, Section } from '../_ui/page-parts.tsx'
import { TimeAgo } from '../_ui/times.tsx'
import type { AdminPage } from '../admin-page.tsx'
import { LinkedIdentities } from './linked-identities.tsx'
import type { ReadUser } from './user-pages.tsx'

type WaysInProps = {
  readonly page: AdminPage
  readonly factors: FactorsView
  /** The account; `null`: it is not in this server's database. */
  readonly user: ReadUser | null
  /** The sessions and grants that a sign-out ends; `null`: there are none. */
  readonly ends: string | null
}

export function WaysIn({ page, factors, user, ends }: WaysInProps) {
  const { passkeys, trusted_browsers: browsers } = factors
  return (
    <Section
      title="Ways to sign in"
      id="ways-in"
      action={hasFactors(factors) && <ResetForm page={page} factors={factors} user={user} ends={ends} />}
    >
      <Facts
        facts={{
          Password: user && passwordText(user),
          'Linked identities': user?.linked.length === 0 ? 'None' : null,
          'Authenticator app': <App page={page} factors={factors} />,
          Passkeys: passkeys.length === 0 ? 'None' : null,
          'Trusted browsers': browsers.length === 0 ? 'None' : null,
        }}
      />
      {user !== null && user.linked.length > 0 && <LinkedIdentities page={page} user={user} />}
      {passkeys.length > 0 && (
        <>
          <h3 className="small muted">Passkeys</h3>
          <DataTable
            caption="Passkeys"
            columns={passkeyColumns(page)}
            rows={passkeys}
            keyOf={row => `${row.created_at} ${row.name}`}
          />
        </>
      )}
      {browsers.length > 0 && (
        <>
          <h3 className="small muted">Trusted browsers, which skip the question for a second factor</h3>
          <DataTable
            caption="Trusted browsers"
            columns={browserColumns(page)}
            rows={browsers}
            keyOf={row => `${row.created_at} ${row.last_used_at}`}
          />
        </>
      )}
    </Section>
  )
}

function passwordText(user: ReadUser): string {
  if (!user.has_password) return 'None'
  if (user.must_change_password) return 'Temporary, to be changed at the next sign-in'
  return user.has_imported_password ? 'Set (imported; the next sign-in replaces its hash)' : 'Set'
}

function App({ page: { now }, factors }: Pick<WaysInProps, 'page' | 'factors'>) {
  const { authenticator_app: app, recovery_codes_left: codes } = factors
  if (app === null) return 'None'
  return (
    <>
      Set up <TimeAgo at={app.created_at} now={now} />, last used <TimeAgo at={app.last_used_at} now={now} />;{' '}
      {counted(codes, 'recovery code')} left
    </>
  )
}

function passkeyColumns({ now }: AdminPage): readonly Column<FactorsView['passkeys'][number]>[] {
  return [
    { name: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
    { name: 'Created', cell: row => <TimeAgo at={row.created_at} now={now} /> },
    { name: 'Last used', cell: row => <TimeAgo at={row.last_used_at} now={now} /> },
    { name: 'Synchronized', cell: row => (row.is_synchronized ? 'Yes' : 'No') },
    {
      name: 'Use',
      cell: ({ idp }) => (idp === null ? 'Sign-in or second factor' : `Second factor, with ${idp}`),
    },
  ]
}

function browserColumns({ now }: AdminPage): readonly Column<FactorsView['trusted_browsers'][number]>[] {
  return [
    { name: 'Browser', cell: row => deviceText(row.user_agent) },
    { name: 'IP address', cell: row => <span className="mono">{row.address ?? 'unknown'}</span> },
    { name: 'Since', cell: row => <TimeAgo at={row.created_at} now={now} /> },
    { name: 'Last used', cell: row => <TimeAgo at={row.last_used_at} now={now} /> },
    { name: 'Until', cell: row => <TimeAgo at={row.expires_at} now={now} /> },
  ]
}

function deviceText(userAgent: string | null): string {
  const { browser, system } = deviceOf(userAgent)
  return capitalized([browser ?? 'unknown browser', ...(system === null ? [] : [system])].join(' on '))
}

function ResetForm({ page, factors, user, ends }: WaysInProps) {
  const { sub, passkeys } = factors
  const isOwn = page.actor.subject === sub
  const field = fieldState(page, resetFactors, {
    passkeys: `Also remove ${counted(passkeys.length, 'passkey')}`,
    sign_out: 'Sign out everywhere',
  })
  const isOnlyWay = user !== null && !user.has_password && user.linked.length === 0
  return (
    <ConfirmedForm
      page={page}
      useCase={resetFactors}
      hidden={{ sub }}
      label="Reset factors"
      reasonAgainst={isOwn ? 'Remove your own factors in your account, at /account.' : null}
      consequence={`${removedText(factors)} Sign-ins in progress end. Check in another way that the request comes from the user: the account is open to anyone who knows the password. ${mailText(page)}`}
      verb="Reset the factors"
      isBrief
    >
      {passkeys.length > 0 && (
        <CheckField
          {...field.check('passkeys', false)}
          help={isOnlyWay ? 'The user has no password: reset it as well, or they cannot sign in.' : undefined}
        />
      )}
      <CheckField
        {...field.check('sign_out', true)}
        help={
          ends === null
            ? 'The user has no active sessions, and no client has access.'
            : `Ends ${ends}. Keep this if a device was lost or stolen.`
        }
      />
    </ConfirmedForm>
  )
}

function removedText({ authenticator_app: app, recovery_codes_left: codes, trusted_browsers }: FactorsView) {
  const removed = [
    ...(app === null ? [] : ['the authenticator app']),
    ...(codes === 0 ? [] : [counted(codes, 'recovery code')]),
    ...(trusted_browsers.length === 0 ? [] : [counted(trusted_browsers.length, 'trusted browser')]),
  ]
  return removed.length === 0 ? 'Removes the chosen passkeys.' : `Removes ${names.format(removed)}.`
}

/** Whether a mail informs the user. */
function mailText({ ports: { mail, userService } }: AdminPage): string {
  if (mail.kind === 'off') return 'Mail is off: inform the user yourself.'
  if (userService.mailbox === undefined)
    return 'The user service gives no addresses: inform the user yourself.'
  return 'The user gets a mail if their address is verified.'
}

const names = new Intl.ListFormat('en')

function counted(count: number, noun: string): string {
  return countedText({ count, isMore: false }, noun, `${noun}s`)
}

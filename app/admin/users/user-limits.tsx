/** The rate limits that apply to a user now, with a button that lifts them. */
import { eventOffer } from '#lib/admin/events/event-offers.ts'
import { allowSignIn, type UserLimit } from '#lib/admin/users/user-limits.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { Section } from '../_ui/page-parts.tsx'
import { Moment } from '../_ui/times.tsx'
import type { AdminPage } from '../admin-page.tsx'

type UserLimitsProps = {
  readonly page: AdminPage
  readonly subject: string
  readonly limits: readonly UserLimit[]
}

/** The section is left out while no limit applies. */
export function UserLimits({ page, subject, limits }: UserLimitsProps) {
  if (limits.length === 0) return null
  const input = { sub: subject }
  const { label, warning } = eventOffer({ name: 'allow_sign_in', input, value: subject })
  const isSignIn = limits.some(({ name }) => name === 'sign_in' || name === 'second_factor')
  return (
    <Section title={isSignIn ? 'Sign-in blocked' : 'Limits'}>
      <ul className="list">
        {limits.map(limit => (
          <li key={limit.name}>
            {`${textOf(limit)} until `}
            <Moment at={new Date(limit.until)} />
            {limit.failed_attempts !== null && ` · ${countText(limit.failed_attempts)}`}
          </li>
        ))}
      </ul>
      <ConfirmedForm
        page={page}
        useCase={allowSignIn}
        hidden={input}
        label={isSignIn ? label : 'Lift the limit'}
        consequence={warning}
        verb={isSignIn ? label : 'Lift the limit'}
        isBrief
      />
    </Section>
  )
}

function textOf({ name }: UserLimit): string {
  return texts[name]
}

const texts: Readonly<Record<UserLimit['name'], string>> = {
  sign_in: 'Blocked',
  second_factor: 'Too many wrong codes: blocked',
  recovery_mail: 'No more mails for a forgotten password',
  address_mail: 'No more mails to confirm an address',
  registration_mail: 'No more mails about creating an account',
}

function countText(failures: number): string {
  return failures === 1 ? '1 failed attempt' : `${failures} failed attempts`
}

/** The notice on every page of the dashboard to an admin without a second factor, before one is required. */
import { secondFactorDue } from '#lib/admin/access/second-factor-due.ts'
import type { Actor } from '#lib/admin/use-case.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import type { Services } from '#lib/server/services.ts'
import { Notice } from './notice.tsx'

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

type SecondFactorNoticeProps = {
  readonly services: Pick<Services, 'admin' | 'adminSecondFactorFrom'>
  readonly actor: Pick<Actor, 'subject'>
}

export async function SecondFactorNotice({ services, actor }: SecondFactorNoticeProps) {
  const due = await secondFactorDue(services.admin, actor, services.adminSecondFactorFrom)
  if (due === null) return null
  return (
    <Notice kind="warn">
      From <time dateTime={due.toISOString()}>{day.format(due)}</time> on, the dashboard requires a second
      factor from its administrators. <a href={browserAddress('/account')}>Set one up in your account</a>, or
      when you sign in after that day.
    </Notice>
  )
}

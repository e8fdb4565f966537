/** The parts that the pages share on which users are invited. */
import type { ReactNode } from 'react'
import { locales } from '#lib/i18n/locales.ts'
import { SelectField } from '../../_ui/fields.tsx'
import type { FieldState } from '../../_ui/form.tsx'
import { Link } from '../../_ui/link.tsx'
import { FreshSignIn, Notice } from '../../_ui/notice.tsx'
import { AdminShell, Tabs } from '../../_ui/page-parts.tsx'
import type { AdminPage } from '../../admin-page.tsx'

export const invitationsPath = '/admin/users/invitations'

const tabs = [
  ['new', 'One user'],
  ['several', 'Several users'],
] as const

type InviteShellProps = {
  readonly page: AdminPage
  readonly current: (typeof tabs)[number][0]
  readonly children: ReactNode
}

/** The frame of the pages, with notices about settings without which invitations do not work. */
export async function InviteShell({ page, current, children }: InviteShellProps) {
  const { registration } = await page.ports.policies.current()
  return (
    <AdminShell page={page} title="Invite users" back={{ name: 'Invitations', href: invitationsPath }}>
      <Tabs
        label="Invite users"
        tabs={tabs.map(([tab, name]) => ({
          name,
          href: `${invitationsPath}/${tab}`,
          isCurrent: tab === current,
        }))}
      />
      {registration === 'closed' && (
        <Notice kind="warn">
          Registration is closed, so an invitation would not work. An owner can change that under{' '}
          {page.reasonAgainst('policies:read') === null ? (
            <Link href="/admin/policies">Policies</Link>
          ) : (
            'Policies'
          )}
          .
        </Notice>
      )}
      {page.ports.mail.kind === 'off' && (
        <Notice kind="warn">Mail is off: you get a link for each user, and give it to them yourself.</Notice>
      )}
      <FreshSignIn page={page} />
      {children}
    </AdminShell>
  )
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

/** The languages of mails. */
export const languages = locales.map(locale => [locale, languageNames.of(locale) ?? locale] as const)

/** The choice between a mail and a link, where mail works. */
export function WayField({ page, state }: { readonly page: AdminPage; readonly state: FieldState }) {
  if (page.ports.mail.kind === 'off') return <input type="hidden" name="way" value="link" />
  const options = [
    ['mail', 'By mail: the address is verified when the link is used'],
    ['link', 'You get the link, and give it to the user'],
  ] as const
  return <SelectField {...state.text('way', 'mail')} options={options} />
}

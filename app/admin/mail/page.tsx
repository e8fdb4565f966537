/** The page of mail: how it is sent, a test, and the newest messages with the answers of the mail server. */

import type { ReactNode } from 'react'
import {
  type DeliveryView,
  type MailView,
  readMail,
  sendAgain,
  sendTestMail,
} from '#lib/admin/mail/use-cases.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { AddressText } from '../_ui/address-text.tsx'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { TextField } from '../_ui/fields.tsx'
import { AdminForm, fieldState } from '../_ui/form.tsx'
import { Notice } from '../_ui/notice.tsx'
import { AdminShell, EmptyState, Facts, Section } from '../_ui/page-parts.tsx'
import { SubmitRow } from '../_ui/post-form.tsx'
import { type AdminPage, adminPage, callUseCase } from '../admin-page.tsx'
import { deliveryColumns, isSoon } from './delivery-columns.tsx'
import { ReloadWhile } from './reload-while.tsx'

export default adminPage('mail:read', '/admin/mail', MailPage)

async function MailPage(page: AdminPage) {
  const { mail, deliveries } = await callUseCase(page, readMail, {})
  return (
    <AdminShell page={page} title="Mail" description={introduction}>
      {mail.kind === 'off' ? <MailIsOff /> : <Facts facts={factsOf(mail)} />}
      {mail.kind !== 'off' && (
        <Section title="Test" description="Shows whether the mail server accepts mail from this server.">
          <TestForm page={page} />
        </Section>
      )}
      <ReloadWhile isWaiting={deliveries.some(delivery => isSoon(delivery, page.now))} />
      <Section title="Messages" description="The newest ones, with the last answer of the mail server.">
        {deliveries.length === 0 ? (
          <EmptyState title="No messages yet">Messages of the last 30 days are listed here.</EmptyState>
        ) : (
          <DataTable caption="Messages" columns={columns(page)} rows={deliveries} keyOf={({ id }) => id} />
        )}
      </Section>
    </AdminShell>
  )
}

const introduction =
  'Mail is sent after the change that causes it. If the mail server does not accept it, it is tried again for up to three days.'

function MailIsOff() {
  return (
    <Notice kind="warn">
      Mail is off. To turn it on, set <code className="mono">SMTP_URL</code> and{' '}
      <code className="mono">MAIL_FROM</code>, and restart the server.
    </Notice>
  )
}

function factsOf(mail: Exclude<MailView, { kind: 'off' }>): Readonly<Record<string, ReactNode>> {
  if (mail.kind === 'folder')
    return {
      'Mail server': (
        <>
          None: mails are written to <code className="mono">{mail.folder}</code>.{' '}
          <a href={browserAddress('/playground/mail')}>Read them</a>
        </>
      ),
    }
  return {
    'Mail server': (
      <code className="mono">
        {mail.host}:{mail.port}
      </code>
    ),
    From: mail.from,
  }
}

function TestForm({ page }: { readonly page: AdminPage }) {
  const reasonAgainst = page.reasonAgainst(sendTestMail.permission)
  if (reasonAgainst !== null) return <p className="small muted">{reasonAgainst}</p>
  const labels = { to: 'Email address' }
  const { text } = fieldState(page, sendTestMail, labels)
  return (
    <AdminForm page={page} useCase={sendTestMail} labels={labels}>
      <TextField {...text('to')} help="Where the test goes, such as your own address." isRequired />
      <SubmitRow label="Send a test mail" />
    </AdminForm>
  )
}

function columns(page: AdminPage): readonly Column<DeliveryView>[] {
  const { now } = page
  return [
    { name: 'To', cell: ({ to }) => <AddressText text={to} /> },
    ...deliveryColumns(now),
    { name: 'Actions', isActions: true, cell: delivery => <Actions page={page} delivery={delivery} /> },
  ]
}

function Actions({ page, delivery }: { readonly page: AdminPage; readonly delivery: DeliveryView }) {
  if (!delivery.can_be_sent_again || page.reasonAgainst(sendAgain.permission) !== null) return null
  return (
    <AdminForm page={page} useCase={sendAgain} hidden={{ delivery_id: delivery.id }} isInline>
      <button type="submit" className="btn small">
        Send again
      </button>
    </AdminForm>
  )
}

/** What all pages of one client share: its name, its state, and the way between its pages. */
import type { ReactNode } from 'react'
import { kindAdvice } from '#lib/admin/clients/client-defaults.ts'
import type { ClientView } from '#lib/admin/clients/client-document.ts'
import { AdminShell } from '../_ui/admin-shell.tsx'
import { CopyText } from '../_ui/copy-text.tsx'
import { Link } from '../_ui/link.tsx'
import { ManagedByFileNotice } from '../_ui/managed-by-file-notice.tsx'
import { PageHeader } from '../_ui/page-header.tsx'
import { StatusTag } from '../_ui/status-tag.tsx'
import { Tabs } from '../_ui/tabs.tsx'
import type { AdminPage } from '../admin-page.ts'
import { clientPath } from '../resource/paths.ts'
import { clientName } from './client-name.ts'

type ClientFrameProps = {
  readonly page: AdminPage
  readonly client: ClientView
  readonly tab: '' | 'secrets' | 'setup' | 'test' | 'access' | 'history'
  readonly children: ReactNode
}

const tabs = [
  ['', 'Settings'],
  ['secrets', 'Secrets'],
  ['setup', 'Set-up'],
  ['test', 'Test'],
  ['access', 'Access'],
  ['history', 'History'],
] as const

/** Where something is changed that a start may set back. */
const changing: readonly ClientFrameProps['tab'][] = ['', 'secrets', 'history']

export function ClientFrame({ page, client, tab, children }: ClientFrameProps) {
  const { client_id: id, metadata, kind } = client
  const name = clientName(client)
  return (
    <AdminShell page={page} title={name}>
      <PageHeader
        title={name}
        back={{ name: 'Clients', href: '/admin/clients' }}
        aside={<StatusTag isEnabled={metadata.enabled !== false} />}
        description={
          <>
            {kindAdvice[kind].title} · <CopyText id="client-id" name="client id" text={id} />
          </>
        }
        action={
          tab === 'test' ? undefined : (
            <Link className="btn" href={clientPath(id, 'test')}>
              Test this client
            </Link>
          )
        }
      />
      <Tabs
        label={name}
        tabs={tabs.map(([path, text]) => ({
          name: text,
          href: clientPath(id, path),
          isCurrent: path === tab,
        }))}
      />
      {changing.includes(tab) && <ManagedByFileNotice page={page} kind="clients" id={id} />}
      {children}
    </AdminShell>
  )
}

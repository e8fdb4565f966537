/** What all pages of one provider share: its name, its state, and the way between its pages. */
import type { ReactNode } from 'react'
import type { ProviderView } from '#lib/admin/providers/provider-view.ts'
import { ActionLink } from '../_ui/action-link.tsx'
import { AdminShell } from '../_ui/admin-shell.tsx'
import { CopyText } from '../_ui/copy-text.tsx'
import { ManagedByFileNotice } from '../_ui/managed-by-file-notice.tsx'
import { PageHeader } from '../_ui/page-header.tsx'
import { StatusTag } from '../_ui/status-tag.tsx'
import { Tabs } from '../_ui/tabs.tsx'
import type { AdminPage } from '../admin-page.ts'
import { providerPath } from '../resource/paths.ts'

type ProviderFrameProps = {
  readonly page: AdminPage
  readonly provider: ProviderView
  readonly tab: '' | 'clients' | 'trial' | 'history'
  readonly children: ReactNode
}

const tabs = [
  ['', 'Settings'],
  ['clients', 'Clients'],
  ['trial', 'Test sign-in'],
  ['history', 'History'],
] as const

/** Where something is changed that a start may set back. */
const changing: readonly ProviderFrameProps['tab'][] = ['', 'history']

export function ProviderFrame({ page, provider, tab, children }: ProviderFrameProps) {
  const { scheme, display_name: name } = provider
  return (
    <AdminShell page={page} title={name}>
      <PageHeader
        title={name}
        back={{ name: 'Identity providers', href: '/admin/providers' }}
        aside={<StatusTag isEnabled={provider.enabled} />}
        description={<CopyText id="provider-scheme" name="scheme" text={scheme} />}
        action={
          tab === 'trial' ? undefined : (
            <ActionLink
              href={providerPath(scheme, 'trial')}
              reasonAgainst={page.reasonAgainst('providers:update')}
            >
              Test sign-in
            </ActionLink>
          )
        }
      />
      <Tabs
        label={name}
        tabs={tabs.map(([path, text]) => ({
          name: text,
          href: providerPath(scheme, path),
          isCurrent: path === tab,
        }))}
      />
      {changing.includes(tab) && <ManagedByFileNotice page={page} kind="providers" id={scheme} />}
      {children}
    </AdminShell>
  )
}

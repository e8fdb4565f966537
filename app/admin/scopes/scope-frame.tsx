/** What all pages of one scope share: its name, its state, and the way between its pages. */
import type { ReactNode } from 'react'
import type { ScopeView } from '#lib/admin/scopes/scope-resource.ts'
import { AdminShell } from '../_ui/admin-shell.tsx'
import { CopyText } from '../_ui/copy-text.tsx'
import { ManagedByFileNotice } from '../_ui/managed-by-file-notice.tsx'
import { PageHeader } from '../_ui/page-header.tsx'
import { StatusTag } from '../_ui/status-tag.tsx'
import { Tabs } from '../_ui/tabs.tsx'
import type { AdminPage } from '../admin-page.ts'
import { scopePath } from '../resource/paths.ts'

type ScopeFrameProps = {
  readonly page: AdminPage
  readonly scope: ScopeView
  readonly tab: '' | 'secrets' | 'history'
  readonly children: ReactNode
}

const tabs = [
  ['', 'Settings'],
  ['secrets', 'Secrets'],
  ['history', 'History'],
] as const

/** Where something is changed that a start may set back. */
const changing: readonly ScopeFrameProps['tab'][] = ['', 'secrets', 'history']

export function ScopeFrame({ page, scope, tab, children }: ScopeFrameProps) {
  const { name, metadata, is_standard: isStandard } = scope
  const isIdentity = metadata.kind === 'identity'
  const kind = isIdentity ? 'About the person' : 'Access to an API'
  return (
    <AdminShell page={page} title={name}>
      <PageHeader
        title={name}
        back={{ name: 'Scopes', href: '/admin/scopes' }}
        aside={
          <>
            <StatusTag isEnabled={metadata.enabled !== false} />
            {isStandard && <span className="tag">Standard</span>}
          </>
        }
        description={
          <>
            {kind} · <CopyText id="scope-name" name="scope name" text={name} />
          </>
        }
      />
      <Tabs
        label={name}
        tabs={tabs
          .filter(([path]) => path !== 'secrets' || !isIdentity || scope.secrets.length > 0)
          .map(([path, text]) => ({ name: text, href: scopePath(name, path), isCurrent: path === tab }))}
      />
      {changing.includes(tab) && <ManagedByFileNotice page={page} kind="scopes" id={name} />}
      {children}
    </AdminShell>
  )
}

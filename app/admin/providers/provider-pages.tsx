/** The parts that the pages of one identity provider share. */

import { providerPath } from '#lib/admin/page-paths.ts'
import { providers } from '#lib/admin/providers/provider-resource.ts'
import { readProvider } from '#lib/admin/providers/read-providers.ts'
import { restoreProvider } from '#lib/admin/providers/write-providers.ts'
import { existsIn } from '#lib/admin/resource/resource.ts'
import { ActionLink } from '../_ui/confirmed-form.tsx'
import { CopyText } from '../_ui/copy.tsx'
import { callUseCase, type OutputOf } from '../admin-page.tsx'
import type { RestorablePages } from '../resource/resource-pages.tsx'

export type ReadProvider = OutputOf<typeof readProvider>

/** A tag for a provider that the sign-in pages do not list. */
export function HiddenTag({ provider }: { readonly provider: Pick<ReadProvider, 'hidden'> }) {
  return provider.hidden ? <span className="tag">Hidden</span> : null
}

export const providerPages: RestorablePages<ReadProvider> = {
  area: 'providers',
  kind: 'provider',
  idField: 'scheme',
  title: 'Identity providers',
  deletedTitle: 'Deleted identity providers',
  tabs: [
    ['settings', 'Settings'],
    ['clients', 'Clients'],
    ['test', 'Test sign-in'],
    ['history', 'History'],
  ],
  editingTabs: ['settings', 'history'],
  read: (page, scheme) => callUseCase(page, readProvider, { scheme }),
  head: ({ scheme, display_name: name, enabled, hidden }, page, tab) => ({
    name,
    isEnabled: enabled,
    aside: <HiddenTag provider={{ hidden }} />,
    description: <CopyText id="provider-scheme" name="scheme" text={scheme} />,
    action:
      tab === 'test' ? undefined : (
        <ActionLink
          href={providerPath(scheme, 'test')}
          reasonAgainst={page.reasonAgainst('providers:update')}
        >
          Test sign-in
        </ActionLink>
      ),
  }),
  restore: restoreProvider,
  restoreAdvice:
    'Its settings are restored, and users get their accounts back. Clients with their own list of providers must be given it again.',
  asksSecret: version => Boolean(version?.has_secret),
  exists: existsIn(providers),
  current: ({ version, created_at: _, updated_at, callback_uri, post_logout_redirect_uri, ...document }) => ({
    document,
    version,
  }),
}

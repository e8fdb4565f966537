/** How one provider came to be what it is, with the way back to each version, also when it was deleted. */
import { historyOf, versionIn } from '#lib/admin/configuration/history.ts'
import { providerFacts, storedProvider } from '#lib/admin/providers/provider-view.ts'
import { readProvider } from '#lib/admin/providers/read-providers.ts'
import { providerSchemeSchema } from '#lib/protocol/ids.ts'
import { withAdminErrors } from '../../../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../../../admin-page.ts'
import { callUseCase } from '../../../call-use-case.ts'
import { Gone } from '../../../resource/gone.tsx'
import { History } from '../../../resource/history.tsx'
import { providerPath } from '../../../resource/paths.ts'
import { type DetailInput, idOf } from '../../../segments.ts'
import { ProviderFrame } from '../../provider-frame.tsx'

export default withAdminErrors(ProviderHistoryPage)

async function ProviderHistoryPage(input: DetailInput) {
  const id = await idOf(input)
  const page = await requireAdminPage('providers:read', providerPath(id, 'history'), input)
  const scheme = providerSchemeSchema.safeParse(id)
  const stored = scheme.success ? await storedProvider(page.ports, scheme.data) : null
  const entries = await historyOf(page.ports, { kind: 'provider', id })
  const restore = { useCase: 'providers.restore', permission: 'providers:update' } as const
  const [latest] = entries
  if (stored === null && latest !== undefined)
    return (
      <Gone
        page={page}
        name={id}
        back={{ name: 'Deleted providers', href: '/admin/providers/deleted' }}
        advice="It comes back with its settings, and people find their accounts again. Clients that list their providers must be given it anew."
      >
        <History
          page={page}
          entries={entries}
          current={null}
          restore={{
            ...restore,
            hidden: { scheme: id, version: 0 },
            asksSecret: Boolean(versionIn(latest.row)?.has_secret),
          }}
        />
      </Gone>
    )
  const provider = await callUseCase(page, readProvider, { scheme: id })
  return (
    <ProviderFrame page={page} provider={provider} tab="history">
      <History
        page={page}
        entries={entries}
        current={stored === null ? {} : providerFacts(stored)}
        restore={{ ...restore, hidden: { scheme: id, version: provider.version } }}
      />
    </ProviderFrame>
  )
}

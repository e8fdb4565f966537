/** Which clients may send their users to a provider. */
import { countedText } from '#lib/admin/counted-text.ts'
import { findProviderClients } from '#lib/admin/providers/provider-clients.ts'
import { readProvider } from '#lib/admin/providers/read-providers.ts'
import { FilterBar } from '../../../_ui/filter-bar.tsx'
import { Pager } from '../../../_ui/pager.tsx'
import { Section } from '../../../_ui/section.tsx'
import { withAdminErrors } from '../../../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../../../admin-page.ts'
import { callUseCase, withoutEmptyValues } from '../../../call-use-case.ts'
import { providerPath } from '../../../resource/paths.ts'
import { type DetailInput, idOf } from '../../../segments.ts'
import { ClientsForm } from '../../clients-form.tsx'
import { ProviderFrame } from '../../provider-frame.tsx'

export default withAdminErrors(ProviderClientsPage)

async function ProviderClientsPage(input: DetailInput) {
  const scheme = await idOf(input)
  const path = providerPath(scheme, 'clients')
  const page = await requireAdminPage('providers:read', path, input)
  const query = withoutEmptyValues(page.query)
  const [provider, found] = await Promise.all([
    callUseCase(page, readProvider, { scheme }),
    callUseCase(page, findProviderClients, {
      scheme,
      ...(query.q === undefined ? {} : { q: query.q.slice(0, 200) }),
      ...(query.after === undefined ? {} : { after: query.after.slice(0, 2000) }),
    }),
  ])
  const filter = { search: query.q ?? null, kind: null, enabled: null }
  const count = countedText(await page.ports.adminLists.countClients(filter), 'client', 'clients')
  return (
    <ProviderFrame page={page} provider={provider} tab="clients">
      <Section
        title="Which clients may use it"
        description="A client without its own list allows every provider. Unticking it here gives it a list of all others."
      >
        <FilterBar path={path} query={query} search="Search by name or client id" filters={[]} />
        {found.items.length === 0 ? (
          <p className="muted no-match">
            {query.q === undefined ? 'There are no clients yet.' : 'No client matches.'}
          </p>
        ) : (
          <ClientsForm page={page} scheme={scheme} items={found.items} />
        )}
        <Pager path={path} query={query} next={found.next} count={count} isEmpty={found.items.length === 0} />
      </Section>
    </ProviderFrame>
  )
}

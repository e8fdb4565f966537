/** Which clients may send their people to a provider. */
import { findProviderClients } from '#lib/admin/providers/provider-clients.ts'
import { readProvider } from '#lib/admin/providers/read-providers.ts'
import { FilterBar } from '../../../_ui/filter-bar.tsx'
import { Section } from '../../../_ui/section.tsx'
import { withAdminErrors } from '../../../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../../../admin-page.ts'
import { callUseCase, withoutEmptyValues } from '../../../call-use-case.ts'
import { type DetailInput, idOf } from '../../../segments.ts'
import { ClientsForm } from '../../clients-form.tsx'
import { providerPath } from '../../paths.ts'
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
    }),
  ])
  return (
    <ProviderFrame page={page} provider={provider} tab="clients">
      <Section
        title="Which clients may use it"
        description="A client without a list of its own allows every provider. Unticking it here gives it a list of all the others."
      >
        <FilterBar path={path} query={query} search="Search by name or client id" filters={[]} />
        {found.items.length === 0 ? (
          <p className="muted no-match">
            {query.q === undefined ? 'There are no clients yet.' : 'No client matches.'}
          </p>
        ) : (
          <ClientsForm page={page} scheme={scheme} items={found.items} isMore={found.is_more} />
        )}
      </Section>
    </ProviderFrame>
  )
}

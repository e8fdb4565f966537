/** The page that sets which clients may use an identity provider. */
import { countedText } from '#lib/admin/counted-text.ts'
import { providerPath } from '#lib/admin/page-paths.ts'
import { findProviderClients, setProviderClients } from '#lib/admin/providers/provider-clients.ts'
import { FilterBar } from '../../../_ui/filter-bar.tsx'
import { AdminForm } from '../../../_ui/form.tsx'
import { Section } from '../../../_ui/page-parts.tsx'
import { Pager } from '../../../_ui/pager.tsx'
import { SaveBar } from '../../../_ui/post-form.tsx'
import { type AdminPage, callUseCase, type OutputOf, withoutEmptyValues } from '../../../admin-page.tsx'
import { resourcePage, type Shown } from '../../../resource/resource-pages.tsx'
import { providerPages, type ReadProvider } from '../../provider-pages.tsx'

export default resourcePage(providerPages, 'clients', ProviderClients)

async function ProviderClients({ page, id: scheme }: Shown<ReadProvider>) {
  const path = providerPath(scheme, 'clients')
  const query = withoutEmptyValues(page.query)
  const { items, next } = await callUseCase(page, findProviderClients, {
    scheme,
    ...(query.q === undefined ? {} : { q: query.q.slice(0, 200) }),
    ...(query.after === undefined ? {} : { after: query.after.slice(0, 2000) }),
  })
  const filter = { search: query.q ?? null, kind: null, enabled: null }
  const count = countedText(await page.ports.adminLists.countClients(filter), 'client', 'clients')
  return (
    <Section
      title="Which clients may use it"
      description="A client without its own list allows every provider. If you clear its box here, it gets a list of all other providers."
    >
      <FilterBar path={path} query={query} search="Search by name or client ID" filters={[]} />
      {items.length === 0 ? (
        <p className="muted no-match">
          {query.q === undefined ? 'There are no clients yet.' : 'No client matches.'}
        </p>
      ) : (
        <ClientsForm page={page} scheme={scheme} items={items} />
      )}
      <Pager path={path} query={query} next={next} count={count} isEmpty={items.length === 0} />
    </Section>
  )
}

type Found = OutputOf<typeof findProviderClients>['items'][number]

type ClientsFormProps = {
  readonly page: AdminPage
  readonly scheme: string
  readonly items: readonly Found[]
}

/** A check box for each client on this page of the list. Clients on other pages are not changed. */
function ClientsForm({ page, scheme, items }: ClientsFormProps) {
  const isReadOnly = page.reasonAgainst(setProviderClients.permission) !== null
  const draft = page.rejectedForm?.useCase === setProviderClients.name ? page.rejectedForm : null
  const isTicked = (item: Found) =>
    draft === null ? item.is_allowed : (draft.fields.allowed ?? []).includes(item.client_id)
  return (
    <AdminForm page={page} useCase={setProviderClients} hidden={{ scheme }} labels={{ shown: 'Clients' }}>
      <fieldset className="grid" id="shown">
        <legend className="visually-hidden">Clients that may use this provider</legend>
        {items.map(item => (
          <label key={item.client_id} className="check border-t border-line py-2">
            <input
              type="checkbox"
              name="allowed"
              value={item.client_id}
              defaultChecked={isTicked(item)}
              disabled={isReadOnly}
            />
            <span>
              <input type="hidden" name="shown" value={item.client_id} />
              <span className="strong">{item.name}</span>{' '}
              {item.allows_all && <span className="tag">every provider</span>}
              <span className="mono small faint block">{item.client_id}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <SaveBar label="Save clients" />
    </AdminForm>
  )
}

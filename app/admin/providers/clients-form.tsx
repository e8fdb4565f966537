/** A box for each client on this page of the list. The others stay as they are. */
import type { findProviderClients } from '#lib/admin/providers/provider-clients.ts'
import { AdminForm } from '../_ui/form.tsx'
import { SaveBar } from '../_ui/save-bar.tsx'
import type { AdminPage } from '../admin-page.ts'
import type { OutputOf } from '../call-use-case.ts'

type Found = OutputOf<typeof findProviderClients>['items'][number]

type ClientsFormProps = {
  readonly page: AdminPage
  readonly scheme: string
  readonly items: readonly Found[]
}

export function ClientsForm({ page, scheme, items }: ClientsFormProps) {
  const reason = page.reasonAgainst('providers:update')
  const draft = page.draft?.useCase === 'providers.set_clients' ? page.draft : null
  const isTicked = (item: Found) =>
    draft === null ? item.is_allowed : (draft.fields.allowed ?? []).includes(item.client_id)
  return (
    <AdminForm page={page} useCase="providers.set_clients" hidden={{ scheme }} labels={{ shown: 'Clients' }}>
      <fieldset className="grid" id="shown">
        <legend className="visually-hidden">Clients that may use this provider</legend>
        {items.map(item => (
          <label key={item.client_id} className="check border-t border-line py-2">
            <input
              type="checkbox"
              name="allowed"
              value={item.client_id}
              defaultChecked={isTicked(item)}
              disabled={reason !== null}
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
      <SaveBar label="Save clients" reasonAgainst={reason} />
    </AdminForm>
  )
}

/** A client's secrets: how old, how long, and one button each for a rotation and an end. */
import type { ClientView } from '#lib/admin/clients/client-document.ts'
import { ConfirmedButton } from '../_ui/confirmed-button.tsx'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { fieldState, isDraftOf } from '../_ui/draft-values.ts'
import { EmptyState } from '../_ui/empty-state.tsx'
import { TextField } from '../_ui/fields.tsx'
import { AdminForm } from '../_ui/form.tsx'
import { Section } from '../_ui/section.tsx'
import { TimeAgo } from '../_ui/time-ago.tsx'
import type { AdminPage } from '../admin-page.ts'

type ClientSecretsProps = { readonly page: AdminPage; readonly client: ClientView }
type Secret = ClientView['secrets'][number]

export function ClientSecrets({ page, client }: ClientSecretsProps) {
  const { value, error } = fieldState(page, 'clients.add_secret')
  const isPublic = client.metadata.token_endpoint_auth_method === 'none'
  return (
    <>
      {client.secrets.length === 0 ? (
        <EmptyState title="No secrets">
          {isPublic
            ? 'This is a public client: it proves itself by PKCE alone, and a secret would never be asked for.'
            : 'Without one this client cannot get tokens. Create the first below.'}
        </EmptyState>
      ) : (
        <DataTable
          caption="Secrets"
          columns={columns(page, client)}
          rows={client.secrets}
          keyOf={secret => secret.id}
        />
      )}
      {!isPublic && (
        <Section title="New secret" description="Several may live at once, so that a change has no gap.">
          <AdminForm page={page} useCase="clients.add_secret" hidden={{ client_id: client.client_id }}>
            <TextField
              name="secret_name"
              label="Name"
              help="Where it is used, such as “production”."
              value={value('secret_name', '')}
              error={error('secret_name')}
              isRequired
            />
            <TextField
              name="expires_at"
              label="Last day"
              help="Such as 2027-01-31. Empty: it never ends."
              value={value('expires_at', '')}
              error={error('expires_at')}
              isMono
            />
            <div>
              <button
                type="submit"
                className="btn primary"
                disabled={page.reasonAgainst('clients:secrets') !== null}
              >
                Create secret
              </button>
            </div>
          </AdminForm>
        </Section>
      )}
    </>
  )
}

function columns(page: AdminPage, { client_id: id }: ClientView): readonly Column<Secret>[] {
  return [
    { name: 'Name', cell: secret => secret.name ?? 'From the configuration file' },
    { name: 'Created', cell: secret => <TimeAgo at={secret.created_at} now={page.now} /> },
    { name: 'Last used', cell: secret => <TimeAgo at={secret.last_used_at} now={page.now} /> },
    { name: 'Ends', cell: secret => <TimeAgo at={secret.expires_at} now={page.now} /> },
    { name: 'Actions', cell: secret => <SecretActions page={page} clientId={id} secret={secret} /> },
  ]
}

type SecretActionsProps = { readonly page: AdminPage; readonly clientId: string; readonly secret: Secret }

function SecretActions({ page, clientId, secret }: SecretActionsProps) {
  const hidden = { client_id: clientId, secret_id: secret.id }
  if (page.reasonAgainst('clients:secrets') !== null) return null
  return (
    <div className="admin-actions">
      <Rotation page={page} hidden={hidden} />
      <ConfirmedButton
        label="Remove"
        reasonAgainst={null}
        consequence="Whoever uses it is refused from now on."
      >
        <AdminForm page={page} useCase="clients.remove_secret" hidden={hidden}>
          <div>
            <button type="submit" className="btn small bad">
              Remove secret
            </button>
          </div>
        </AdminForm>
      </ConfirmedButton>
    </div>
  )
}

const overlaps = [
  ['1', '1 hour'],
  ['24', '1 day'],
  ['168', '1 week'],
  ['0', 'no time: end the old one now'],
] as const

/** It breaks nothing while both are good, so it is not asked twice. */
function Rotation({ page, hidden }: { readonly page: AdminPage; readonly hidden: Record<string, string> }) {
  const useCase = 'clients.rotate_secret'
  const typed = isDraftOf(page, useCase, hidden) ? page.draft?.fields.overlap_hours?.at(-1) : undefined
  return (
    <AdminForm page={page} useCase={useCase} hidden={hidden} isInline>
      <label className="small">
        Both are good for{' '}
        <select className="input small" name="overlap_hours" defaultValue={typed ?? '24'}>
          {overlaps.map(([hours, text]) => (
            <option key={hours} value={hours}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" className="btn small">
        Rotate secret
      </button>
    </AdminForm>
  )
}

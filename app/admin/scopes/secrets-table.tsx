/** The secrets of an API: how old, how long, and one button each for a rotation and an end. */
import type { ScopeView } from '#lib/admin/scopes/scope-document.ts'
import { ConfirmedButton } from '../_ui/confirmed-button.tsx'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { AdminForm } from '../_ui/form.tsx'
import { TimeAgo } from '../_ui/time-ago.tsx'
import type { AdminPage } from '../admin-page.ts'

type SecretsTableProps = { readonly page: AdminPage; readonly scope: ScopeView }
type Secret = ScopeView['secrets'][number]

export function SecretsTable({ page, scope }: SecretsTableProps) {
  return (
    <DataTable
      caption="Secrets"
      columns={columns(page, scope)}
      rows={scope.secrets}
      keyOf={secret => secret.id}
    />
  )
}

function columns(page: AdminPage, { name }: ScopeView): readonly Column<Secret>[] {
  const { now } = page
  return [
    {
      name: 'Name',
      cell: secret => <span className="block min-w-28">{secret.name ?? 'From the configuration file'}</span>,
    },
    { name: 'Created', cell: secret => <TimeAgo at={secret.created_at} now={now} /> },
    { name: 'Last used', cell: secret => <TimeAgo at={secret.last_used_at} now={now} /> },
    {
      name: 'Ends',
      cell: secret =>
        isOver(secret, now) ? (
          <span className="tag bad">Ended</span>
        ) : (
          <TimeAgo at={secret.expires_at} now={now} />
        ),
    },
    {
      name: 'Actions',
      isActions: true,
      cell: secret => <SecretActions page={page} scope={name} secret={secret} />,
    },
  ]
}

function isOver({ expires_at: end }: Secret, now: Date): boolean {
  return end !== null && new Date(end) <= now
}

type SecretActionsProps = { readonly page: AdminPage; readonly scope: string; readonly secret: Secret }

function SecretActions({ page, scope, secret }: SecretActionsProps) {
  const reason = page.reasonAgainst('scopes:secrets')
  if (reason !== null) return <span className="small muted">{reason}</span>
  const hidden = { name: scope, secret_id: secret.id }
  return (
    <div className="admin-actions">
      {!isOver(secret, page.now) && <Rotation page={page} hidden={hidden} />}
      {!isOver(secret, page.now) && (
        <Ending page={page} hidden={hidden} verb="End now" useCase="scopes.expire_secret" />
      )}
      <Ending page={page} hidden={hidden} verb="Remove" useCase="scopes.remove_secret" />
    </div>
  )
}

type ActionProps = { readonly page: AdminPage; readonly hidden: Readonly<Record<string, string>> }

const overlaps = [
  ['1', '1 hour'],
  ['24', '1 day'],
  ['168', '1 week'],
  ['0', 'no time: end the old one now'],
] as const

function Rotation({ page, hidden }: ActionProps) {
  return (
    <ConfirmedButton
      label="Rotate"
      reasonAgainst={null}
      consequence="Makes a new secret. The old one stays good for a while, so that every server of the API can change over."
    >
      <AdminForm page={page} useCase="scopes.rotate_secret" hidden={hidden} isInline>
        <label className="grid gap-1 small strong">
          Both are good for
          <select className="input small" name="overlap_hours" defaultValue="24">
            {overlaps.map(([hours, text]) => (
              <option key={hours} value={hours}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className="btn small primary">
          Rotate secret
        </button>
      </AdminForm>
    </ConfirmedButton>
  )
}

function Ending({
  page,
  hidden,
  verb,
  useCase,
}: ActionProps & { readonly verb: string; readonly useCase: string }) {
  return (
    <ConfirmedButton
      label={verb}
      reasonAgainst={null}
      consequence="An API that still uses it is refused from now on."
    >
      <AdminForm page={page} useCase={useCase} hidden={hidden}>
        <div>
          <button type="submit" className="btn small bad">
            {verb === 'Remove' ? 'Remove secret' : 'End secret now'}
          </button>
        </div>
      </AdminForm>
    </ConfirmedButton>
  )
}

/** The secrets of a client or an API: how old, how long, and one button each for a rotation and an end. */
import type { SecretDates } from '#lib/admin/secrets/secret-dates.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { TimeAgo } from '../_ui/time-ago.tsx'
import type { AdminPage } from '../admin-page.ts'
import { Rotation } from './rotation.tsx'
import type { SecretOwner } from './secret-owner.ts'

type SecretsTableProps = {
  readonly page: AdminPage
  readonly owner: SecretOwner
  readonly secrets: readonly SecretDates[]
}

export function SecretsTable({ page, owner, secrets }: SecretsTableProps) {
  return (
    <DataTable caption="Secrets" columns={columns(page, owner)} rows={secrets} keyOf={secret => secret.id} />
  )
}

function columns(page: AdminPage, owner: SecretOwner): readonly Column<SecretDates>[] {
  const { now } = page
  return [
    {
      name: 'Name',
      cell: secret => <span className="block min-w-28">{secret.name ?? 'From the configuration file'}</span>,
    },
    { name: 'Created', cell: secret => <TimeAgo at={secret.created_at} now={now} /> },
    { name: 'Last used', cell: secret => <TimeAgo at={secret.last_used_at} now={now} /> },
    { name: 'Ends', cell: secret => <Ends secret={secret} now={now} /> },
    {
      name: 'Actions',
      isActions: true,
      cell: secret => <SecretActions page={page} owner={owner} secret={secret} />,
    },
  ]
}

function Ends({ secret, now }: { readonly secret: SecretDates; readonly now: Date }) {
  if (isOver(secret, now)) return <span className="tag bad">Ended</span>
  return (
    <span className="block min-w-14">
      <TimeAgo at={secret.expires_at} now={now} />
    </span>
  )
}

function isOver({ expires_at: end }: SecretDates, now: Date): boolean {
  return end !== null && new Date(end) <= now
}

type SecretActionsProps = Omit<SecretsTableProps, 'secrets'> & { readonly secret: SecretDates }

function SecretActions({ page, owner, secret }: SecretActionsProps) {
  const { area, hidden: named, permission, consequence } = owner
  const reason = page.reasonAgainst(permission)
  if (reason !== null) return <span className="small muted">{reason}</span>
  const hidden = { ...named, secret_id: secret.id }
  const ending = { page, hidden, consequence, reasonAgainst: null, isBrief: true }
  return (
    <div className="admin-actions">
      {!isOver(secret, page.now) && (
        <>
          <Rotation page={page} useCase={`${area}.rotate_secret`} hidden={hidden} />
          <ConfirmedForm
            {...ending}
            useCase={`${area}.expire_secret`}
            label="End now"
            verb="End secret now"
          />
        </>
      )}
      <ConfirmedForm
        {...ending}
        useCase={`${area}.remove_secret`}
        label="Remove"
        thing="this secret"
        verb="Remove this secret"
      />
    </div>
  )
}

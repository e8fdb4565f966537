/** The page of the secrets of a client, or of the API behind a scope: dates, rotation, end, and a form for a new one. */
import { issuedSecretSchema, type SecretDates } from '#lib/admin/resource/secrets.ts'
import { successorOf } from '#lib/protocol/registration/secret-succession.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { SecretOnce } from '../_ui/copy.tsx'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { TextField } from '../_ui/fields.tsx'
import { AdminForm, type FormUseCase, fieldState, isRejectedFormOf } from '../_ui/form.tsx'
import { EmptyState, Section } from '../_ui/page-parts.tsx'
import { SubmitRow } from '../_ui/post-form.tsx'
import { Moment, TimeAgo } from '../_ui/times.tsx'
import type { AdminPage } from '../admin-page.tsx'
import { type ResourcePages, resourcePage } from './resource-pages.tsx'

type WithSecrets = { readonly secrets: readonly SecretDates[] }

export type SecretOwner = {
  readonly useCases: Readonly<Record<'add' | 'rotate' | 'expire' | 'remove', FormUseCase>>
  /** Hidden fields with the ID of the client or scope. */
  readonly hidden: Readonly<Record<string, string>>
  /** The consequence for programs that still use a secret when it ends. */
  readonly consequence: string
  /** The text for an empty list. */
  readonly empty: string
  /** A sentence that is shown with a new secret, before the advice to copy it. */
  readonly purpose?: string
  /** Whether this object cannot get new secrets. */
  readonly isClosed?: boolean
}

export function secretsPage<V extends WithSecrets>(
  pages: ResourcePages<V>,
  ownerOf: (view: V) => SecretOwner,
) {
  return resourcePage(pages, 'secrets', ({ page, view }) => {
    const owner = ownerOf(view)
    return (
      <>
        <IssuedSecret page={page} purpose={owner.purpose} />
        {view.secrets.length === 0 ? (
          <EmptyState title="No secrets">{owner.empty}</EmptyState>
        ) : (
          <DataTable
            caption="Secrets"
            columns={columns(page, owner)}
            rows={view.secrets.map(secret => withSuccessor(view.secrets, secret))}
            keyOf={secret => secret.id}
          />
        )}
        {!owner.isClosed && <NewSecretForm page={page} owner={owner} />}
      </>
    )
  })
}

type IssuedSecretProps = { readonly page: AdminPage; readonly purpose: string | undefined }

/** A new secret, which is shown once. */
function IssuedSecret({ page, purpose }: IssuedSecretProps) {
  const issued = issuedSecretSchema.safeParse(page.oneTimeResult?.value)
  if (!issued.success) return null
  const { name, secret } = issued.data
  const advice = 'Copy it now: only its hash is stored, so it cannot be shown again.'
  return (
    <SecretOnce
      title={name === null ? 'New secret' : `New secret: ${name}`}
      secret={secret}
      hint={purpose === undefined ? advice : `${purpose} ${advice}`}
    />
  )
}

const storedForms: Readonly<Record<SecretDates['stored_as'], string>> = {
  argon2id: 'Argon2id hash',
  sha256: 'SHA-256 hash',
  sha512: 'SHA-512 hash',
}

/** A secret, and the name of the one that replaces it. */
type ListedSecret = SecretDates & { readonly successor: string | null }

function withSuccessor(secrets: readonly SecretDates[], secret: SecretDates): ListedSecret {
  const ending = (listed: SecretDates) => {
    const { created_at: createdAt, expires_at: end } = listed
    return { ...listed, createdAt: new Date(createdAt), expiresAt: end === null ? null : new Date(end) }
  }
  const successor = successorOf(secrets.map(ending), ending(secret))
  return { ...secret, successor: successor && nameOf(successor) }
}

function nameOf({ name }: SecretDates): string {
  return name ?? 'From the configuration file'
}

function columns(page: AdminPage, owner: SecretOwner): readonly Column<ListedSecret>[] {
  const { now } = page
  return [
    {
      name: 'Name',
      cell: secret => (
        <span className="block min-w-28">
          {nameOf(secret)}
          {secret.successor !== null && (
            <span className="block small muted font-normal">Replaced by “{secret.successor}”</span>
          )}
        </span>
      ),
    },
    { name: 'Stored as', cell: secret => storedForms[secret.stored_as] },
    { name: 'Created', cell: secret => <TimeAgo at={secret.created_at} now={now} /> },
    { name: 'Last used', cell: secret => <TimeAgo at={secret.last_used_at} now={now} /> },
    {
      name: 'Expires',
      cell: secret =>
        hasEnded(secret, now) ? (
          <span className="tag bad">Expired</span>
        ) : (
          <span className="block min-w-14">
            <TimeAgo at={secret.expires_at} now={now} />
            {secret.successor !== null && secret.expires_at !== null && (
              <span className="block small muted">
                <Moment at={secret.expires_at} />
              </span>
            )}
          </span>
        ),
    },
    {
      name: 'Actions',
      isActions: true,
      cell: secret => <SecretActions page={page} owner={owner} secret={secret} />,
    },
  ]
}

function hasEnded({ expires_at: end }: SecretDates, now: Date): boolean {
  return end !== null && new Date(end) <= now
}

type OwnerProps = { readonly page: AdminPage; readonly owner: SecretOwner }

function SecretActions({ page, owner, secret }: OwnerProps & { readonly secret: ListedSecret }) {
  const { useCases, consequence } = owner
  const reason = page.reasonAgainst(useCases.remove.permission)
  if (reason !== null) return <span className="small muted">{reason}</span>
  const hidden = { ...owner.hidden, secret_id: secret.id }
  const ending = { page, hidden, consequence, isBrief: true }
  return (
    <div className="admin-actions">
      {!hasEnded(secret, page.now) && (
        <>
          {secret.successor === null && <Rotation page={page} useCase={useCases.rotate} hidden={hidden} />}
          <ConfirmedForm {...ending} useCase={useCases.expire} label="Expire now" verb="Expire secret now" />
        </>
      )}
      <ConfirmedForm
        {...ending}
        useCase={useCases.remove}
        label="Remove"
        thing="this secret"
        verb="Remove this secret"
      />
    </div>
  )
}

const overlaps = [
  ['1', '1 hour'],
  ['24', '1 day'],
  ['168', '1 week'],
] as const

type RotationProps = {
  readonly page: AdminPage
  readonly useCase: FormUseCase
  readonly hidden: Readonly<Record<string, string>>
}

/** A form that rotates a secret. It needs no confirmation, because the old secret stays valid for a time. */
function Rotation({ page, useCase, hidden }: RotationProps) {
  const typed = isRejectedFormOf(page, useCase, hidden)
    ? page.rejectedForm?.fields.overlap_hours?.at(-1)
    : undefined
  return (
    <AdminForm page={page} useCase={useCase} hidden={hidden} isInline>
      <label className="small">
        Keep the old one for{' '}
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

const labels = { secret_name: 'Name', expires_at: 'Last day' } as const

function NewSecretForm({ page, owner: { useCases, hidden } }: OwnerProps) {
  const useCase = useCases.add
  const { text } = fieldState(page, useCase, labels)
  return (
    <Section
      title="New secret"
      description="Several secrets can be valid at the same time, so you can replace one without downtime."
    >
      <AdminForm page={page} useCase={useCase} hidden={hidden} labels={labels}>
        <TextField {...text('secret_name')} help="Where it is used, such as “production”." isRequired />
        <TextField
          {...text('expires_at')}
          help="In UTC. Leave it empty for a secret that does not expire."
          type="date"
        />
        <SubmitRow label="Create secret" />
      </AdminForm>
    </Section>
  )
}

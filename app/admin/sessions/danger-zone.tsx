/** The section that revokes the access of the selected user or client, of the client for the user, or of all users. */

import type { Usage } from '#lib/admin/admin-ports.ts'
import { countedText } from '#lib/admin/counted-text.ts'
import { endedText } from '#lib/admin/grants/ended-text.ts'
import {
  endSessionsOfUser,
  removeConsent,
  revokeClient,
  revokeEverything,
} from '#lib/admin/grants/revoke-access.ts'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { TextField } from '../_ui/fields.tsx'
import { fieldState } from '../_ui/form.tsx'
import { Section } from '../_ui/page-parts.tsx'
import type { AdminPage } from '../admin-page.tsx'
import { restrictClientToOwners, restrictUserToOwners } from '../resource/resource-pages.tsx'
import type { ListFilter, Owner } from './list-filter.tsx'

/** The numbers of objects that would be revoked. `user`, `client`: `null` if none with a page is selected. */
export type FilterUsage = {
  readonly user: Usage | null
  readonly client: Usage | null
  readonly all: Usage
  /** The number of objects that match the filter. */
  readonly filtered: Usage
}

type Filter = Pick<ListFilter, 'user' | 'client'>

export async function readFilterUsage(
  { ports, now }: AdminPage,
  { user, client }: Filter,
): Promise<FilterUsage> {
  const usageOf = (of: Filter) =>
    ports.adminLists.usage(
      {
        subject: of.user && subjectIdSchema.parse(of.user.id),
        clientId: of.client && clientIdSchema.parse(of.client.id),
      },
      now,
    )
  const [ofUser, ofClient, all, filtered] = await Promise.all([
    user?.isKnown ? usageOf({ user, client: null }) : null,
    client?.isKnown ? usageOf({ user: null, client }) : null,
    usageOf({ user: null, client: null }),
    user !== null || client !== null ? usageOf({ user, client }) : null,
  ])
  return { user: ofUser, client: ofClient, all, filtered: filtered ?? all }
}

type DangerZoneProps = { readonly page: AdminPage; readonly filter: Filter; readonly usage: FilterUsage }

export function DangerZone({ page, filter: { user, client }, usage }: DangerZoneProps) {
  return (
    <Section title="Danger zone" isDangerous>
      {user?.isKnown && client?.isKnown && (
        <RevokeBoth page={page} user={user} client={client} usage={usage.filtered} />
      )}
      {user !== null && usage.user !== null && <RevokeUser page={page} user={user} usage={usage.user} />}
      {client !== null && usage.client !== null && (
        <RevokeClient page={page} client={client} usage={usage.client} />
      )}
      <RevokeEverything page={page} usage={usage.all} />
    </Section>
  )
}

type RevokeProps = { readonly page: AdminPage; readonly usage: Usage }
type UserProps = RevokeProps & { readonly user: Owner }
type ClientProps = RevokeProps & { readonly client: Owner }

async function RevokeBoth({ page: opened, user, client, usage }: UserProps & ClientProps) {
  const page = await restrictUserToOwners(opened, user.id)
  const revoked = endedText(usage, ['grants', 'consents'])
  return (
    <ConfirmedForm
      page={page}
      useCase={removeConsent}
      hidden={{ sub: user.id, client_id: client.id }}
      label={`Revoke access of ${client.name} for ${user.name}`}
      consequence={`${revoked === null ? 'There is no grant and no consent now.' : `Revokes ${revoked}.`} ${client.name} must ask ${user.name} for consent again.`}
      verb={`Revoke access of ${client.name}`}
    />
  )
}

async function RevokeUser({ page: opened, user, usage }: UserProps) {
  const page = await restrictUserToOwners(opened, user.id)
  const ended = endedText(usage, ['sessions', 'grants'])
  return (
    <ConfirmedForm
      page={page}
      useCase={endSessionsOfUser}
      hidden={{ sub: user.id }}
      label={`Sign ${user.name} out everywhere`}
      consequence={`${ended === null ? `${user.name} has no session and no grant now.` : `Ends ${ended} of ${user.name}, with all tokens.`} Consents stay.`}
      verb={`Sign ${user.name} out everywhere`}
    />
  )
}

async function RevokeClient({ page: opened, client, usage }: ClientProps) {
  const stored = await opened.ports.adminLists.client(clientIdSchema.parse(client.id))
  const page =
    stored === null
      ? opened
      : await restrictClientToOwners(opened, { client_id: client.id, metadata: stored.metadata })
  const ended =
    usage.grants.count === 0
      ? 'No user has access through it. Revokes'
      : `Revokes ${countedText(usage.grants, 'grant', 'grants')} for ${usersOf(usage)}, and`
  return (
    <ConfirmedForm
      page={page}
      useCase={revokeClient}
      hidden={{ client_id: client.id }}
      label={`Revoke all tokens of ${client.name}`}
      consequence={`${ended} the tokens that ${client.name} got for itself. Consents stay.`}
      verb={`Revoke all tokens of ${client.name}`}
    />
  )
}

function RevokeEverything({ page, usage }: RevokeProps) {
  const { text } = fieldState(page, revokeEverything, { confirm: 'Type "everyone" to confirm' })
  return (
    <ConfirmedForm
      page={page}
      useCase={revokeEverything}
      label="Sign out all users"
      consequence={`Ends ${endedText(usage, ['sessions', 'grants'])} of ${usersOf(usage)}, including yours. Use it after a breach.`}
      verb="Sign out all users"
    >
      <TextField {...text('confirm')} />
    </ConfirmedForm>
  )
}

function usersOf({ users }: Usage): string {
  return countedText(users, 'user', 'users')
}

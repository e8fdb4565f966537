/** Anything by a few letters: straight to the one thing that is meant, else what it may be. */
import { redirect } from 'next/navigation'
import type { PageInput } from '#app/_ui/visit.ts'
import { may } from '#lib/admin/access/permissions.ts'
import { find, onlyPlace, type Place } from '#lib/admin/find/find.ts'
import { isReferenceId } from '#lib/http/reference-id.ts'
import { AdminShell } from '../_ui/admin-shell.tsx'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { EmptyState } from '../_ui/empty-state.tsx'
import { PageHeader } from '../_ui/page-header.tsx'
import { adminPage } from '../admin-page.ts'
import { clientPath } from '../clients/paths.ts'
import { storyPath } from '../events/paths.ts'
import { providerPath } from '../providers/paths.ts'
import { scopePath } from '../scopes/paths.ts'
import { userPath } from '../users/paths.ts'

export default async function FindPage(input: PageInput) {
  const page = await adminPage('overview:read', '/admin/find', input)
  const text = (page.query.q ?? '').trim().slice(0, 200)
  const { role } = page.actor
  const reference = text.toUpperCase()
  if (isReferenceId(reference) && may(role, 'events:read')) redirect(storyPath(reference))
  const places = await find(page.ports, { role, text, now: page.now })
  const only = onlyPlace(places)
  if (only !== null) redirect(addressOf(only))
  return (
    <AdminShell page={page} title="Find">
      <PageHeader
        title="Find"
        description={text === '' ? undefined : `What begins with “${text}”; the first few of each kind.`}
      />
      {places.length === 0 ? (
        <EmptyState title={text === '' ? 'What are you looking for?' : 'Nothing found'}>
          The box in the navigation finds clients, people, scopes and identity providers by the beginnings of
          their names, and the story of a request by the reference from an error page.
        </EmptyState>
      ) : (
        <DataTable
          caption="Found"
          columns={columns}
          rows={places}
          keyOf={({ kind, id }) => `${kind} ${id}`}
        />
      )}
    </AdminShell>
  )
}

const kinds = {
  client: { name: 'Client', path: clientPath },
  user: { name: 'Person', path: userPath },
  scope: { name: 'Scope', path: scopePath },
  provider: { name: 'Identity provider', path: providerPath },
} as const

function addressOf({ kind, id }: Place): string {
  return kinds[kind].path(id)
}

const columns: readonly Column<Place>[] = [
  { name: 'Name', cell: place => <a href={addressOf(place)}>{place.name}</a> },
  { name: 'What', cell: ({ kind }) => kinds[kind].name },
  { name: 'Also', cell: ({ note }) => <span className="small muted">{note}</span> },
]

/** Searches everything that a role may see. */
import { may } from '#lib/admin/access/permissions.ts'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import { readRequestTrace } from '#lib/admin/events/request-trace.ts'
import { onlyMatch, type SearchResult, searchAdmin } from '#lib/admin/search/search.ts'
import { adminList } from '#lib/config/limits.ts'
import { referenceIdIn } from '#lib/http/reference-id.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { requestTracePath } from '../events/paths.ts'
import { clientPath, providerPath, scopePath, userPath } from '../resource/paths.ts'
import { offersFor } from './offers.ts'

export type SearchGroup = {
  readonly heading: string
  readonly results: ReadonlyArray<{ readonly name: string; readonly href: string; readonly note: string }>
}

export type SearchAnswer = {
  readonly groups: readonly SearchGroup[]
  /** The one page that can be meant; `null` when there are several, or none. */
  readonly only: string | null
}

const kinds = {
  client: { heading: 'Clients', path: clientPath, list: '/admin/clients' },
  user: { heading: 'People', path: userPath, list: '/admin/users' },
  scope: { heading: 'Scopes', path: scopePath, list: null },
  provider: { heading: 'Identity providers', path: providerPath, list: null },
} as const

/** The text to search for in a query. */
export function searchText(q: string | undefined): string {
  return (q ?? '').trim().slice(0, 200)
}

/** Only the trace of a request, when the text holds its request ID. */
export async function readResults(ports: AdminPorts, role: AdminRole, text: string): Promise<SearchAnswer> {
  const trace = may(role, 'events:read') ? await storyIn(ports, text) : null
  if (trace !== null) return trace
  const places = await searchAdmin(ports, { role, text, now: ports.clock.now() })
  const { actions, screens } = offersFor(role, text)
  const only = onlyMatch(places)
  const isOnly = only !== null && (only.isExact || actions.length + screens.length === 0)
  const exact = only?.isExact === true ? only : null
  return {
    groups: [
      { heading: 'Exactly this', results: exact === null ? [] : [resultFor(exact)] },
      { heading: 'Do', results: actions.map(offered) },
      { heading: 'Go to', results: screens.map(offered) },
      ...placeGroups(
        places.filter(place => place !== exact),
        text,
      ),
    ].filter(({ results }) => results.length > 0),
    only: isOnly ? resultFor(only).href : null,
  }
}

async function storyIn(ports: AdminPorts, text: string): Promise<SearchAnswer | null> {
  const referenceId = referenceIdIn(text)
  if (referenceId === null) return null
  const trace = await readRequestTrace(ports, referenceId)
  if (trace === null) return null
  const href = requestTracePath(referenceId)
  const result = { name: `Request ${referenceId}`, href, note: trace.sentence }
  return { groups: [{ heading: 'Events', results: [result] }], only: href }
}

function placeGroups(places: readonly SearchResult[], text: string): readonly SearchGroup[] {
  return Object.entries(kinds).map(([kind, { heading, list }]) => {
    const found = places.filter(place => place.kind === kind)
    const results = found.map(resultFor)
    if (list === null || found.length < adminList.found) return { heading, results }
    const href = `${list}?${new URLSearchParams({ q: text })}`
    return { heading, results: [...results, { name: 'All that match', href, note: heading }] }
  })
}

function resultFor({ kind, id, name, note }: SearchResult) {
  return { name, href: kinds[kind].path(id), note }
}

function offered({ name, path }: { readonly name: string; readonly path: string }) {
  return { name, href: path, note: '' }
}

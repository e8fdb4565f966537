/** Searches what a role may see: objects, pages, actions, and requests by their ID. */
import { may, type Permission } from '#lib/admin/access/permissions.ts'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import { readRequestTrace } from '#lib/admin/events/request-trace.ts'
import { clientPath, providerPath, requestTracePath, scopePath, userPath } from '#lib/admin/page-paths.ts'
import { onlyMatch, type SearchResult, searchAdmin } from '#lib/admin/search/search.ts'
import { adminList } from '#lib/config/limits.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { requestIdIn } from '#lib/protocol/text/request-ids.ts'
import { areas } from '../_ui/areas.ts'
import { noEventText } from '../events/no-event.ts'

export type SearchGroup = {
  readonly heading: string
  readonly results: ReadonlyArray<{ readonly name: string; readonly href: string; readonly note: string }>
}

export type SearchAnswer = {
  readonly groups: readonly SearchGroup[]
  /**
   * The address of a clear result: the trace of the request with this ID, the only exact match, or the only match if no action or
   * page matches. Otherwise `null`.
   */
  readonly only: string | null
  /** The reason why nothing was found, if it is known; otherwise `null`. */
  readonly reason: string | null
}

const kinds = {
  client: { heading: 'Clients', path: clientPath, list: '/admin/clients' },
  user: { heading: 'Users', path: userPath, list: '/admin/users' },
  scope: { heading: 'Scopes', path: scopePath, list: null },
  provider: { heading: 'Identity providers', path: providerPath, list: null },
} as const

/** The text to search for, from the query. */
export function searchText(q: string | undefined): string {
  return (q ?? '').trim().slice(0, 200)
}

/** Reads the results for a text. For the ID of a recorded request, the only result is its trace, if the role may read events. */
export async function readResults(ports: AdminPorts, role: AdminRole, text: string): Promise<SearchAnswer> {
  const trace = may(role, 'events:read') ? await traceIn(ports, role, text) : null
  if (trace !== null) return trace
  const matches = await searchAdmin(ports, { role, text, now: ports.clock.now() })
  const { actions, screens } = offersFor(role, text)
  const only = onlyMatch(matches)
  const isOnly = only !== null && (only.isExact || actions.length + screens.length === 0)
  const exact = only?.isExact === true ? only : null
  const groups = [
    { heading: 'Exact match', results: exact === null ? [] : [resultFor(exact)] },
    { heading: 'Actions', results: actions.map(offered) },
    { heading: 'Pages', results: screens.map(offered) },
    ...matchGroups(
      matches.filter(match => match !== exact),
      text,
    ),
  ].filter(({ results }) => results.length > 0)
  const isRequest = may(role, 'events:read') && requestIdIn(text) !== null
  return {
    groups,
    only: isOnly ? resultFor(only).href : null,
    reason: groups.length === 0 && isRequest ? noEventText : null,
  }
}

async function traceIn(ports: AdminPorts, role: AdminRole, text: string): Promise<SearchAnswer | null> {
  const requestId = requestIdIn(text)
  if (requestId === null) return null
  const trace = await readRequestTrace(ports, requestId, { role })
  if (trace === null) return null
  const href = requestTracePath(requestId)
  const result = { name: `Request ${requestId}`, href, note: trace.sentence }
  return { groups: [{ heading: 'Events', results: [result] }], only: href, reason: null }
}

function matchGroups(matches: readonly SearchResult[], text: string): readonly SearchGroup[] {
  return Object.entries(kinds).map(([kind, { heading, list }]) => {
    const found = matches.filter(match => match.kind === kind)
    const results = found.map(resultFor)
    if (list === null || found.length < adminList.found) return { heading, results }
    const href = `${list}?${new URLSearchParams({ q: text })}`
    return { heading, results: [...results, { name: 'View all matches', href, note: heading }] }
  })
}

function resultFor({ kind, id, name, note }: SearchResult) {
  return { name, href: kinds[kind].path(id), note }
}

function offered({ name, path }: { readonly name: string; readonly path: string }) {
  return { name, href: path, note: '' }
}

type Offer = {
  readonly name: string
  readonly path: string
  readonly permission: Permission
  /** Words by which the action or page is also found. */
  readonly words: string
}

const actions: readonly Offer[] = offers([
  ['New client', '/admin/clients/new', 'clients:create', 'add register create app'],
  ['New user', '/admin/users/new', 'users:create', 'add create user'],
  ['Reset a password', '/admin/users', 'users:reset', 'new forgotten change user'],
  ['Lock or unlock a user', '/admin/users', 'users:update', 'block disable enable ban user account'],
  ['New scope', '/admin/scopes/new', 'scopes:create', 'add create api resource'],
  ['New identity provider', '/admin/providers/new', 'providers:create', 'add create federation upstream sso'],
  ['Rotate keys', '/admin/keys', 'keys:rotate', 'signing revoke jwks'],
  ['End sessions and revoke tokens', '/admin/sessions', 'grants:revoke', 'sign out consents remove everyone'],
  ['Send a test mail', '/admin/mail', 'mail:send', 'smtp email outbox delivery'],
  ['View failures', '/admin/events?outcome=failure', 'events:read', 'errors refused why'],
  ['View locked users', '/admin/users?enabled=false', 'users:read', 'disabled'],
  ['Invite an administrator', '/admin/administrators', 'administrators:invite', 'new add role owner'],
  ['Review security settings', '/admin/configuration/review', 'configuration:read', 'lint findings rfc 9700'],
  ['Export the configuration', '/admin/configuration', 'configuration:read', 'backup download json code'],
  [
    'Compare and apply a configuration',
    '/admin/configuration',
    'configuration:apply',
    'import upload json code',
  ],
])

const screens: readonly Offer[] = areas.map(area => ({ ...area, words: 'go to show view list' }))

function offers(
  rows: ReadonlyArray<readonly [name: string, path: string, permission: Permission, words: string]>,
): readonly Offer[] {
  return rows.map(([name, path, permission, words]) => ({ name, path, permission, words }))
}

/** The actions and pages of this role that match: each word of `text` is the beginning of one of their words. */
export function offersFor(
  role: AdminRole,
  text: string,
): { readonly actions: readonly Offer[]; readonly screens: readonly Offer[] } {
  const typed = wordsIn(text)
  const fits = ({ name, words, permission }: Offer) =>
    may(role, permission) &&
    typed.every(start => wordsIn(`${name} ${words}`).some(word => word.startsWith(start)))
  return { actions: actions.filter(fits), screens: screens.filter(fits) }
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}

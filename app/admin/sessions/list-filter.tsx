/** Reads, finds and shows the user and the client by which the lists are filtered. */
import { redirect } from 'next/navigation'
import { adminClientId } from '#lib/admin/access/built-in.ts'
import { clientPath, userPath } from '#lib/admin/page-paths.ts'
import { onlyMatch, type SearchResult, searchAdmin } from '#lib/admin/search/search.ts'
import { adminList } from '#lib/config/limits.ts'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { FilterBar } from '../_ui/filter-bar.tsx'
import { Link } from '../_ui/link.tsx'
import { EmptyState } from '../_ui/page-parts.tsx'
import type { AdminPage } from '../admin-page.tsx'
import { SearchResults } from '../search/search-results.tsx'
import { isOrderOf, type ListName, listNames, sessionsPath, sessionsQuery, sessionsRoot } from './paths.ts'

/** A user or a client. `isKnown`: whether it has a page, as all stored ones do except the dashboard's own client. */
export type Owner = { readonly id: string; readonly name: string; readonly isKnown: boolean }

export type ListFilter = {
  readonly list: ListName
  readonly user: Owner | null
  readonly client: Owner | null
  readonly after: string | undefined
  /** The order; `undefined` for the default order. */
  readonly sort: string | undefined
  /** The text of a search and its matches; `null` without a search. */
  readonly search: { readonly text: string; readonly matches: readonly SearchResult[] } | null
}

/** Reads the filter of the address. A search that names one user or client redirects to the list filtered by it. */
export async function readListFilter(page: AdminPage): Promise<ListFilter> {
  const { show, sub, client_id: clientId, after, sort, q = '' } = page.query
  const list = listNames.find(name => name === show) ?? 'sessions'
  const [user, client] = await Promise.all([
    readUser(page, sub),
    list === 'sessions' ? null : readClient(page, clientId),
  ])
  const filter = { list, user, client, after, sort: isOrderOf(list, sort) ? sort : undefined }
  const text = q.trim()
  if (text === '') return { ...filter, search: null }
  const matches = await searchOwners(page, text)
  const only = onlyMatch(matches)
  if (only !== null) redirect(pathFilteredBy(only, filter))
  return { ...filter, search: { text, matches } }
}

type Filters = Pick<ListFilter, 'list' | 'user' | 'client' | 'sort'>

/** The address with a user or a client added to the filter. A client has no sessions, so its access is listed. */
function pathFilteredBy({ kind, id }: SearchResult, { list, user, client, sort }: Filters): string {
  if (kind === 'user') return sessionsPath({ list, sub: id, clientId: client?.id ?? null, sort })
  if (list === 'sessions') return sessionsPath({ list: 'access', sub: user?.id ?? null, clientId: id })
  return sessionsPath({ list, sub: user?.id ?? null, clientId: id, sort })
}

async function searchOwners({ ports, actor, now }: AdminPage, text: string) {
  const results = await searchAdmin(ports, { role: actor.role, text, now })
  return results.filter(({ kind }) => kind === 'user' || kind === 'client')
}

async function readUser({ ports }: AdminPage, text: string | undefined): Promise<Owner | null> {
  const subject = subjectIdSchema.safeParse(text).data
  if (subject === undefined) return null
  const found = (await ports.adminLists.namesOf([subject])).get(subject)
  return { id: subject, name: found?.name ?? found?.username ?? subject, isKnown: found !== undefined }
}

async function readClient({ ports }: AdminPage, text: string | undefined): Promise<Owner | null> {
  const clientId = clientIdSchema.safeParse(text).data
  if (clientId === undefined) return null
  const found = await ports.clients.find(clientId)
  return {
    id: clientId,
    name: found?.client.clientName ?? clientId,
    isKnown: found !== null && clientId !== adminClientId,
  }
}

type FilterProps = { readonly page: AdminPage; readonly filter: ListFilter }

export function ListFilterBar({ page, filter: { list, user, client, sort, search } }: FilterProps) {
  const address = { list, sub: user?.id ?? null, clientId: client?.id ?? null, sort }
  const maySeeUsers = page.reasonAgainst('users:read') === null
  return (
    <>
      <FilterBar
        path={sessionsRoot}
        query={search === null ? {} : { q: search.text }}
        search={maySeeUsers ? 'Search by user (name, email, ID) or client' : 'Search by client'}
        filters={[]}
        kept={sessionsQuery(address)}
      />
      {(user !== null || client !== null) && (
        <div className="facts-line">
          {user !== null && (
            <ActiveFilter
              label="User"
              owner={user}
              href={maySeeUsers ? userPath(user.id) : null}
              remove={['Show all users', sessionsPath({ ...address, sub: null })]}
            />
          )}
          {client !== null && (
            <ActiveFilter
              label="Client"
              owner={client}
              href={clientPath(client.id)}
              remove={['Show all clients', sessionsPath({ ...address, clientId: null })]}
            />
          )}
        </div>
      )}
    </>
  )
}

type ActiveFilterProps = {
  readonly label: string
  readonly owner: Owner
  /** The page of the user or client; `null` if this role may not open it. */
  readonly href: string | null
  readonly remove: readonly [text: string, href: string]
}

function ActiveFilter({ label, owner: { id, name, isKnown }, href, remove: [text, to] }: ActiveFilterProps) {
  return (
    <>
      <span>
        <span className="muted">{label}:</span>{' '}
        {href !== null && isKnown ? <Link href={href}>{name}</Link> : <span className="strong">{name}</span>}
        {name !== id && <span className="mono small faint"> {id}</span>}
      </span>
      <Link className="btn plain small" href={to}>
        {text}
      </Link>
    </>
  )
}

type MatchesProps = FilterProps & { readonly search: NonNullable<ListFilter['search']> }

/** The matches of a search, if there are several or none. */
export function SearchMatches({ page, filter, search: { text, matches } }: MatchesProps) {
  if (matches.length === 0) return <NoMatch page={page} filter={filter} text={text} />
  const groups = [
    { heading: 'Users', found: matches.filter(({ kind }) => kind === 'user') },
    { heading: 'Clients', found: matches.filter(({ kind }) => kind === 'client') },
  ].map(({ heading, found }) => ({
    heading,
    isCut: found.length === adminList.found,
    results: found.map(match => ({
      name: match.name,
      href: pathFilteredBy(match, filter),
      note: match.note,
    })),
  }))
  return (
    <>
      <p>Several matches; choose one:</p>
      <SearchResults groups={groups.filter(({ results }) => results.length > 0)} />
      {groups.some(({ isCut }) => isCut) && (
        <p className="small muted">Only the first {adminList.found} are shown. Refine your search.</p>
      )}
    </>
  )
}

function NoMatch({ page, filter: { list }, text }: FilterProps & { readonly text: string }) {
  const maySeeUsers = page.reasonAgainst('users:read') === null
  const all = (
    <Link className="btn" href={sessionsPath({ list })}>
      Show all
    </Link>
  )
  return (
    <EmptyState title={`No ${maySeeUsers ? 'user or client' : 'client'} starts with “${text}”`} action={all}>
      {maySeeUsers
        ? 'You can search by the beginning of a user name, name, email address or client name, or by a complete ID.'
        : 'You can search by the beginning of a client name, or by a client ID. Your role cannot search users.'}
    </EmptyState>
  )
}

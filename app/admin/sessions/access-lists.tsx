/** Tables of sessions, access and consents: a whole list in pages, or the latest of one user or client. */
import type { ReactNode } from 'react'
import type { Usage } from '#lib/admin/admin-ports.ts'
import { countedText } from '#lib/admin/counted-text.ts'
import { listAccess, listConsents, listSessions } from '#lib/admin/grants/read-access.ts'
import { namesIn } from '#lib/admin/names.ts'
import { type Column, DataTable, type Sorting } from '../_ui/data-table.tsx'
import { Link } from '../_ui/link.tsx'
import { EmptyState, Section } from '../_ui/page-parts.tsx'
import { Pager } from '../_ui/pager.tsx'
import { type AdminPage, callUseCase } from '../admin-page.tsx'
import { accessColumns, consentColumns, sessionColumns } from './access-columns.tsx'
import type { ListFilter } from './list-filter.tsx'
import { type ListName, ordersOf, sessionsPath, sessionsQuery, sessionsRoot } from './paths.ts'

type Owner = {
  readonly subject: string | null
  readonly clientId: string | null
  /** The token of the page to read; left out for the first page. */
  readonly after?: string | undefined
  readonly sort?: string | undefined
  /** The address of the list; left out if it cannot be sorted. */
  readonly sorting?: Sorting
}

type AccessTable = {
  /** The table; `null` for an empty list. */
  readonly table: ReactNode | null
  readonly next: string | null
}

const readTable: Readonly<Record<ListName, (page: AdminPage, owner: Owner) => Promise<AccessTable>>> = {
  sessions: async (page, owner) => {
    const { subject, after, sort } = owner
    const { items, next } = await callUseCase(page, listSessions, { sub: subject ?? undefined, after, sort })
    const columns = sessionColumns(page, await namesFor(page, items))
    return { next, table: tableOf('Sessions', columns, items, owner) }
  },
  access: async (page, owner) => {
    const { items, next } = await callUseCase(page, listAccess, filterOf(owner))
    const columns = accessColumns(page, await namesFor(page, items))
    return { next, table: tableOf('Access', columns, items, owner) }
  },
  consents: async (page, owner) => {
    const { items, next } = await callUseCase(page, listConsents, filterOf(owner))
    const columns = consentColumns(page, await namesFor(page, items))
    return { next, table: tableOf('Consents', columns, items, owner) }
  },
}

function filterOf({ subject, clientId, after, sort }: Owner) {
  return { sub: subject ?? undefined, client_id: clientId ?? undefined, after, sort }
}

type Row = { readonly sub: string; readonly client_id?: string; readonly session_id?: string }

function namesFor({ ports }: AdminPage, rows: readonly Row[]) {
  return namesIn(
    ports,
    rows.map(({ sub, client_id: clientId }) => ({
      subject: sub,
      ...(clientId === undefined ? {} : { clientId }),
    })),
  )
}

/** Makes a table without the columns that are the same in every row; `null` without rows. */
function tableOf<T extends Row>(
  caption: string,
  columns: readonly Column<T>[],
  rows: readonly T[],
  { subject, clientId, sorting }: Owner,
): ReactNode | null {
  if (rows.length === 0) return null
  const same = [...(subject === null ? [] : ['User']), ...(clientId === null ? [] : ['Client'])]
  return (
    <DataTable
      caption={caption}
      columns={columns.filter(({ name }) => !same.includes(name))}
      rows={rows}
      keyOf={row => row.session_id ?? `${row.sub} ${row.client_id}`}
      {...(sorting === undefined ? {} : { sorting })}
    />
  )
}

type Texts = {
  readonly about: string
  readonly none: (user: string | null, client: string | null) => string
  readonly count: (usage: Usage) => string | null
}

const texts: Readonly<Record<ListName, Texts>> = {
  sessions: {
    about: 'Signed-in browsers.',
    none: user => (user === null ? 'No active sessions' : `${user} has no active session`),
    count: ({ sessions }) => countedText(sessions, 'session', 'sessions'),
  },
  access: {
    about:
      'Clients with access to a user’s account now. Tokens counts refresh and reference tokens; JWT access tokens are not stored.',
    none: (user, client) =>
      `${client === null ? 'No client has access' : `${client} has no access`}${user === null ? '' : ` to the account of ${user}`}`,
    count: () => null,
  },
  consents: {
    about: 'Consents that users gave to clients and that are remembered.',
    none: (user, client) =>
      `No consents${user === null ? '' : ` of ${user}`}${client === null ? '' : ` for ${client}`}`,
    count: ({ consents }) => countedText(consents, 'consent', 'consents'),
  },
}

type AccessListProps = { readonly page: AdminPage; readonly filter: ListFilter; readonly usage: Usage }

/** The list that the address names, in pages. */
export async function AccessList({ page, filter, usage }: AccessListProps) {
  const { list, user, client, after, sort } = filter
  const owner = { subject: user?.id ?? null, clientId: client?.id ?? null, after, sort }
  const address = sessionsQuery({ list, sub: owner.subject, clientId: owner.clientId, sort })
  const sorting = { path: sessionsRoot, query: { sort: ordersOf[list][0], ...address } }
  const { table, next } = await readTable[list](page, { ...owner, sorting })
  const query = { ...address, ...(after === undefined ? {} : { after }) }
  return (
    <>
      <p className="small muted">{texts[list].about}</p>
      {table ?? <EmptyList filter={filter} />}
      <Pager
        path={sessionsRoot}
        query={query}
        next={next}
        count={table === null ? null : texts[list].count(usage)}
      />
    </>
  )
}

function EmptyList({ filter: { list, user, client } }: Pick<AccessListProps, 'filter'>) {
  const isFiltered = user !== null || client !== null
  const events = new URLSearchParams({
    ...(user === null ? {} : { subject: user.id }),
    ...(client === null ? {} : { client: client.id }),
  })
  const all = (
    <Link className="btn" href={sessionsPath({ list })}>
      Show all
    </Link>
  )
  return (
    <EmptyState
      title={texts[list].none(user?.name ?? null, client?.name ?? null)}
      action={isFiltered ? all : undefined}
    >
      Only active items are listed. Past activity is under{' '}
      <Link href={isFiltered ? `/admin/events?${events}` : '/admin/events'}>Events</Link>.
    </EmptyState>
  )
}

type AccessSectionsProps = {
  readonly page: AdminPage
  readonly subject: string | null
  readonly clientId: string | null
}

/**
 * The latest sessions, access and consents of one user, or access and consents of one client. A list with more has a link to
 * all.
 */
export async function AccessSections({ page, subject, clientId }: AccessSectionsProps) {
  const lists: readonly ListName[] =
    clientId === null ? ['sessions', 'access', 'consents'] : ['access', 'consents']
  const read = await Promise.all(lists.map(list => readTable[list](page, { subject, clientId })))
  return lists.map((list, index) => (
    <Section
      key={list}
      {...sections[list]}
      action={
        read[index]?.next != null && (
          <Link className="btn small" href={sessionsPath({ list, sub: subject, clientId })}>
            Show all
          </Link>
        )
      }
    >
      {read[index]?.table ?? <p className="small muted">{noneOf(list, clientId)}.</p>}
    </Section>
  ))
}

/** The text for an empty list. On the page of a client, the text about access speaks of users. */
function noneOf(list: ListName, clientId: string | null): string {
  return list === 'access' && clientId !== null ? 'No user has given access' : texts[list].none(null, null)
}

const sections: Readonly<Record<ListName, { readonly title: string; readonly description: string }>> = {
  sessions: { title: 'Sessions', description: 'Signed-in browsers.' },
  access: {
    title: 'Access',
    description: 'Current access, and how many refresh and reference tokens are valid.',
  },
  consents: { title: 'Consents', description: 'Remembered consents.' },
}

/** What a person, or an app, holds right now: sessions, grants with their tokens, and consents. */
import { deviceOf } from '#app/account/device-name.ts'
import type { AdminLists } from '#lib/admin/admin-ports.ts'
import { adminList } from '#lib/config/limits.ts'
import type { ClientId, SubjectId } from '#lib/protocol/ids.ts'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { AdminForm } from '../_ui/form.tsx'
import { Section } from '../_ui/section.tsx'
import { TimeAgo } from '../_ui/time-ago.tsx'
import type { AdminPage } from '../admin-page.ts'
import { clientPath } from '../clients/paths.ts'
import { userPath } from '../users/paths.ts'

type HoldingsProps = {
  readonly page: AdminPage
  readonly subject: SubjectId | null
  readonly clientId: ClientId | null
}

type Session = Awaited<ReturnType<AdminLists['sessions']>>['items'][number]
type Grant = Awaited<ReturnType<AdminLists['grants']>>['items'][number]
type Consent = Awaited<ReturnType<AdminLists['consents']>>['items'][number]
type NameOf = (subject: string) => string

/** The newest of each; everything older has ended long before a page is full. */
export async function Holdings({ page, subject, clientId }: HoldingsProps) {
  const { adminLists } = page.ports
  const first = { after: null, limit: adminList.page }
  const [sessions, grants, consents] = await Promise.all([
    clientId === null ? adminLists.sessions({ subject }, first, page.now) : { items: [] },
    adminLists.grants({ subject, clientId }, first, page.now),
    adminLists.consents({ subject, clientId }, first, page.now),
  ])
  const people = [...sessions.items, ...grants.items, ...consents.items].map(item => item.subject)
  const names = await adminLists.namesOf([...new Set(people)])
  const nameOf: NameOf = id => names.get(id)?.name ?? names.get(id)?.username ?? id
  // What is the same in every row says nothing: on the page of one person or app it is left out.
  const isWorthIt = ({ name }: { readonly name: string }) =>
    !(subject === null ? [] : ['Who', 'For', 'By']).includes(name) && (clientId === null || name !== 'App')
  return (
    <>
      {clientId === null && (
        <Section title="Sessions" description="Browsers that are signed in.">
          <Rows
            caption="Sessions"
            rows={sessions.items}
            columns={sessionColumns(page, nameOf).filter(isWorthIt)}
            keyOf={row => row.sessionId}
            none="Nobody is signed in."
          />
        </Section>
      )}
      <Section title="Access" description="What apps may do right now, with the tokens that are alive.">
        <Rows
          caption="Grants"
          rows={grants.items}
          columns={grantColumns(page, nameOf).filter(isWorthIt)}
          keyOf={row => row.id}
          none="No app holds anything."
        />
      </Section>
      <Section title="Consents" description="What people allowed, so that they are not asked again.">
        <Rows
          caption="Consents"
          rows={consents.items}
          columns={consentColumns(page, nameOf).filter(isWorthIt)}
          keyOf={row => `${row.subject} ${row.clientId}`}
          none="Nothing is remembered."
        />
      </Section>
    </>
  )
}

function deviceWords(userAgent: string | null): string {
  const { browser, system } = deviceOf(userAgent)
  if (browser === null && system === null) return 'An unknown browser'
  return [browser ?? 'A browser', ...(system === null ? [] : [`on ${system}`])].join(' ')
}

type RowsProps<T> = {
  readonly caption: string
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly keyOf: (row: T) => string
  readonly none: string
}

function Rows<T>({ none, ...table }: RowsProps<T>) {
  return table.rows.length === 0 ? <p className="small muted">{none}</p> : <DataTable {...table} />
}

function sessionColumns(page: AdminPage, nameOf: NameOf): readonly Column<Session>[] {
  return [
    { name: 'Who', cell: row => <Person subject={row.subject} nameOf={nameOf} /> },
    { name: 'Where', cell: row => deviceWords(row.userAgent) },
    { name: 'From', cell: row => <span className="mono">{row.address ?? 'unknown'}</span> },
    { name: 'Signed in', cell: row => <TimeAgo at={row.authenticatedAt} now={page.now} /> },
    { name: 'Last seen', cell: row => <TimeAgo at={row.lastSeenAt} now={page.now} /> },
    {
      name: 'End',
      isActions: true,
      cell: row => (
        <EndButton
          page={page}
          useCase="grants.end_session"
          hidden={{ session_id: row.sessionId }}
          label="End"
        />
      ),
    },
  ]
}

function grantColumns(page: AdminPage, nameOf: NameOf): readonly Column<Grant>[] {
  return [
    { name: 'App', cell: row => <App clientId={row.clientId} /> },
    { name: 'For', cell: row => <Person subject={row.subject} nameOf={nameOf} /> },
    { name: 'May', cell: row => <span className="mono">{row.scopes.join(' ')}</span> },
    { name: 'Since', cell: row => <TimeAgo at={row.createdAt} now={page.now} /> },
    { name: 'Tokens', cell: row => String(row.refreshTokens + row.referenceTokens), isNumber: true },
    {
      name: 'Revoke',
      isActions: true,
      cell: row => (
        <EndButton page={page} useCase="grants.revoke" hidden={{ grant_id: row.id }} label="Revoke" />
      ),
    },
  ]
}

function consentColumns(page: AdminPage, nameOf: NameOf): readonly Column<Consent>[] {
  return [
    { name: 'App', cell: row => <App clientId={row.clientId} /> },
    { name: 'By', cell: row => <Person subject={row.subject} nameOf={nameOf} /> },
    { name: 'Allowed', cell: row => <span className="mono">{row.scopes.join(' ')}</span> },
    { name: 'Since', cell: row => <TimeAgo at={row.updatedAt} now={page.now} /> },
    {
      name: 'Remove',
      isActions: true,
      cell: row => (
        <EndButton
          page={page}
          useCase="grants.remove_consent"
          hidden={{ sub: row.subject, client_id: row.clientId }}
          label="Remove"
        />
      ),
    },
  ]
}

function Person({ subject, nameOf }: { readonly subject: string; readonly nameOf: NameOf }) {
  return <a href={userPath(subject)}>{nameOf(subject)}</a>
}

function App({ clientId }: { readonly clientId: string }) {
  return (
    <a className="mono" href={clientPath(clientId)}>
      {clientId}
    </a>
  )
}

type EndButtonProps = {
  readonly page: AdminPage
  readonly useCase: string
  readonly hidden: Readonly<Record<string, string>>
  readonly label: string
}

function EndButton({ page, useCase, hidden, label }: EndButtonProps) {
  if (page.reasonAgainst('grants:revoke') !== null) return <span className="faint">–</span>
  return (
    <AdminForm page={page} useCase={useCase} hidden={hidden} isInline>
      <button type="submit" className="btn small">
        {label}
      </button>
    </AdminForm>
  )
}

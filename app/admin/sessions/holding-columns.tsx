/** The columns of what people and apps hold, each with the button that ends it. */
import { deviceOf } from '#app/account/device-name.ts'
import { adminClientId } from '#lib/admin/access/built-in.ts'
import type { listConsents, listGrants, listSessions } from '#lib/admin/grants/read-grants.ts'
import { capitalised } from '#lib/protocol/text/display-text.ts'
import type { Column } from '../_ui/data-table.tsx'
import { Link } from '../_ui/link.tsx'
import { TimeAgo } from '../_ui/time-ago.tsx'
import type { AdminPage } from '../admin-page.ts'
import type { OutputOf } from '../call-use-case.ts'
import { clientPath, userPath } from '../resource/paths.ts'
import { EndButton } from './end-button.tsx'
import { sessionsPath } from './paths.ts'

type Session = OutputOf<typeof listSessions>['items'][number]
type Grant = OutputOf<typeof listGrants>['items'][number]
type Consent = OutputOf<typeof listConsents>['items'][number]
/** As people call somebody. */
export type NameOf = (subject: string) => string

export function sessionColumns(page: AdminPage, nameOf: NameOf): readonly Column<Session>[] {
  const isOwn = (row: Session) => row.session_id === page.sessionId
  const end = (row: Session) => (
    <EndButton
      page={page}
      subject={row.sub}
      useCase="grants.end_session"
      hidden={{ session_id: row.session_id }}
      verb="End"
      thing="this session"
      consequence={sessionEnds(row, nameOf(row.sub), isOwn(row))}
    />
  )
  return [
    { name: 'Who', cell: row => <Person page={page} subject={row.sub} nameOf={nameOf} /> },
    {
      name: 'Where',
      cell: row => capitalised(deviceWords(row.user_agent)) + (isOwn(row) ? ' (this is you, now)' : ''),
    },
    { name: 'From', cell: row => <span className="mono">{row.address ?? 'unknown'}</span> },
    { name: 'Signed in', cell: row => <TimeAgo at={row.authenticated_at} now={page.now} /> },
    { name: 'Last seen', cell: row => <TimeAgo at={row.last_seen_at} now={page.now} /> },
    { name: 'End', isActions: true, cell: end },
  ]
}

export function grantColumns(page: AdminPage, nameOf: NameOf): readonly Column<Grant>[] {
  const revoke = (row: Grant) => (
    <EndButton
      page={page}
      subject={row.sub}
      useCase="grants.revoke"
      hidden={{ grant_id: row.grant_id }}
      verb="Revoke"
      thing="this access"
      consequence={`Ends what ${row.client_id} may do for ${nameOf(row.sub)} at once, with its tokens. A consent that is remembered stays.`}
    />
  )
  return [
    { name: 'App', cell: row => <App clientId={row.client_id} /> },
    { name: 'For', cell: row => <Person page={page} subject={row.sub} nameOf={nameOf} /> },
    { name: 'May', cell: row => <span className="mono">{row.scope}</span> },
    { name: 'Since', cell: row => <TimeAgo at={row.created_at} now={page.now} /> },
    { name: 'Tokens', cell: row => String(row.refresh_tokens + row.reference_tokens), isNumber: true },
    { name: 'Revoke', isActions: true, cell: revoke },
  ]
}

export function consentColumns(page: AdminPage, nameOf: NameOf): readonly Column<Consent>[] {
  const remove = (row: Consent) => (
    <EndButton
      page={page}
      subject={row.sub}
      useCase="grants.remove_consent"
      hidden={{ sub: row.sub, client_id: row.client_id }}
      verb="Remove"
      thing="this consent"
      consequence={`${row.client_id} has to ask ${nameOf(row.sub)} again. What it holds for them ends at once.`}
    />
  )
  return [
    { name: 'App', cell: row => <App clientId={row.client_id} /> },
    { name: 'By', cell: row => <Person page={page} subject={row.sub} nameOf={nameOf} /> },
    { name: 'Allowed', cell: row => <span className="mono">{row.scope}</span> },
    { name: 'Since', cell: row => <TimeAgo at={row.updated_at} now={page.now} /> },
    { name: 'Remove', isActions: true, cell: remove },
  ]
}

type PersonProps = { readonly page: AdminPage; readonly subject: string; readonly nameOf: NameOf }

/** Whoever may not open the person's page is led to what that person holds. */
function Person({ page, subject, nameOf }: PersonProps) {
  const maySee = page.reasonAgainst('users:read') === null
  return (
    <Link href={maySee ? userPath(subject) : sessionsPath({ show: 'sessions', sub: subject })}>
      {nameOf(subject)}
    </Link>
  )
}

/** The dashboard itself has no page among the clients. */
function App({ clientId }: { readonly clientId: string }) {
  if (clientId === adminClientId) return <span className="mono">{clientId}</span>
  return (
    <Link className="mono" href={clientPath(clientId)}>
      {clientId}
    </Link>
  )
}

function sessionEnds({ user_agent: userAgent }: Session, name: string, isOwn: boolean): string {
  const end = `Signs ${name} out of ${deviceWords(userAgent)} at once, with the apps that were opened there.`
  return isOwn ? `${end} It is the session you are in.` : `${end} What apps may do in their absence stays.`
}

function deviceWords(userAgent: string | null): string {
  const { browser, system } = deviceOf(userAgent)
  if (browser === null && system === null) return 'an unknown browser'
  return [browser ?? 'a browser', ...(system === null ? [] : [`on ${system}`])].join(' ')
}

/** The columns of the lists of sessions, access and consents. Each row has a button that revokes it. */

import { adminClientId } from '#lib/admin/access/built-in.ts'
import {
  accessList,
  consentList,
  type listAccess,
  type listConsents,
  type listSessions,
  sessionList,
} from '#lib/admin/grants/read-access.ts'
import { endSession, removeConsent, revokeAccess } from '#lib/admin/grants/revoke-access.ts'
import type { Names } from '#lib/admin/names.ts'
import { clientPath, userPath } from '#lib/admin/page-paths.ts'
import { deviceOf } from '#lib/protocol/text/device-name.ts'
import { capitalized } from '#lib/protocol/text/display-text.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import type { Column } from '../_ui/data-table.tsx'
import type { FormUseCase } from '../_ui/form.tsx'
import { Link } from '../_ui/link.tsx'
import type { AdminPage, OutputOf } from '../admin-page.tsx'
import { tableColumns } from '../resource/described-list.tsx'
import { restrictUserToOwners } from '../resource/resource-pages.tsx'
import { sessionsPath } from './paths.ts'

type Session = OutputOf<typeof listSessions>['items'][number]
type Access = OutputOf<typeof listAccess>['items'][number]
type Consent = OutputOf<typeof listConsents>['items'][number]

export function sessionColumns(page: AdminPage, names: Names): readonly Column<Session>[] {
  const isOwn = (row: Session) => row.session_id === page.sessionId
  const end = (row: Session) => (
    <RevokeButton
      page={page}
      subject={row.sub}
      useCase={endSession}
      hidden={{ session_id: row.session_id }}
      verb="End"
      thing="this session"
      consequence={sessionConsequence(row, names.user(row.sub), isOwn(row))}
    />
  )
  return [
    ...tableColumns(
      sessionList.columns,
      ['sub', 'user_agent', 'address', 'authenticated_at', 'last_seen_at'],
      {
        now: page.now,
        cells: {
          sub: row => <User page={page} names={names} sub={row.sub} />,
          user_agent: row => capitalized(deviceText(row.user_agent)) + (isOwn(row) ? ' (this session)' : ''),
          address: row => <span className="mono">{row.address ?? 'unknown'}</span>,
        },
      },
    ),
    { name: 'End', isActions: true, cell: end },
  ]
}

export function accessColumns(page: AdminPage, names: Names): readonly Column<Access>[] {
  const revoke = ({ sub, client_id: clientId }: Access) => (
    <RevokeButton
      page={page}
      subject={sub}
      useCase={revokeAccess}
      hidden={{ sub, client_id: clientId }}
      verb="Revoke"
      thing="this access"
      consequence={`Revokes the access of ${names.client(clientId)} for ${names.user(sub)} with all its tokens. A remembered consent stays.`}
    />
  )
  const tokens = (row: Access) => row.refresh_tokens + row.reference_tokens
  return [
    ...tableColumns(
      accessList.columns,
      ['client_id', 'sub', 'scope', 'authorized_at'],
      ownedLook(page, names),
    ),
    { name: 'Tokens', cell: row => (tokens(row) === 0 ? '–' : String(tokens(row))), isNumber: true },
    { name: 'Revoke', isActions: true, cell: revoke },
  ]
}

export function consentColumns(page: AdminPage, names: Names): readonly Column<Consent>[] {
  const remove = ({ sub, client_id: clientId }: Consent) => (
    <RevokeButton
      page={page}
      subject={sub}
      useCase={removeConsent}
      hidden={{ sub, client_id: clientId }}
      verb="Remove"
      thing="this consent"
      consequence={`${names.client(clientId)} must ask ${names.user(sub)} for consent again. Its access and tokens end immediately.`}
    />
  )
  return [
    ...tableColumns(consentList.columns, ['client_id', 'sub', 'scope', 'updated_at'], ownedLook(page, names)),
    { name: 'Remove', isActions: true, cell: remove },
  ]
}

type RevokeButtonProps = {
  readonly page: AdminPage
  /** The user of the row. */
  readonly subject: string
  readonly useCase: FormUseCase
  readonly hidden: Readonly<Record<string, string>>
  readonly verb: string
  /** The object of the verb, which the row does not show: “this session”. */
  readonly thing: string
  readonly consequence: string
}

/** AD-03: a button that only owners may use if the user is another administrator. */
async function RevokeButton({ page, subject, verb, thing, ...form }: RevokeButtonProps) {
  const { permission } = form.useCase
  if (page.reasonAgainst(permission) !== null) return <span className="faint">–</span>
  const { reasonAgainst } = await restrictUserToOwners(page, subject)
  if (reasonAgainst(permission) !== null)
    return <span className="small muted whitespace-nowrap">Owners only</span>
  return <ConfirmedForm {...form} page={page} label={verb} thing={thing} verb={`${verb} ${thing}`} isBrief />
}

type OwnedRow = { readonly sub: string; readonly client_id: string; readonly scope: string }

/** The cells that lists with a user and a client share. */
function ownedLook(page: AdminPage, names: Names) {
  const cells = {
    client_id: (row: OwnedRow) => <Client names={names} id={row.client_id} />,
    sub: (row: OwnedRow) => <User page={page} names={names} sub={row.sub} />,
    scope: (row: OwnedRow) => <span className="mono">{row.scope}</span>,
  }
  return { cells, now: page.now }
}

type UserProps = { readonly page: AdminPage; readonly names: Names; readonly sub: string }

/** A link to the user, or to the user's sessions if the role may not see users. */
function User({ page, names, sub }: UserProps) {
  const maySee = page.reasonAgainst('users:read') === null
  return (
    <Link href={maySee ? userPath(sub) : sessionsPath({ list: 'sessions', sub })}>{names.user(sub)}</Link>
  )
}

/** The name of a client, as a link unless it is the dashboard's own client, which has no page. */
function Client({ names, id }: { readonly names: Names; readonly id: string }) {
  const name = names.client(id)
  return (
    <>
      {id === adminClientId ? <span>{name}</span> : <Link href={clientPath(id)}>{name}</Link>}
      {name !== id && <span className="mono small faint block">{id}</span>}
    </>
  )
}

function sessionConsequence({ user_agent: userAgent }: Session, name: string, isOwn: boolean): string {
  const end = `Signs ${name} out of ${deviceText(userAgent)} immediately, together with the apps opened there.`
  return isOwn ? `${end} This is your current session.` : `${end} Offline access of clients stays.`
}

function deviceText(userAgent: string | null): string {
  const { browser, system } = deviceOf(userAgent)
  if (browser === null && system === null) return 'an unknown browser'
  return [browser ?? 'a browser', ...(system === null ? [] : [`on ${system}`])].join(' ')
}

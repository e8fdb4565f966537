/** The page of invitations: their state, a new link, and withdrawing one. */
import { z } from 'zod'
import { countedText } from '#lib/admin/counted-text.ts'
import { namesIn } from '#lib/admin/names.ts'
import { userPath } from '#lib/admin/page-paths.ts'
import { invitationList, type listInvitations } from '#lib/admin/user-invitations/read-invitations.ts'
import { sendInvitationAgain, withdrawUserInvitation } from '#lib/admin/user-invitations/write-invitations.ts'
import { AddressText } from '../../_ui/address-text.tsx'
import { ActionLink, ConfirmedForm } from '../../_ui/confirmed-form.tsx'
import { CopyButton, SecretOnce } from '../../_ui/copy.tsx'
import { DataTable } from '../../_ui/data-table.tsx'
import { FilterBar } from '../../_ui/filter-bar.tsx'
import { AdminForm } from '../../_ui/form.tsx'
import { Link } from '../../_ui/link.tsx'
import { Notice } from '../../_ui/notice.tsx'
import { AdminShell, EmptyState, Section } from '../../_ui/page-parts.tsx'
import { Pager } from '../../_ui/pager.tsx'
import { Moment, TimeAgo } from '../../_ui/times.tsx'
import {
  type AdminPage,
  adminPage,
  callUseCase,
  type OutputOf,
  withoutEmptyValues,
} from '../../admin-page.tsx'

const path = '/admin/users/invitations'

export default adminPage('users:read', path, InvitationsPage)

async function InvitationsPage(page: AdminPage) {
  const query = withoutEmptyValues(page.query)
  const { asked, filter } = invitationList.readQuery(query)
  const { items, next } = await callUseCase(page, invitationList.useCase, asked)
  const count = await page.ports.adminLists.countUserInvitations(filter, page.now)
  const filters = Object.entries(invitationList.choices).map(([name, choice]) => ({ name, ...choice }))
  const invite = (
    <ActionLink href={`${path}/new`} reasonAgainst={page.reasonAgainst('users:create')}>
      Invite users
    </ActionLink>
  )
  const isEmpty =
    items.length === 0 && filter.state === null && filter.search === null && query.after === undefined
  return (
    <AdminShell
      page={page}
      title="Invitations"
      back={{ name: 'Users', href: '/admin/users' }}
      description="Links with which new users create their account. Each works once, for 7 days."
      action={invite}
    >
      <MadeLinks page={page} />
      {isEmpty ? (
        <EmptyState title="No invitations" action={invite}>
          Invitations are listed here until 30 days after their end.
        </EmptyState>
      ) : (
        <>
          <FilterBar
            path={path}
            query={query}
            search="Search by the beginning of the address"
            filters={filters}
          />
          {items.length === 0 && next === null && <p className="muted no-match">No invitation matches.</p>}
          {items.length > 0 && <InvitationTable page={page} rows={items} />}
          <Pager
            path={path}
            query={query}
            next={next}
            count={countedText(count, 'invitation', 'invitations')}
            isEmpty={items.length === 0}
          />
        </>
      )}
    </AdminShell>
  )
}

const linkSchema = z.object({ email: z.string().nullable(), link: z.string(), expires_at: z.string() })
const mailedSchema = z.object({ email: z.string(), link: z.null() })
const linksSchema = z.object({ invited: z.array(z.object({ email: z.string(), link: z.string() })).min(1) })
const sentSchema = z.object({ invited: z.array(z.object({ email: z.string() })), skipped: z.number() })

/** The links that are shown once, if the invitations were not sent by mail. */
function MadeLinks({ page }: { readonly page: AdminPage }) {
  const value = page.oneTimeResult?.value
  const one = linkSchema.safeParse(value)
  if (one.success)
    return (
      <SecretOnce
        title={one.data.email === null ? 'The link for one user' : `The link for ${one.data.email}`}
        secret={one.data.link}
        hint={
          <>
            Send it only to that user. It works once, until <Moment at={new Date(one.data.expires_at)} />, and
            won’t be shown again.
          </>
        }
      />
    )
  const mailed = mailedSchema.safeParse(value)
  if (mailed.success) return <Notice kind="good">An invitation to {mailed.data.email} is on the way.</Notice>
  const several = linksSchema.safeParse(value)
  if (several.success)
    return (
      <Section
        title="Links"
        description="Send each only to its user. They work once, and won’t be shown again."
        action={<CopyButton name="all links" text={tableText(several.data.invited)} />}
      >
        <DataTable
          caption="Links"
          rows={several.data.invited}
          keyOf={({ email }) => email}
          columns={[
            { name: 'Email', cell: ({ email }) => <AddressText text={email} /> },
            { name: 'Link', cell: ({ link }) => <code className="mono small">{link}</code> },
          ]}
        />
      </Section>
    )
  const sent = sentSchema.safeParse(value)
  if (!sent.success) return null
  const { invited, skipped } = sent.data
  return (
    <Notice kind="good">
      {invited.length === 1 ? 'One invitation is' : `${invited.length} invitations are`} on the way
      {skipped === 0 ? '.' : `; ${skipped} skipped, who have an account or an invitation.`}
    </Notice>
  )
}

function tableText(rows: ReadonlyArray<{ readonly email: string; readonly link: string }>): string {
  return rows.map(({ email, link }) => `${email}\t${link}`).join('\n')
}

type Row = OutputOf<typeof listInvitations>['items'][number]
type TableProps = { readonly page: AdminPage; readonly rows: readonly Row[] }

async function InvitationTable({ page, rows }: TableProps) {
  const names = await namesIn(
    page.ports,
    rows.flatMap(({ invited_by, sub }) => [{ subject: invited_by }, { subject: sub }]),
  )
  const { now } = page
  return (
    <DataTable
      caption="Invitations"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Email', cell: row => <Invitee row={row} /> },
        { name: 'State', cell: row => <State row={row} now={now} userName={names.user(row.sub)} /> },
        { name: 'Groups and roles', cell: row => [...row.groups, ...row.role].join(', ') || <None /> },
        {
          name: 'Invited',
          cell: row => (
            <span>
              <TimeAgo at={row.created_at} now={now} />
              {row.invited_by !== null && (
                <span className="small faint block">by {names.user(row.invited_by)}</span>
              )}
            </span>
          ),
        },
        { name: 'Actions', isActions: true, cell: row => <Actions page={page} row={row} /> },
      ]}
    />
  )
}

function None() {
  return <span className="faint">none</span>
}

function Invitee({ row: { email, name } }: { readonly row: Row }) {
  return (
    <>
      {email === null ? <span className="faint">any address</span> : <AddressText text={email} />}
      {name !== null && (
        <span className="small faint block">
          <AddressText text={name} />
        </span>
      )}
    </>
  )
}

type StateProps = { readonly row: Row; readonly now: Date; readonly userName: string }

function State({ row, now, userName }: StateProps) {
  if (row.state === 'used')
    return (
      <span>
        <span className="state">Used</span> <TimeAgo at={row.used_at} now={now} />
        {row.sub !== null && (
          <span className="small block">
            <Link href={userPath(row.sub)}>{userName}</Link>
          </span>
        )}
      </span>
    )
  if (row.state === 'expired')
    return (
      <span>
        <span className="tag warn">Expired</span> <TimeAgo at={row.expires_at} now={now} />
      </span>
    )
  return (
    <span>
      {row.is_mailed ? 'Sent by mail' : 'Link given out'}; expires <TimeAgo at={row.expires_at} now={now} />
    </span>
  )
}

/** The buttons of an unused invitation. If mail is off, or there is no address, a new link is shown. */
function Actions({ page, row }: { readonly page: AdminPage; readonly row: Row }) {
  if (row.state === 'used' || page.reasonAgainst(withdrawUserInvitation.permission) !== null) return null
  const hidden = { invitation_id: row.id }
  const who = row.email ?? 'the unnamed user'
  const isMailable = row.email !== null && page.ports.mail.kind !== 'off'
  return (
    <div className="admin-actions lg:flex-nowrap">
      {isMailable && (
        <AdminForm page={page} useCase={sendInvitationAgain} hidden={{ ...hidden, way: 'mail' }} isInline>
          <button type="submit" className="btn small">
            Send again<span className="visually-hidden"> to {who}</span>
          </button>
        </AdminForm>
      )}
      <ConfirmedForm
        page={page}
        useCase={sendInvitationAgain}
        hidden={{ ...hidden, way: 'link' }}
        label="New link"
        thing={who}
        consequence={`Shows you a new link to give to ${who}. The earlier link ends.${row.email === null ? '' : ' An address is not proved by a link that you give out.'}`}
        verb="Create the link"
        isBrief
        isHarmless
      />
      <ConfirmedForm
        page={page}
        useCase={withdrawUserInvitation}
        hidden={hidden}
        label="Withdraw"
        thing={who}
        consequence="The link no longer works."
        verb="Withdraw the invitation"
        isBrief
      />
    </div>
  )
}

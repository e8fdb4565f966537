/** The identities at identity providers with which a user signs in. */
import { unlinkIdentity } from '#lib/admin/users/unlink.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { TimeAgo } from '../_ui/times.tsx'
import type { AdminPage } from '../admin-page.tsx'
import type { ReadUser } from './user-pages.tsx'

type LinkedProps = { readonly page: AdminPage; readonly user: ReadUser }
type Link = ReadUser['linked'][number]

export function LinkedIdentities({ page, user }: LinkedProps) {
  return (
    <>
      <h3 className="small muted">Linked identities</h3>
      <DataTable
        caption="Linked identities"
        columns={columns(page, user)}
        rows={user.linked}
        keyOf={({ scheme, issuer, sub }) => `${scheme} ${issuer} ${sub}`}
      />
    </>
  )
}

function columns(page: AdminPage, user: ReadUser): readonly Column<Link>[] {
  return [
    { name: 'Provider', cell: ({ scheme }) => scheme },
    { name: 'Name there', cell: ({ label }) => (label === null ? 'Unknown' : <bdi>{label}</bdi>) },
    { name: 'Subject there', cell: ({ sub }) => <bdi className="mono">{sub}</bdi> },
    { name: 'Since', cell: row => <TimeAgo at={row.created_at} now={page.now} /> },
    { name: 'Actions', isActions: true, cell: link => <Unlink page={page} user={user} link={link} /> },
  ]
}

function Unlink({ page, user, link }: LinkedProps & { readonly link: Link }) {
  const { scheme, issuer, sub: identity } = link
  const isOwn = page.actor.subject === user.sub
  const isOnlyWay = !user.has_password && user.linked.length === 1
  const warning = isOnlyWay
    ? ' The user has no password: reset it as well, or they may not be able to sign in.'
    : ''
  return (
    <ConfirmedForm
      page={page}
      useCase={unlinkIdentity}
      hidden={{ sub: user.sub, scheme, issuer, identity }}
      label="Unlink"
      thing={`the identity at ${scheme}`}
      reasonAgainst={isOwn ? 'Unlink your own identities in your account, at /account.' : null}
      consequence={`Ends the sessions and the access of clients that began with ${scheme}. If this identity signs in again, it gets a new account.${warning}`}
      verb="Unlink the identity"
      isBrief
    />
  )
}

/** What admins register most, one step from the overview; only what this role may. */
import { may, type Permission } from '#lib/admin/access/permissions.ts'
import { Link } from '../_ui/link.tsx'
import type { AdminPage } from '../admin-page.ts'

const beginnings: readonly (readonly [name: string, href: string, Permission])[] = [
  ['New client', '/admin/clients/new', 'clients:create'],
  ['New user', '/admin/users/new', 'users:create'],
  ['New scope', '/admin/scopes/new', 'scopes:create'],
  ['New provider', '/admin/providers/new', 'providers:create'],
]

export function QuickCreate({ page }: { readonly page: AdminPage }) {
  return beginnings
    .filter(([, , permission]) => may(page.actor.role, permission))
    .map(([name, href]) => (
      <Link key={href} className="btn" href={href}>
        {name}
      </Link>
    ))
}

/** The table of permissions itself, in words. */
import { may, permissions } from '#lib/admin/access/permissions.ts'
import { type AdminRole, adminRoles } from '#lib/protocol/admin-role.ts'
import { DataTable } from '../_ui/data-table.tsx'
import { roleNames } from '../role-names.ts'

const resources = [...new Set(permissions.map(permission => partsOf(permission).resource))]

/** What the navigation calls them, where that differs. */
const areaNames: Readonly<Record<string, string>> = {
  providers: 'Identity providers',
  grants: 'Sessions, consents, tokens',
  audit: 'Changes',
}

/** Seeing something on a page is not taking it along. */
const actionNames: Readonly<Record<string, string>> = { read: 'see', export: 'export as a file' }

export function RoleTable() {
  return (
    <DataTable
      caption="What each role may do"
      rows={resources}
      keyOf={resource => resource}
      columns={[
        {
          name: 'Area',
          cell: resource => <span className="strong">{areaNames[resource] ?? words(resource)}</span>,
        },
        ...adminRoles.map(role => ({
          name: roleNames[role].name,
          cell: (resource: string) => <Allowed role={role} resource={resource} />,
        })),
      ]}
    />
  )
}

function Allowed({ role, resource }: { readonly role: AdminRole; readonly resource: string }) {
  const own = permissions.filter(permission => partsOf(permission).resource === resource)
  const allowed = own.filter(permission => may(role, permission))
  if (allowed.length === 0) return <span className="faint">nothing</span>
  if (allowed.length === own.length && own.length > 1) return 'everything'
  const names = allowed.map(permission => partsOf(permission).action)
  return names.map(action => actionNames[action] ?? words(action).toLowerCase()).join(', ')
}

function partsOf(permission: string): { readonly resource: string; readonly action: string } {
  const [resource = '', action = ''] = permission.split(':')
  return { resource, action }
}

function words(name: string): string {
  const text = name.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

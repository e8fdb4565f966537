/** The permissions of each role in words. */
import { adminRoles } from '#lib/protocol/admin-role.ts'
import { capitalised } from '#lib/protocol/text/display-text.ts'
import { DataTable } from '../_ui/data-table.tsx'
import { roleNames } from '../role-names.ts'
import { areaName, areas, areasByWhatRoleMay, whatRoleMay } from './role-areas.ts'

/** By area, or on narrow screens by role; only one of them is displayed. */
export function RoleTable() {
  return (
    <>
      <div className="where-wide">
        <ByArea />
      </div>
      <div className="where-narrow">
        <ByRole />
      </div>
    </>
  )
}

function ByArea() {
  return (
    <DataTable
      caption="Role permissions"
      rows={areas}
      keyOf={area => area}
      columns={[
        { name: 'Area', cell: area => <span className="strong">{areaName(area)}</span> },
        ...adminRoles.map(role => ({
          name: roleNames[role].name,
          cell: (area: string) => whatRoleMay(role, area) ?? <span className="faint">nothing</span>,
        })),
      ]}
    />
  )
}

function ByRole() {
  return adminRoles.map(role => (
    <section key={role} className="role">
      <h3>{roleNames[role].name}</h3>
      <dl>
        {[...areasByWhatRoleMay(role)].map(([words, open]) => (
          <div key={words}>
            <dt>{capitalised(words)}:</dt> <dd>{open.map(areaName).join(', ')}</dd>
          </div>
        ))}
      </dl>
    </section>
  ))
}

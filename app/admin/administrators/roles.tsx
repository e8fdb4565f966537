/** Cards to choose a role, and a table of the permissions of each role. */
import { type AdminRole, adminRoles } from '#lib/protocol/admin-role.ts'
import { capitalized } from '#lib/protocol/text/display-text.ts'
import { DataTable } from '../_ui/data-table.tsx'
import { RadioCards } from '../_ui/fields.tsx'
import type { FieldState } from '../_ui/form.tsx'
import { roleNames } from '../role-names.ts'
import { areaName, areas, areasByWhatRoleMay, whatRoleMay } from './role-areas.ts'

type RoleCardsProps = { readonly fields: FieldState; readonly stored: AdminRole }

/** Cards to choose a role. `stored` is selected, unless the form was returned. */
export function RoleCards({ fields, stored }: RoleCardsProps) {
  const cards = adminRoles.map(role => ({
    value: role,
    title: roleNames[role].name,
    text: roleNames[role].summary,
  }))
  return (
    <RadioCards
      name="role"
      label="Role"
      value={fields.value('role', stored)}
      error={fields.error('role')}
      cards={cards}
    />
  )
}

/** A table by area for wide screens, and lists by role for narrow ones. A style sheet hides one of them. */
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
            <dt>{capitalized(words)}:</dt> <dd>{open.map(areaName).join(', ')}</dd>
          </div>
        ))}
      </dl>
    </section>
  ))
}

/** Alerts for administrators, each with links to the pages that it is about. */
import { may } from '#lib/admin/access/permissions.ts'
import type { Alert } from '#lib/admin/overview/alerts.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { areas } from '../_ui/areas.ts'
import { Link } from '../_ui/link.tsx'

const urgency: Readonly<Record<Alert['severity'], string>> = { bad: 'Now', warn: 'Soon', note: 'Review' }

type AlertsProps = { readonly alerts: readonly Alert[]; readonly role: AdminRole }

export function Alerts({ alerts, role }: AlertsProps) {
  if (alerts.length === 0)
    return (
      <p className="small muted all-well">
        <span className="tag good">No alerts</span> No expiring secrets, failing clients or legacy flows.
      </p>
    )
  return (
    <section className="sheet">
      <h2>Needs attention</h2>
      <ul className="alerts list">
        {alerts.map(({ severity, sentence, links }) => (
          <li key={sentence}>
            <span className={`tag ${severity}`}>{urgency[severity]}</span>
            <span className="grow">{sentence}</span>
            <span className="alert-links small">
              {links
                .filter(({ href }) => mayOpen(role, href))
                .map(({ text, href }) => (
                  <Link key={href} href={href}>
                    {text}
                  </Link>
                ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function mayOpen(role: AdminRole, href: string): boolean {
  const area = areas.findLast(({ path }) => href.startsWith(path))
  return area === undefined || may(role, area.permission)
}

/** What somebody should look at, each with the way there. */
import { may } from '#lib/admin/access/permissions.ts'
import type { Concern } from '#lib/admin/overview/concern.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { areas } from '../_ui/areas.ts'
import { Link } from '../_ui/link.tsx'

const urgency: Readonly<Record<Concern['severity'], string>> = { bad: 'Now', warn: 'Soon', note: 'Review' }

type ConcernsProps = { readonly concerns: readonly Concern[]; readonly role: AdminRole }

export function Concerns({ concerns, role }: ConcernsProps) {
  if (concerns.length === 0)
    return (
      <p className="small muted all-well">
        <span className="tag good">All well</span> No secret ends soon, no client fails, no legacy flow is
        open.
      </p>
    )
  return (
    <section className="sheet">
      <h2>Needs attention</h2>
      <ul className="concerns list">
        {concerns.map(({ severity, sentence, links }) => (
          <li key={sentence}>
            <span className={`tag ${severity}`}>{urgency[severity]}</span>
            <span className="grow">{sentence}</span>
            <span className="concern-links small">
              {links
                .filter(({ href }) => isOpenTo(role, href))
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

/** No way to where they would be refused. */
function isOpenTo(role: AdminRole, href: string): boolean {
  const area = areas.findLast(({ path }) => href.startsWith(path))
  return area === undefined || may(role, area.permission)
}

/** What admins did to a person's account, beside what the person did. */
import { adminList } from '#lib/config/limits.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { Link } from '../_ui/link.tsx'
import { Section } from '../_ui/section.tsx'
import { TimeAgo } from '../_ui/time-ago.tsx'
import type { AdminPage } from '../admin-page.ts'
import { operationVerb } from '../changes/operation-labels.ts'
import { requestTracePath } from '../events/paths.ts'

export async function UserAuditLog({
  page,
  subject,
}: {
  readonly page: AdminPage
  readonly subject: SubjectId
}) {
  const { adminStore, adminLists } = page.ports
  const about = { targetKind: 'user', targetId: subject } as const
  const rows = await adminStore.audit.list(about, null, adminList.found)
  const names = await adminLists.namesOf(rows.flatMap(({ actor }) => (actor === null ? [] : [actor])))
  const nameOf = (actor: string) => names.get(actor)?.name ?? names.get(actor)?.username ?? actor
  return (
    <Section title="What admins did">
      {rows.length === 0 && <p className="small muted">No admin changed this account.</p>}
      <ol className="event-list list">
        {rows.map(row => (
          <li key={row.seq}>
            <span className="mark-of" aria-hidden="true">
              ✓
            </span>
            <span className="words">
              {row.actor === null ? 'The operator' : nameOf(row.actor)} {operationVerb(row)} this person.
            </span>
            <Link className="reference-of mono" href={requestTracePath(row.referenceId)}>
              {row.referenceId}
            </Link>
            <TimeAgo at={row.time} now={page.now} />
          </li>
        ))}
      </ol>
    </Section>
  )
}

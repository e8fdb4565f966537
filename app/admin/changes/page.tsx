/** Who changed what: the audit trail, with what stood before and after. */
import type { PageInput } from '#app/_ui/visit.ts'
import type { AuditRow } from '#lib/admin/admin-ports.ts'
import { readChanges } from '#lib/admin/changes/read-changes.ts'
import { compareDocuments } from '#lib/admin/configuration/compare-documents.ts'
import { adminList } from '#lib/config/limits.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import { AdminShell } from '../_ui/admin-shell.tsx'
import { EmptyState } from '../_ui/empty-state.tsx'
import { PageHeader } from '../_ui/page-header.tsx'
import { withAdminErrors } from '../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../admin-page.ts'
import { ChangeEntry } from './change-entry.tsx'

const path = '/admin/changes'

export default withAdminErrors(ChangesPage)

async function ChangesPage(input: PageInput) {
  const page = await requireAdminPage('audit:read', path, input)
  const before = /^\d{1,9}$/.test(page.query.before ?? '') ? Number(page.query.before) : null
  const { rows, next } = await readChanges(page.ports, before, adminList.page)
  const names = await page.ports.adminLists.namesOf(rows.flatMap(({ row }) => peopleOf(row)))
  return (
    <AdminShell page={page} title="Changes">
      <PageHeader
        title="Changes"
        description={
          <>
            What administrators did, newest first. Nothing here can be altered unnoticed:{' '}
            <code className="mono">npm run audit:verify</code> checks.
          </>
        }
      />
      {rows.length === 0 && (
        <EmptyState title="No changes yet">What admins change stands here for ever.</EmptyState>
      )}
      {rows.length > 0 && (
        <ol className="changes list">
          {rows.map(({ seq, row }) =>
            row === null ? (
              <DamagedRow key={seq} seq={seq} />
            ) : (
              <ChangeEntry
                key={seq}
                row={row}
                differences={compareDocuments(row.before, row.after)}
                names={names}
                now={page.now}
              />
            ),
          )}
        </ol>
      )}
      {next !== null && (
        <p>
          <a className="btn small" href={`${path}?before=${next}`} rel="next">
            Older changes
          </a>
        </p>
      )}
    </AdminShell>
  )
}

function peopleOf(row: AuditRow | null): readonly SubjectId[] {
  const target = row?.targetKind === 'user' ? subjectIdSchema.safeParse(row.targetId).data : undefined
  return [row?.actor, target].filter(id => id !== undefined && id !== null)
}

/** LG-04: what lies there is nothing that was written. */
function DamagedRow({ seq }: { readonly seq: number }) {
  return (
    <li className="change-entry">
      <h2>Change {seq} is damaged</h2>
      <p className="small muted">
        Somebody altered this row in the database, or a newer release wrote it. Run{' '}
        <code className="mono">npm run audit:verify</code>.
      </p>
    </li>
  )
}

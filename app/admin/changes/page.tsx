/** Who changed what: the audit trail, with what stood before and after. */
import type { PageInput } from '#app/_ui/visit.ts'
import { compareDocuments } from '#lib/admin/configuration/compare-documents.ts'
import { adminList } from '#lib/config/limits.ts'
import type { AuditRow } from '#lib/ports/admin-store.ts'
import { AdminShell } from '../_ui/admin-shell.tsx'
import { Differences } from '../_ui/differences.tsx'
import { EmptyState } from '../_ui/empty-state.tsx'
import { PageHeader } from '../_ui/page-header.tsx'
import { Section } from '../_ui/section.tsx'
import { TimeAgo } from '../_ui/time-ago.tsx'
import { type AdminPage, adminPage } from '../admin-page.ts'

const path = '/admin/changes'

export default async function ChangesPage(input: PageInput) {
  const page = await adminPage('audit:read', path, input)
  const before = /^\d{1,9}$/.test(page.query.before ?? '') ? Number(page.query.before) : null
  const rows = await page.ports.adminStore.audit.page(before, adminList.page)
  const names = await page.ports.adminLists.namesOf(rows.flatMap(({ row }) => row?.actor ?? []))
  const last = rows.at(-1)
  return (
    <AdminShell page={page} title="Changes">
      <PageHeader
        title="Changes"
        description="Each row is chained to the one before: npm run audit:verify finds what was altered or removed."
      />
      {rows.length === 0 && (
        <EmptyState title="No changes yet">What admins change stands here for ever.</EmptyState>
      )}
      {rows.map(({ seq, row }) =>
        row === null ? <DamagedRow key={seq} seq={seq} /> : <ChangeRow key={seq} {...{ row, names, page }} />,
      )}
      {last !== undefined && last.seq > 1 && (
        <p>
          <a className="btn small" href={`${path}?before=${last.seq}`} rel="next">
            Older changes
          </a>
        </p>
      )}
    </AdminShell>
  )
}

type Change = {
  readonly row: AuditRow
  readonly names: Awaited<ReturnType<AdminPage['ports']['adminLists']['namesOf']>>
  readonly page: AdminPage
}

function ChangeRow({ row, names, page }: Change) {
  return (
    <Section
      title={`${row.action.replaceAll('_', ' ').replace('.', ': ')} · ${row.targetId}`}
      description={
        <>
          {row.actor === null
            ? 'The operator'
            : (names.get(row.actor)?.name ?? names.get(row.actor)?.username ?? row.actor)}
          {', '}
          <TimeAgo at={row.time} now={page.now} />, change {row.seq}, request{' '}
          <a className="mono" href={`/admin/events/requests/${row.referenceId}`}>
            {row.referenceId}
          </a>
        </>
      }
    >
      <Differences differences={compareDocuments(row.before, row.after)} />
    </Section>
  )
}

/** LG-04: what lies there is nothing that was written. */
function DamagedRow({ seq }: { readonly seq: number }) {
  return (
    <Section
      title={`Change ${seq} is damaged`}
      description="Somebody altered this row in the database, or a newer release wrote it. Run npm run audit:verify."
    >
      {null}
    </Section>
  )
}

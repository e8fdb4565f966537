/** Scopes of one kind. */
import type { ReactNode } from 'react'
import { countedText } from '#lib/admin/counted-text.ts'
import type { ListedScope } from '#lib/admin/scopes/read-scopes.ts'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { Link } from '../_ui/link.tsx'
import { StatusTag } from '../_ui/status-tag.tsx'
import { TimeAgo } from '../_ui/time-ago.tsx'
import { scopePath } from '../resource/paths.ts'

type ScopeTableProps = {
  readonly title: string
  readonly description: string
  readonly rows: readonly ListedScope[]
  readonly now: Date
  /** In place of a table without rows; `null` leaves the title out too. */
  readonly empty: ReactNode
}

export function ScopeTable({ title, description, rows, now, empty }: ScopeTableProps) {
  if (rows.length === 0 && empty === null) return null
  return (
    <section className="grid gap-3">
      <div>
        <h2>{title}</h2>
        <p className="small muted">{description}</p>
      </div>
      {rows.length === 0 ? (
        empty
      ) : (
        <DataTable caption={title} columns={columns(now)} rows={rows} keyOf={row => row.name} />
      )}
    </section>
  )
}

function columns(now: Date): readonly Column<ListedScope>[] {
  return [
    {
      name: 'Name',
      cell: row => (
        <>
          <Link className="mono" href={scopePath(row.name)}>
            {row.name}
          </Link>
          {row.display_name !== null && (
            <span className="small muted block font-normal">{row.display_name}</span>
          )}
        </>
      ),
    },
    { name: 'Consent', cell: row => <Marks row={row} /> },
    {
      name: 'Claims',
      cell: row => (row.claims === 0 ? <span className="faint">none</span> : row.claims),
    },
    { name: 'Allowed to', cell: row => <UsedBy row={row} /> },
    { name: 'Status', cell: row => <StatusTag isEnabled={row.enabled} /> },
    { name: 'Changed', cell: row => <TimeAgo at={row.updated_at} now={now} /> },
  ]
}

function Marks({ row }: { readonly row: ListedScope }) {
  const marks = [row.required ? 'Required' : null, row.emphasize ? 'Sensitive' : null].filter(
    mark => mark !== null,
  )
  if (marks.length === 0) return <span className="faint">Optional</span>
  return (
    <span className="inline-flex flex-wrap gap-1">
      {marks.map(mark => (
        <span key={mark} className={mark === 'Sensitive' ? 'tag warn' : 'tag'}>
          {mark}
        </span>
      ))}
    </span>
  )
}

function UsedBy({ row: { used_by: usedBy } }: { readonly row: ListedScope }) {
  if (usedBy.count === 0) return <span className="faint">no client</span>
  return countedText({ count: usedBy.count, isMore: usedBy.is_more }, 'client', 'clients')
}

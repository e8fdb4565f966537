/** A change with its administrator, its time, and the values before and after. */
import type { ReactNode } from 'react'
import type { AuditRow } from '#lib/admin/admin-ports.ts'
import { operationLabel } from '#lib/admin/changes/operation-labels.ts'
import type { FieldDifference } from '#lib/admin/configuration/compare-documents.ts'
import type { ChangeNames } from '#lib/admin/names.ts'
import { placeOf, requestTracePath } from '#lib/admin/page-paths.ts'
import { Differences } from '../_ui/differences.tsx'
import { Link } from '../_ui/link.tsx'
import { TimeAgo } from '../_ui/times.tsx'

type ChangeEntryProps = {
  readonly row: AuditRow
  readonly differences: readonly FieldDifference[]
  readonly names: ChangeNames
  readonly now: Date
  /** A button next to the change. */
  readonly action?: ReactNode
}

export function ChangeEntry({ row, differences, names, now, action }: ChangeEntryProps) {
  const href = names.isThere(row) ? placeOf(row) : null
  const target = names.target(row)
  return (
    <li className="change-entry">
      <div className="change-head">
        <div className="grow">
          <h2>
            {names.actor(row)} <span className="operation">{operationLabel(row)}</span>{' '}
            {href === null ? <span>{target}</span> : <Link href={href}>{target}</Link>}
          </h2>
          <p className="small muted facts-line dotted">
            <TimeAgo at={row.time} now={now} />
            <span>change {row.seq}</span>
            <Link className="mono" href={requestTracePath(row.requestId)}>
              {row.requestId}
            </Link>
          </p>
        </div>
        {action}
      </div>
      <Differences differences={differences} />
    </li>
  )
}

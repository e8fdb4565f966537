/** One change: who did what, when, and what stood before and after. */
import type { ReactNode } from 'react'
import type { AdminLists, AuditRow } from '#lib/admin/admin-ports.ts'
import type { FieldDifference } from '#lib/admin/configuration/compare-documents.ts'
import { Differences } from '../_ui/differences.tsx'
import { TimeAgo } from '../_ui/time-ago.tsx'
import { storyPath } from '../events/paths.ts'
import { operationLabel, placeOf } from './operation-labels.ts'

type ChangeEntryProps = {
  readonly row: AuditRow
  readonly differences: readonly FieldDifference[]
  readonly names: Awaited<ReturnType<AdminLists['namesOf']>>
  readonly now: Date
  /** A button beside it. */
  readonly action?: ReactNode
}

export function ChangeEntry({ row, differences, names, now, action }: ChangeEntryProps) {
  const person = (id: string) => names.get(id)?.name ?? names.get(id)?.username ?? id
  const href = placeOf(row)
  const target = targetOf(row, person)
  return (
    <li className="change-entry">
      <div className="change-head">
        <div className="grow">
          <h2>
            {row.actor === null ? 'The operator' : person(row.actor)}{' '}
            <span className="deed">{operationLabel(row)}</span>{' '}
            {href === null ? <span>{target}</span> : <a href={href}>{target}</a>}
          </h2>
          <p className="small muted facts-line dotted">
            <TimeAgo at={row.time} now={now} />
            <span>change {row.seq}</span>
            <a className="mono" href={storyPath(row.referenceId)}>
              {row.referenceId}
            </a>
          </p>
        </div>
        {action}
      </div>
      <Differences differences={differences} />
    </li>
  )
}

/** There is one configuration: it has no name. */
function targetOf({ targetKind, targetId }: AuditRow, person: (id: string) => string): string {
  if (targetKind === 'configuration') return ''
  return targetKind === 'user' ? person(targetId) : targetId
}

/** The columns of lists of messages. */
import type { DeliveryView } from '#lib/admin/mail/use-cases.ts'
import type { Column } from '../_ui/data-table.tsx'
import { TimeAgo } from '../_ui/times.tsx'
import { mailText } from './mail-words.ts'

/** The columns for the content of a message, its time, its state, and the last answer of the receiver. */
export function deliveryColumns(now: Date): readonly Column<DeliveryView>[] {
  return [
    { name: 'Content', cell: mailText },
    { name: 'Created', cell: ({ created_at: at }) => <TimeAgo at={at} now={now} /> },
    { name: 'State', cell: delivery => <State delivery={delivery} now={now} /> },
    {
      name: 'Last answer',
      cell: ({ last_answer: answer }) => answer ?? <span className="faint">none yet</span>,
    },
  ]
}

/** Whether an attempt begins or ends within a minute. */
export function isSoon({ next_attempt_at: at }: DeliveryView, now: Date): boolean {
  return at !== null && Date.parse(at) - now.getTime() <= 60_000
}

type StateProps = { readonly delivery: DeliveryView; readonly now: Date }

function State({ delivery, now }: StateProps) {
  const { state, attempts, next_attempt_at: nextAt, ended_at: endedAt } = delivery
  if (state === 'delivered')
    return (
      <span>
        <span className="state">Accepted</span> <TimeAgo at={endedAt} now={now} />
      </span>
    )
  const counted = attempts === 1 ? '1 attempt' : `${attempts} attempts`
  if (state === 'failed')
    return (
      <span>
        <span className="tag bad">Given up</span> after {counted}
      </span>
    )
  if (attempts === 0) return 'Waiting'
  return (
    <span>
      {counted}; next {isSoon(delivery, now) ? 'in a moment' : <TimeAgo at={nextAt} now={now} />}
    </span>
  )
}

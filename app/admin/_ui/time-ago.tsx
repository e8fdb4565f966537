/** A moment as people say it, with the exact one for those who point at it. */
import { timeAgo } from './time-words.ts'

type TimeAgoProps = { readonly at: Date | string | null; readonly now: Date; readonly never?: string }

export function TimeAgo({ at, now, never = 'never' }: TimeAgoProps) {
  if (at === null) return <span className="faint">{never}</span>
  const moment = new Date(at)
  return (
    <span className="when" title={`${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`}>
      {timeAgo(moment, now)}
      <span className="visually-hidden">{`, ${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`}</span>
    </span>
  )
}

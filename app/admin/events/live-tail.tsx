'use client'
/** A link to new events, above the list. The list itself does not change while it is read. */
import { useEffect, useState } from 'react'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'

const everyMs = 3000

type LiveTailProps = {
  /** The ID of the first event on the page; `null` for an empty list. */
  readonly newest: string | null
  /** The filter of the list, as a query. */
  readonly query: string
  readonly isFirstPage: boolean
}

export function LiveTail({ newest, query, isFirstPage }: LiveTailProps) {
  const [count, setCount] = useState(0)
  const isWatching = newest !== null && isFirstPage
  useEffect(() => {
    if (!isWatching) return
    const timer = setInterval(async () => {
      if (document.hidden) return
      const newer = await countNewer(query, newest)
      if (newer === 'ended') clearInterval(timer)
      else setCount(newer)
    }, everyMs)
    return () => clearInterval(timer)
  }, [isWatching, newest, query])
  if (!isWatching) return null
  return (
    <span className="small" aria-live="polite">
      {count > 0 && (
        // A plain link, so that the browser loads the page even if its address is the current one
        <a className="btn small" href={browserAddress(`/admin/events${query === '' ? '' : `?${query}`}`)}>
          {count === 1 ? 'Show 1 new event' : `Show ${count} new events`}
        </a>
      )}
    </span>
  )
}

/** Counts newer events. Returns `ended` if the session has ended or may not see events, and 0 after other failures. */
async function countNewer(query: string, newest: string): Promise<number | 'ended'> {
  const search = `${query === '' ? '' : `${query}&`}${new URLSearchParams({ newest })}`
  try {
    const response = await fetch(browserAddress(`/admin/tail?${search}`), { redirect: 'manual' })
    if (response.status === 403) return 'ended'
    return response.ok ? numberIn(await response.json()) : 0
  } catch {
    return 0
  }
}

function numberIn(answer: unknown): number {
  const isAnswer = typeof answer === 'object' && answer !== null && 'newer' in answer
  return isAnswer && typeof answer.newer === 'number' ? answer.newer : 0
}

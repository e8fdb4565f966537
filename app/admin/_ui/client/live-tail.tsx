'use client'

/** Asks now and then what came since, and offers it: a list that moves while it is read is of no use. */
import { useEffect, useState } from 'react'
import { z } from 'zod'

const everyMs = 3000
const answerSchema = z.object({ newer: z.number() })

type LiveTailProps = { readonly newest: string | null; readonly query: string; readonly isFirstPage: boolean }

export function LiveTail({ newest, query, isFirstPage }: LiveTailProps) {
  const [newer, setNewer] = useState(0)
  useEffect(() => {
    if (newest === null || !isFirstPage) return
    const timer = setInterval(async () => {
      const response = await fetch(`/admin/tail?${query}&newest=${encodeURIComponent(newest)}`).catch(
        () => null,
      )
      // Whoever is signed out, or may not look any more, is not asked about again and again
      if (response?.status === 403) clearInterval(timer)
      if (response?.ok !== true) return
      const answer = answerSchema.safeParse(await response.json())
      if (answer.success) setNewer(answer.data.newer)
    }, everyMs)
    return () => clearInterval(timer)
  }, [newest, query, isFirstPage])
  return (
    <span className="small" aria-live="polite">
      {newer > 0 && (
        <a className="btn small" href={`/admin/events${query === '' ? '' : `?${query}`}`}>
          {newer === 1 ? 'Show 1 new event' : `Show ${newer} new events`}
        </a>
      )}
    </span>
  )
}

/** What fits the letters typed so far, asked for a moment after the last of them. */
import { useEffect, useState } from 'react'
import { commandsFor } from './palette-commands.ts'
import { findOnServer, type Group } from './palette-results.ts'

const pauseMs = 120

export type Found = {
  readonly groups: readonly Group[]
  readonly state: 'waiting' | 'found' | 'failed'
}

type Answered = { readonly text: string; readonly groups: readonly Group[]; readonly isFailed: boolean }

/** The last answer stays until the next one is there. */
export function useFound(text: string): Found {
  const [answered, setAnswered] = useState<Answered | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(
      async () => {
        const groups = await findOnServer(text, stop.signal)
        if (stop.signal.aborted) return
        setAnswered({ text, groups: [...(groups ?? []), ...commandsFor(text)], isFailed: groups === null })
      },
      text === '' ? 0 : pauseMs,
    )
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [text])
  const isWaiting = answered?.text !== text
  return {
    groups: answered?.groups ?? nothing,
    state: isWaiting ? 'waiting' : answered.isFailed ? 'failed' : 'found',
  }
}

const nothing: readonly Group[] = []

/** What fits the letters typed so far, asked for a moment after the last of them. */
import { useEffect, useState } from 'react'
import { commandsFor } from './palette-commands.ts'
import { findOnServer, type Group } from './palette-results.ts'

const pauseMs = 120

export type Found = {
  readonly groups: readonly Group[]
  readonly state: 'waiting' | 'found' | 'failed'
}

/** The last answer stays until the next one is there. */
export function useFound(text: string): Found {
  const [found, setFound] = useState<Found>({ groups: [], state: 'waiting' })
  useEffect(() => {
    const stop = new AbortController()
    setFound(({ groups }) => ({ groups, state: 'waiting' }))
    const timer = setTimeout(
      async () => {
        const groups = await findOnServer(text, stop.signal)
        if (stop.signal.aborted) return
        setFound({
          groups: [...(groups ?? []), ...commandsFor(text)],
          state: groups === null ? 'failed' : 'found',
        })
      },
      text === '' ? 0 : pauseMs,
    )
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [text])
  return found
}

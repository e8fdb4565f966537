/** The results for the text so far, requested a moment after the last key. */
import { useEffect, useState } from 'react'
import { useCommands } from './commands.ts'
import { fetchResults, type PaletteGroup } from './results.ts'

const pauseMs = 120

export type Results = {
  readonly groups: readonly PaletteGroup[]
  readonly state: 'loading' | 'found' | 'failed'
}

type Answer = { readonly text: string; readonly groups: readonly PaletteGroup[]; readonly isFailed: boolean }

/** The last results stay until the next ones are there. */
export function useResults(text: string): Results {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const commandsFor = useCommands()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new theme asks for nothing again
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(
      async () => {
        const groups = await fetchResults(text, stop.signal)
        if (stop.signal.aborted) return
        setAnswer({ text, groups: [...(groups ?? []), ...commandsFor(text)], isFailed: groups === null })
      },
      text === '' ? 0 : pauseMs,
    )
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [text])
  if (answer?.text !== text) return { groups: answer?.groups ?? [], state: 'loading' }
  return { groups: answer.groups, state: answer.isFailed ? 'failed' : 'found' }
}

/** The results and commands for the typed text, requested a moment after the last key. */

import { useEffect, useState } from 'react'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import type { SearchAnswer, SearchGroup } from '../../search/read-results.ts'
import { type ThemeChoice, useTheme } from '../theme.tsx'

const pauseMs = 120

export type Results = {
  readonly groups: readonly PaletteGroup[]
  readonly state: 'loading' | 'found' | 'failed'
  /** The reason why nothing was found, if the server knows it. */
  readonly reason: string | null
}

type Found = Pick<SearchAnswer, 'groups' | 'reason'>
type Answer = Pick<Results, 'groups' | 'reason'> & { readonly text: string; readonly isFailed: boolean }

/** Reads the results. The previous ones stay until the next ones arrive. */
export function useResults(text: string): Results {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const { setTheme } = useTheme()
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(
      async () => {
        const found = await fetchResults(text, stop.signal)
        if (stop.signal.aborted) return
        const groups = [...(found?.groups ?? []), ...commandsFor(text, setTheme)]
        setAnswer({ text, groups, reason: found?.reason ?? null, isFailed: found === null })
      },
      text === '' ? 0 : pauseMs,
    )
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [text, setTheme])
  if (answer?.text !== text) return { groups: answer?.groups ?? [], state: 'loading', reason: null }
  return { groups: answer.groups, state: answer.isFailed ? 'failed' : 'found', reason: answer.reason }
}

type Command = { readonly name: string; readonly note: string; readonly run: () => void }
export type PaletteEntry = SearchGroup['results'][number] | Command
export type PaletteGroup = { readonly heading: string; readonly results: readonly PaletteEntry[] }

/** Fetches results. Returns `null` without a successful response, such as after the end of the session. */
async function fetchResults(text: string, signal: AbortSignal): Promise<Found | null> {
  try {
    const query = new URLSearchParams({ q: text })
    const response = await fetch(browserAddress(`/admin/search/results?${query}`), {
      signal,
      redirect: 'manual',
    })
    if (!response.ok) return null
    const found: Found = await response.json()
    return found
  } catch {
    // For example, the request was aborted, or the connection broke
    return null
  }
}

/** The commands that match: every typed word is the beginning of a word of the command or of its note. */
function commandsFor(text: string, setTheme: ThemeChoice['setTheme']): readonly PaletteGroup[] {
  const commands: readonly Command[] = [
    { name: 'Use the light theme', note: 'Appearance', run: () => setTheme('light') },
    { name: 'Use the dark theme', note: 'Appearance', run: () => setTheme('dark') },
    { name: 'Use the theme of this device', note: 'Appearance', run: () => setTheme('system') },
    { name: 'Copy the discovery URL', note: 'For the configuration of a client', run: copyDiscoveryUrl },
  ]
  const typed = wordsIn(text)
  const results = commands.filter(({ name, note }) => {
    const words = wordsIn(`${name} ${note}`)
    return typed.every(start => words.some(word => word.startsWith(start)))
  })
  return results.length === 0 ? [] : [{ heading: 'Commands', results }]
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}

function copyDiscoveryUrl(): void {
  const url = new URL(browserAddress('/.well-known/openid-configuration'), location.href)
  void navigator.clipboard.writeText(url.href)
}

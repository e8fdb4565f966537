/** The results and commands for the text so far, requested a moment after the last key. */
import { useEffect, useState } from 'react'
import type { SearchGroup } from '../../search/read-results.ts'
import { type ThemeChoice, useTheme } from '../theme.tsx'

const pauseMs = 120

export type Results = {
  readonly groups: readonly PaletteGroup[]
  readonly state: 'loading' | 'found' | 'failed'
}

type Answer = { readonly text: string; readonly groups: readonly PaletteGroup[]; readonly isFailed: boolean }

/** The last results stay until the next ones are there. */
export function useResults(text: string): Results {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const { setTheme } = useTheme()
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(
      async () => {
        const groups = await fetchResults(text, stop.signal)
        if (stop.signal.aborted) return
        const commands = commandsFor(text, setTheme)
        setAnswer({ text, groups: [...(groups ?? []), ...commands], isFailed: groups === null })
      },
      text === '' ? 0 : pauseMs,
    )
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [text, setTheme])
  if (answer?.text !== text) return { groups: answer?.groups ?? [], state: 'loading' }
  return { groups: answer.groups, state: answer.isFailed ? 'failed' : 'found' }
}

export type PaletteEntry = { readonly name: string; readonly note: string } & (
  | { readonly kind: 'link'; readonly href: string }
  | { readonly kind: 'command'; readonly run: () => void }
)
export type PaletteGroup = { readonly heading: string; readonly entries: readonly PaletteEntry[] }

/** `null` when there is no answer: the session ended, or the server cannot be reached. */
async function fetchResults(text: string, signal: AbortSignal): Promise<readonly PaletteGroup[] | null> {
  try {
    const query = new URLSearchParams({ q: text })
    const response = await fetch(`/admin/search/results?${query}`, { signal, redirect: 'manual' })
    if (!response.ok) return null
    const { groups }: { readonly groups: readonly SearchGroup[] } = await response.json()
    return groups.map(({ heading, results }) => ({
      heading,
      entries: results.map(result => ({ kind: 'link', ...result })),
    }))
  } catch {
    // It was aborted, or the connection broke
    return null
  }
}

/** Every word typed begins a word of the command. */
function commandsFor(text: string, setTheme: ThemeChoice['setTheme']): readonly PaletteGroup[] {
  const commands: readonly PaletteEntry[] = [
    command('Use the light theme', 'Appearance', () => setTheme('light')),
    command('Use the dark theme', 'Appearance', () => setTheme('dark')),
    command('Use the theme of this device', 'Appearance', () => setTheme('system')),
    command('Copy the discovery URL', 'For the configuration of a client', () =>
      copy('/.well-known/openid-configuration'),
    ),
  ]
  const typed = wordsIn(text)
  const entries = commands.filter(({ name, note }) => {
    const words = wordsIn(`${name} ${note}`)
    return typed.every(start => words.some(word => word.startsWith(start)))
  })
  return entries.length === 0 ? [] : [{ heading: 'Commands', entries }]
}

function command(name: string, note: string, run: () => void): PaletteEntry {
  return { kind: 'command', name, note, run }
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}

function copy(path: string): void {
  void navigator.clipboard.writeText(new URL(path, location.href).href)
}

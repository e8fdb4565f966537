/** What the palette can do by itself, without going anywhere. */
import type { Entry, Group } from './palette-results.ts'
import { showTheme } from './theme.ts'

const commands: readonly Entry[] = [
  command('Use the light theme', 'Appearance', () => showTheme('light')),
  command('Use the dark theme', 'Appearance', () => showTheme('dark')),
  command('Use the theme of this device', 'Appearance', () => showTheme('system')),
  command('Copy the discovery address', 'What apps are configured with', () =>
    copy('/.well-known/openid-configuration'),
  ),
]

/** Those of which every word typed begins a word. */
export function commandsFor(text: string): readonly Group[] {
  const typed = wordsIn(text)
  const entries = commands.filter(({ title, note }) => {
    const words = wordsIn(`${title} ${note}`)
    return typed.every(start => words.some(word => word.startsWith(start)))
  })
  return entries.length === 0 ? [] : [{ heading: 'Here', entries }]
}

function command(title: string, note: string, run: () => void): Entry {
  return { kind: 'command', title, note, run }
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}

function copy(path: string): void {
  void navigator.clipboard.writeText(new URL(path, location.href).href)
}

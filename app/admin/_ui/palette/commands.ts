/** Commands of the palette that lead to no page. */
import { useTheme } from '../theme.tsx'
import type { PaletteEntry, PaletteGroup } from './results.ts'

/** Returns the commands for a text: every word typed begins one of their words. */
export function useCommands(): (text: string) => readonly PaletteGroup[] {
  const { setTheme } = useTheme()
  const commands: readonly PaletteEntry[] = [
    command('Use the light theme', 'Appearance', () => setTheme('light')),
    command('Use the dark theme', 'Appearance', () => setTheme('dark')),
    command('Use the theme of this device', 'Appearance', () => setTheme('system')),
    command('Copy the discovery URL', 'For the configuration of a client', () =>
      copy('/.well-known/openid-configuration'),
    ),
  ]
  return text => {
    const typed = wordsIn(text)
    const entries = commands.filter(({ name, note }) => {
      const words = wordsIn(`${name} ${note}`)
      return typed.every(start => words.some(word => word.startsWith(start)))
    })
    return entries.length === 0 ? [] : [{ heading: 'Commands', entries }]
  }
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

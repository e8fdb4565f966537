/** The theme of pages: `system` follows the device. */
const themes = ['system', 'light', 'dark'] as const

export type Theme = (typeof themes)[number]

/** Reads a theme; `system` for any unknown value. */
export function readTheme(value: string | null | undefined): Theme {
  return themes.find(theme => theme === value) ?? 'system'
}

/** Light, dark, or as the device has it. A press posts; with script it shows at once. */
import type { AdminPage } from '../admin-page.ts'

const themes = [
  { value: 'system', name: 'System' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
] as const

export function ThemeSwitch({ page }: { readonly page: Pick<AdminPage, 'here' | 'theme'> }) {
  return (
    <form method="post" action="/admin/theme" data-themes="">
      <input type="hidden" name="back" value={page.here} />
      <fieldset className="theme-switch">
        <legend className="visually-hidden">Theme</legend>
        {themes.map(({ value, name }) => (
          <button key={value} type="submit" name="theme" value={value} aria-pressed={value === page.theme}>
            {name}
          </button>
        ))}
      </fieldset>
    </form>
  )
}

'use client'
/** Light, dark, or the setting of the device. Without script a press posts the form. */
import { usePathname, useSearchParams } from 'next/navigation'
import type { SubmitEvent } from 'react'
import type { Theme } from '#lib/protocol/theme.ts'
import { useTheme } from './theme.tsx'

const themes: readonly { readonly value: Theme; readonly name: string }[] = [
  { value: 'system', name: 'System' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
]

export function ThemeSwitch() {
  const { theme, setTheme } = useTheme()
  const [path, query] = [usePathname(), useSearchParams().toString()]
  const choose = (event: SubmitEvent) => {
    const { submitter } = event.nativeEvent
    const chosen = themes.find(({ value }) => submitter?.getAttribute('value') === value)
    if (chosen === undefined) return
    event.preventDefault()
    setTheme(chosen.value)
  }
  return (
    <form className="theme-form" method="post" action="/admin/theme" onSubmit={choose}>
      <input type="hidden" name="back" value={query === '' ? path : `${path}?${query}`} />
      <fieldset className="theme-switch">
        <legend className="visually-hidden">Theme</legend>
        {themes.map(({ value, name }) => (
          <button key={value} type="submit" name="theme" value={value} aria-pressed={value === theme}>
            {name}
          </button>
        ))}
      </fieldset>
    </form>
  )
}

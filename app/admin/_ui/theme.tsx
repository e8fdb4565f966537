'use client'
/** The theme of the dashboard. A choice takes effect immediately, and the server stores it in a cookie. */
import { usePathname, useSearchParams } from 'next/navigation'
import { createContext, type ReactNode, type SubmitEvent, useCallback, useContext, useState } from 'react'
import type { Theme } from '#lib/protocol/theme.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'

export type ThemeChoice = { readonly theme: Theme; readonly setTheme: (theme: Theme) => void }

const ThemeContext = createContext<ThemeChoice>({ theme: 'system', setTheme: () => {} })

export function useTheme(): ThemeChoice {
  return useContext(ThemeContext)
}

export function ThemeProvider({ first, children }: { readonly first: Theme; readonly children: ReactNode }) {
  const [theme, show] = useState(first)
  const setTheme = useCallback((chosen: Theme) => {
    show(chosen)
    if (chosen === 'system') document.documentElement.removeAttribute('data-theme')
    else document.documentElement.setAttribute('data-theme', chosen)
    rememberTheme(chosen)
  }, [])
  return <ThemeContext value={{ theme, setTheme }}>{children}</ThemeContext>
}

/** Stores the theme. A failure is not reported. */
function rememberTheme(theme: Theme): void {
  const body = new URLSearchParams({ theme })
  void fetch(browserAddress('/admin/theme'), { method: 'POST', body, redirect: 'manual' }).catch(() => null)
}

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
    <form className="theme-form" method="post" action={browserAddress('/admin/theme')} onSubmit={choose}>
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

'use client'
/** The theme of the dashboard: changed at once, and remembered by the server. */
import { createContext, type ReactNode, useContext, useState } from 'react'
import type { Theme } from '#lib/protocol/theme.ts'

type ThemeChoice = { readonly theme: Theme; readonly setTheme: (theme: Theme) => void }

const ThemeContext = createContext<ThemeChoice>({ theme: 'system', setTheme: () => {} })

export function useTheme(): ThemeChoice {
  return useContext(ThemeContext)
}

export function ThemeProvider({ first, children }: { readonly first: Theme; readonly children: ReactNode }) {
  const [theme, show] = useState(first)
  const setTheme = (chosen: Theme) => {
    show(chosen)
    if (chosen === 'system') document.documentElement.removeAttribute('data-theme')
    else document.documentElement.setAttribute('data-theme', chosen)
    rememberTheme(chosen)
  }
  return <ThemeContext value={{ theme, setTheme }}>{children}</ThemeContext>
}

/** If this fails, the next page has the old theme: no message is needed. */
function rememberTheme(theme: Theme): void {
  const body = new URLSearchParams({ theme })
  void fetch('/admin/theme', { method: 'POST', body, redirect: 'manual' }).catch(() => null)
}

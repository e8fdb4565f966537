'use client'
/** The search box of the navigation. A press on it opens the palette; without script the Enter key sends it. */
import { openPalette } from './palette.tsx'

const name = 'Find a client, user, scope or request ID'

export function SearchBox() {
  return (
    <search>
      <form className="admin-find" method="get" action="/admin/search">
        <input
          className="input small"
          type="search"
          name="q"
          id="admin-search"
          aria-label={name}
          title={`${name} (Ctrl K or /)`}
          placeholder="Find…"
          maxLength={200}
          enterKeyHint="go"
          autoCapitalize="none"
          spellCheck={false}
          aria-keyshortcuts="Control+K Meta+K /"
          onClick={event => moveToPalette(event.currentTarget)}
          onKeyDown={event => event.key === 'ArrowDown' && moveToPalette(event.currentTarget)}
        />
      </form>
    </search>
  )
}

/** What was typed goes on in the palette. */
function moveToPalette(box: HTMLInputElement): void {
  openPalette(box.value)
  box.value = ''
}

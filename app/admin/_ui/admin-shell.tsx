/** The document of every page of the dashboard: slim navigation, one column, and what the last form left behind. */
import type { ReactNode } from 'react'
import { Notice } from '#app/_ui/notice.tsx'
import { KeyMark } from '#lib/pages/key-mark.tsx'
import type { AdminPage } from '../admin-page.ts'
import { roleNames } from '../role-names.ts'
import { areasOf, isInArea } from './areas.ts'
import { ThemeSwitch } from './theme-switch.tsx'

type AdminShellProps = {
  readonly page: AdminPage
  /** The tab's title, without the site's name. */
  readonly title: string
  readonly children: ReactNode
}

export function AdminShell({ page, title, children }: AdminShellProps) {
  const isRejected = (page.draft?.errors.length ?? 0) > 0
  return (
    <html lang="en" dir="ltr" data-theme={page.theme === 'system' ? undefined : page.theme}>
      <body className="admin">
        <title>{`${isRejected ? 'Error: ' : ''}${title} · ${page.siteName}`}</title>
        <a className="skip" href="#main">
          Skip to the content
        </a>
        <Navigation page={page} />
        <main id="main" className="admin-main" tabIndex={-1}>
          {page.done !== null && page.done !== '' && <Notice kind="good">{page.done}</Notice>}
          {children}
        </main>
        <script src="/enhance.js" nonce={page.nonce} defer />
        <script src="/admin.js" nonce={page.nonce} defer />
      </body>
    </html>
  )
}

/** On a phone it folds away behind one box to tick, which needs no script; only finding stays in sight. */
function Navigation({ page }: { readonly page: AdminPage }) {
  return (
    <header className="admin-side">
      <a className="brand admin-brand" href="/admin">
        <KeyMark size={20} />
        <span className="brand-name">{page.siteName}</span>
      </a>
      <Find />
      <input type="checkbox" id="menu" className="menu-switch visually-hidden" aria-label="Show the menu" />
      <label htmlFor="menu" className="btn small menu-label" aria-hidden="true">
        Menu
      </label>
      <div className="admin-menu">
        <nav aria-label="Dashboard">
          <ul className="list">
            {areasOf(page.actor.role).map(({ name, path }) => (
              <li key={path}>
                <a href={path} aria-current={isInArea(page.path, path) ? 'page' : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <ThemeSwitch page={page} />
        <WhoIsHere page={page} />
      </div>
    </header>
  )
}

/** One box for everything, in the same place on every page; sent by the Enter key. A press opens the palette. */
function Find() {
  const name = 'Find a client, person, scope or reference'
  return (
    <search>
      <form className="admin-find" method="get" action="/admin/search">
        <input
          className="input small"
          type="search"
          name="q"
          aria-label={name}
          title={`${name} (Ctrl K)`}
          placeholder="Find…"
          maxLength={200}
          enterKeyHint="go"
          autoCapitalize="none"
          spellCheck={false}
          aria-keyshortcuts="Control+K Meta+K"
          data-palette=""
        />
      </form>
    </search>
  )
}

function WhoIsHere({ page }: { readonly page: AdminPage }) {
  return (
    <form className="admin-who" method="post" action="/admin/sign-out">
      <p className="small">
        <span className="strong">{page.actorName}</span>
        <span className="faint block">{roleNames[page.actor.role].name}</span>
      </p>
      <button type="submit" className="btn small">
        Sign out
      </button>
    </form>
  )
}

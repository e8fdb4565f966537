'use client'
/** The navigation of the dashboard. On a narrow screen it folds behind a check box, which works without script. */
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import type { Area } from './areas.ts'
import { isInArea } from './is-in-area.ts'
import { Link } from './link.tsx'
import { SearchBox } from './palette/palette.tsx'
import { ThemeSwitch } from './theme.tsx'

type NavigationProps = {
  readonly areas: readonly Pick<Area, 'name' | 'path'>[]
  readonly siteName: string
  /** The signed-in admin. */
  readonly admin: { readonly name: string; readonly role: string }
  readonly logo: ReactNode
}

export function Navigation({ areas, siteName, admin, logo }: NavigationProps) {
  const path = usePathname()
  return (
    <header className="admin-side">
      <Link className="brand admin-brand" href="/admin">
        {logo}
        <span className="brand-name">{siteName}</span>
      </Link>
      <SearchBox />
      {/* The key folds the menu again on each page */}
      <input
        key={path}
        type="checkbox"
        id="menu"
        className="menu-switch visually-hidden"
        aria-label="Show the menu"
      />
      <label htmlFor="menu" className="btn small menu-label" aria-hidden="true">
        Menu
      </label>
      <div className="admin-menu">
        <nav aria-label="Dashboard">
          <ul className="list">
            {areas.map(area => (
              <li key={area.path}>
                <Link href={area.path} aria-current={isInArea(path, area.path) ? 'page' : undefined}>
                  {area.name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <ThemeSwitch />
        <form className="admin-who" method="post" action={browserAddress('/admin/sign-out')}>
          <p className="small">
            <span className="strong">{admin.name}</span>
            <span className="faint block">{admin.role}</span>
          </p>
          <button type="submit" className="btn small">
            Sign out
          </button>
        </form>
      </div>
    </header>
  )
}

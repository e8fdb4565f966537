/** The parts of one thing, each with an address of its own. */
import { Link } from './link.tsx'

export type Tab = { readonly name: string; readonly href: string; readonly isCurrent: boolean }

export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav aria-label={label}>
      <ul className="list tabs">
        {tabs.map(({ name, href, isCurrent }) => (
          <li key={href}>
            <Link href={href} aria-current={isCurrent ? 'page' : undefined}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The results of a search, in groups. */
import { Link } from '../_ui/link.tsx'
import type { SearchGroup } from './read-results.ts'

export function SearchResults({ groups }: { readonly groups: readonly SearchGroup[] }) {
  return groups.map(({ heading, results }) => (
    <section className="sheet" key={heading}>
      <h2>{heading}</h2>
      <ul className="list found">
        {results.map(({ name, href, note }) => (
          <li key={`${href} ${name}`}>
            <Link href={href}>{name}</Link>
            <span className="small muted">{note}</span>
          </li>
        ))}
      </ul>
    </section>
  ))
}

/** What was found, group by group. The palette reads the very same list. */
export type ResultGroup = {
  readonly heading: string
  readonly results: ReadonlyArray<{ readonly name: string; readonly href: string; readonly note: string }>
}

export function SearchResults({ groups }: { readonly groups: readonly ResultGroup[] }) {
  return groups.map(({ heading, results }) => (
    <section className="sheet" key={heading} data-found="">
      <h2>{heading}</h2>
      <ul className="list found">
        {results.map(({ name, href, note }) => (
          <li key={`${href} ${name}`}>
            <a href={href}>{name}</a>
            <span className="small muted" data-note="">
              {note}
            </span>
          </li>
        ))}
      </ul>
    </section>
  ))
}

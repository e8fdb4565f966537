/** Whose sessions are shown, how to find somebody else's, and how to see everybody's again. */
import { FilterBar } from '../_ui/filter-bar.tsx'
import { Link } from '../_ui/link.tsx'
import type { AdminPage } from '../admin-page.ts'
import { clientPath, userPath } from '../resource/paths.ts'
import type { Asked, Named } from './asked.ts'
import { sessionsPath, sessionsQuery, sessionsRoot } from './paths.ts'

export function ListFilter({ page, asked }: { readonly page: AdminPage; readonly asked: Asked }) {
  const { show, person, app, search } = asked
  const of = { show, sub: person?.id ?? null, clientId: app?.id ?? null }
  const maySeePeople = page.reasonAgainst('users:read') === null
  return (
    <>
      <FilterBar
        path={sessionsRoot}
        query={search === null ? {} : { q: search.text }}
        search={maySeePeople ? 'Search by person (name, e-mail, id) or app' : 'Search by app'}
        filters={[]}
        kept={sessionsQuery(of)}
      />
      {(person !== null || app !== null) && (
        <div className="facts-line">
          {person !== null && (
            <Only
              word="Of"
              named={person}
              href={maySeePeople ? userPath(person.id) : null}
              all={['Show everybody’s', sessionsPath({ ...of, sub: null })]}
            />
          )}
          {app !== null && (
            <Only
              word="In"
              named={app}
              href={clientPath(app.id)}
              all={['Show every app’s', sessionsPath({ ...of, clientId: null })]}
            />
          )}
        </div>
      )}
    </>
  )
}

type OnlyProps = {
  readonly word: string
  readonly named: Named
  /** Its own page; `null` for who may not open it. */
  readonly href: string | null
  readonly all: readonly [text: string, href: string]
}

function Only({ word, named: { id, name, isKnown }, href, all: [text, everything] }: OnlyProps) {
  return (
    <>
      <span>
        <span className="muted">{word}</span>{' '}
        {href !== null && isKnown ? <Link href={href}>{name}</Link> : <span className="strong">{name}</span>}
        {name !== id && <span className="mono small faint"> {id}</span>}
      </span>
      <Link className="btn plain small" href={everything}>
        {text}
      </Link>
    </>
  )
}

/** Whom the typed text may mean: several, to choose from, or nobody, and then what else to try. */
import { adminList } from '#lib/config/limits.ts'
import { EmptyState } from '../_ui/empty-state.tsx'
import { Link } from '../_ui/link.tsx'
import type { AdminPage } from '../admin-page.ts'
import { SearchResults } from '../search/search-results.tsx'
import { type Asked, listFilterOf } from './asked.ts'
import { sessionsPath } from './paths.ts'

type ChoicesProps = {
  readonly page: AdminPage
  readonly asked: Asked
  readonly search: NonNullable<Asked['search']>
}

export function Choices({ page, asked, search: { text, places } }: ChoicesProps) {
  if (places.length === 0) return <Nobody page={page} asked={asked} text={text} />
  const groups = [
    { heading: 'People', found: places.filter(({ kind }) => kind === 'user') },
    { heading: 'Apps', found: places.filter(({ kind }) => kind === 'client') },
  ].map(({ heading, found }) => ({
    heading,
    isCut: found.length === adminList.found,
    results: found.map(place => ({ name: place.name, href: listFilterOf(place, asked), note: place.note })),
  }))
  return (
    <>
      <p>Several begin so. Whose do you want to see?</p>
      <SearchResults groups={groups.filter(({ results }) => results.length > 0)} />
      {groups.some(({ isCut }) => isCut) && (
        <p className="small muted">These are the first {adminList.found}. More letters find fewer.</p>
      )}
    </>
  )
}

type NobodyProps = Pick<ChoicesProps, 'page' | 'asked'> & { readonly text: string }

function Nobody({ page, asked: { show }, text }: NobodyProps) {
  const maySeePeople = page.reasonAgainst('users:read') === null
  const all = (
    <Link className="btn" href={sessionsPath({ show })}>
      Show everything
    </Link>
  )
  return (
    <EmptyState title={`${maySeePeople ? 'Nobody and no app' : 'No app'} begins with “${text}”`} action={all}>
      {maySeePeople
        ? 'The search finds the beginnings of user names, names, e-mail addresses and app names, and whole ids. Try fewer letters.'
        : 'The search finds the beginnings of app names, and client ids. Your role looks for apps; people are found by user support.'}
    </EmptyState>
  )
}

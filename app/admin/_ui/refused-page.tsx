/** Instead of a page: what is the matter, and where to go from here. */
import type { ReactNode } from 'react'
import type { AdminPage, PageRefusal } from '../admin-page.ts'
import { roleNames } from '../role-names.ts'
import { AdminShell } from './admin-shell.tsx'
import { type Area, areasOf, isInArea } from './areas.ts'
import { Link } from './link.tsx'
import { PageHeader } from './page-header.tsx'

export function RefusedPage({ refusal }: { readonly refusal: PageRefusal }) {
  const { page, why } = refusal
  const area = areasOf(page.actor.role).findLast(({ path }) => isInArea(page.path, path))
  const { title, text } = wordsFor(refusal, area)
  return (
    <AdminShell page={page} title={title}>
      <PageHeader
        title={title}
        {...(area === undefined ? {} : { back: { name: area.name, href: area.path } })}
      />
      <section className="sheet">
        <p>{text}</p>
        <WaysOn area={area} isThing={why === 'thing'} />
        <p className="small muted">
          Reference <span className="reference">{page.context.referenceId}</span>
        </p>
      </section>
    </AdminShell>
  )
}

type Words = { readonly title: string; readonly text: ReactNode }

function wordsFor({ why, page, description }: PageRefusal, area: Area | undefined): Words {
  if (why === 'role') return { title: 'Not for your role', text: roleText(page, description) }
  const thing = why === 'thing' ? things[area?.path ?? ''] : undefined
  return thing ?? { title: 'Nothing here', text: 'Nothing in the dashboard has this address.' }
}

function roleText({ actor }: AdminPage, whoMay: string | null): string {
  const who = `You are here as ${roleNames[actor.role].asPhrase}.`
  return `${who} ${whoMay ?? 'Your role does not allow this.'} An owner can give you another role.`
}

const gone = 'It may have been deleted, or the address may be mistyped.'

const things: Readonly<Record<string, Words>> = {
  '/admin/clients': { title: 'There is no such client', text: gone },
  '/admin/users': { title: 'There is no such person', text: gone },
  '/admin/scopes': { title: 'There is no such scope', text: gone },
  '/admin/providers': { title: 'There is no such identity provider', text: gone },
  '/admin/administrators': {
    title: 'This is no administrator',
    text: 'Their role may have been taken away, or the address may be mistyped.',
  },
  '/admin/events': {
    title: 'There is no such trace',
    text: 'No request has this reference, or its events are no longer kept. Compare each letter with the error page.',
  },
}

/** Those whose deleted ones are listed and can come back. */
const restorable: ReadonlySet<string> = new Set(['/admin/clients', '/admin/scopes', '/admin/providers'])

function WaysOn({ area, isThing }: { readonly area: Area | undefined; readonly isThing: boolean }) {
  return (
    <>
      <search>
        <form className="filter-bar" method="get" action="/admin/search">
          <input
            className="input small grow"
            type="search"
            name="q"
            aria-label="Search the dashboard"
            placeholder="Client, person, scope or reference"
            maxLength={200}
          />
          <button type="submit" className="btn small">
            Search
          </button>
        </form>
      </search>
      <div className="admin-actions">
        <Link className="btn primary" href={area?.path ?? '/admin'}>
          Back to {area?.name ?? 'the overview'}
        </Link>
        {isThing && area !== undefined && restorable.has(area.path) && (
          <Link className="btn" href={`${area.path}/deleted`}>
            See what was deleted
          </Link>
        )}
      </div>
    </>
  )
}

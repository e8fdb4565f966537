/**
 * Shown in place of a page or object that does not exist or that the role may not see, with the reason and links to other
 * pages.
 */
import type { ReactNode } from 'react'
import type { AdminPage, PageRefusal } from '../admin-page.tsx'
import { noEventText } from '../events/no-event.ts'
import { roleNames } from '../role-names.ts'
import { type Area, areasOf } from './areas.ts'
import { FilterBar } from './filter-bar.tsx'
import { isInArea } from './is-in-area.ts'
import { Link } from './link.tsx'
import { AdminShell } from './page-parts.tsx'

export function RefusedPage({ refusal }: { readonly refusal: PageRefusal }) {
  const { page, kind } = refusal
  const area = areasOf(page.actor.role).findLast(({ path }) => isInArea(page.path, path))
  const { title, text } = wordsFor(refusal, area)
  return (
    <AdminShell page={page} title={title} back={area && { name: area.name, href: area.path }}>
      <section className="sheet">
        <p>{text}</p>
        <NextSteps area={area} isObject={kind === 'unknown_object'} />
        <p className="small muted">
          Request ID <span className="reference">{page.context.requestId}</span>
        </p>
      </section>
    </AdminShell>
  )
}

type Words = { readonly title: string; readonly text: ReactNode }

function wordsFor({ kind, page, description }: PageRefusal, area: Area | undefined): Words {
  if (kind === 'forbidden') return { title: 'Access denied', text: roleText(page, description) }
  const object = kind === 'unknown_object' ? objects[area?.path ?? ''] : undefined
  return object ?? { title: 'Page not found', text: 'The dashboard has no such page.' }
}

function roleText({ actor }: AdminPage, whoMay: string): string {
  const who = `You are signed in as ${roleNames[actor.role].asPhrase}.`
  return `${who} ${whoMay} An owner can change your role.`
}

const gone = 'It may have been deleted, or the address may be mistyped.'

const objects: Readonly<Record<string, Words>> = {
  '/admin/clients': { title: 'Client not found', text: gone },
  '/admin/users': { title: 'User not found', text: gone },
  '/admin/scopes': { title: 'Scope not found', text: gone },
  '/admin/providers': { title: 'Identity provider not found', text: gone },
  '/admin/administrators': {
    title: 'Not an administrator',
    text: 'The role may have been removed, or the address may be mistyped.',
  },
  '/admin/events': {
    title: 'Request not found',
    text: `${noEventText} The ID may also be mistyped.`,
  },
}

/** Areas that have a list of deleted objects. */
const restorable: ReadonlySet<string> = new Set(['/admin/clients', '/admin/scopes', '/admin/providers'])

function NextSteps({ area, isObject }: { readonly area: Area | undefined; readonly isObject: boolean }) {
  return (
    <>
      <FilterBar path="/admin/search" query={{}} search="Client, user, scope or request ID" filters={[]} />
      <div className="admin-actions">
        <Link className="btn primary" href={area?.path ?? '/admin'}>
          Back to {area?.name ?? 'the overview'}
        </Link>
        {isObject && area !== undefined && restorable.has(area.path) && (
          <Link className="btn" href={`${area.path}/deleted`}>
            View deleted
          </Link>
        )}
      </div>
    </>
  )
}

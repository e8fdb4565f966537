/** Instead of a page that does not exist or that the role may not see: why, and where to go. */
import type { ReactNode } from 'react'
import { readPageRequest } from '#app/_ui/page-request.ts'
import { setPageStatus } from '#lib/server/host/page-outcome.ts'
import { type AdminPage, isPageRefusal, type PageRefusal } from '../admin-page.ts'
import { roleNames } from '../role-names.ts'
import { type Area, areasOf, isInArea } from './areas.ts'
import { FilterBar } from './filter-bar.tsx'
import { Link } from './link.tsx'
import { AdminShell, PageHeader } from './page-parts.tsx'

type Drawing<I> = (input: I) => Promise<ReactNode>

/** Wraps every page of the dashboard: a refusal is shown in its layout with the right status. Redirects and failures pass through. */
export function withAdminErrors<I>(draw: Drawing<I>): Drawing<I> {
  return async input => {
    try {
      return await draw(input)
    } catch (error) {
      if (!isPageRefusal(error)) throw error
      return refusalPage(error)
    }
  }
}

/**
 * NOTE: if a page calls `notFound()` or `forbidden()`, Next sends an empty document and draws the file of that name by script.
 * So the page is drawn here, and the server gets its status by the request ID.
 */
async function refusalPage(refusal: PageRefusal): Promise<ReactNode> {
  const { context } = await readPageRequest()
  setPageStatus(context.requestId, refusal.kind === 'forbidden' ? 403 : 404)
  return <RefusedPage refusal={refusal} />
}

function RefusedPage({ refusal }: { readonly refusal: PageRefusal }) {
  const { page, kind } = refusal
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

function roleText({ actor }: AdminPage, whoMay: string | null): string {
  const who = `You are signed in as ${roleNames[actor.role].asPhrase}.`
  return `${who} ${whoMay ?? 'Your role does not allow this.'} An owner can change your role.`
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
    text: 'No events are stored for this request ID. Check it for typing errors; events are deleted after some time.',
  },
}

/** Areas with a list of deleted objects. */
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

/** What the address of the sessions asks for: which list, of whom, in which app, or for whom it looks. */
import { redirect } from 'next/navigation'
import { adminClientId } from '#lib/admin/access/built-in.ts'
import { find, onlyPlace, type Place } from '#lib/admin/find/find.ts'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPage } from '../admin-page.ts'
import { type Showing, sessionsPath, showings } from './paths.ts'

/** A person or an app. `isKnown`: it has a page, and may lose what it holds; the dashboard itself has none. */
export type Named = { readonly id: string; readonly name: string; readonly isKnown: boolean }

export type Asked = {
  readonly show: Showing
  readonly person: Named | null
  readonly app: Named | null
  readonly after: string | undefined
  /** What was typed into the search and may mean these, or nothing; `null`: nothing was typed. */
  readonly search: { readonly text: string; readonly places: readonly Place[] } | null
}

/** Whoever can be meant alone by what was typed becomes the filter: the address then says whom. */
export async function readAsked(page: AdminPage): Promise<Asked> {
  const { show: wanted, sub, client_id: clientId, after, q = '' } = page.query
  const show = showings.find(showing => showing === wanted) ?? 'sessions'
  const [person, app] = await Promise.all([
    readPerson(page, sub),
    show === 'sessions' ? null : readApp(page, clientId),
  ])
  const asked = { show, person, app, after }
  const text = q.trim()
  if (text === '') return { ...asked, search: null }
  const places = await findOwners(page, text)
  const only = onlyPlace(places)
  if (only !== null) redirect(listFilterOf(only, asked))
  return { ...asked, search: { text, places } }
}

type Filters = Pick<Asked, 'show' | 'person' | 'app'>

/** The same with this person or app. An app has no sessions: what it may do is shown. */
export function listFilterOf(
  { kind, id }: Pick<Place, 'kind' | 'id'>,
  { show, person, app }: Filters,
): string {
  if (kind === 'user') return sessionsPath({ show, sub: id, clientId: app?.id ?? null })
  return sessionsPath({
    show: show === 'sessions' ? 'access' : show,
    sub: person?.id ?? null,
    clientId: id,
  })
}

/** People are found only by who may look for people. */
async function findOwners({ ports, actor, now }: AdminPage, text: string): Promise<readonly Place[]> {
  const places = await find(ports, { role: actor.role, text, now })
  return places.filter(({ kind }) => kind === 'user' || kind === 'client')
}

async function readPerson({ ports }: AdminPage, text: string | undefined): Promise<Named | null> {
  const subject = subjectIdSchema.safeParse(text).data
  if (subject === undefined) return null
  const found = (await ports.adminLists.namesOf([subject])).get(subject)
  return { id: subject, name: found?.name ?? found?.username ?? subject, isKnown: found !== undefined }
}

async function readApp({ ports }: AdminPage, text: string | undefined): Promise<Named | null> {
  const clientId = clientIdSchema.safeParse(text).data
  if (clientId === undefined) return null
  const found = await ports.clients.find(clientId)
  return {
    id: clientId,
    name: found?.client.clientName ?? clientId,
    isKnown: found !== null && clientId !== adminClientId,
  }
}

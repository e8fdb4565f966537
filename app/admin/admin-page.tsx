/** The pages of the dashboard: their request, the check of the permission, calls of use cases, and refusals. */

import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache, type ReactNode } from 'react'
import {
  currentAdminSession,
  type OneTimeResult,
  pageStateParameters,
  type RejectedForm,
  readRejectedForm,
  type SignedInAdmin,
  takeOneTimeResult,
} from '#lib/admin/access/admin-session.ts'
import { may, type Permission, permissionSentence } from '#lib/admin/access/permissions.ts'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import { namesIn } from '#lib/admin/names.ts'
import { nameInSegment } from '#lib/admin/page-paths.ts'
import { type Actor, recordRefusal, recordUnknownPage, type UseCase } from '#lib/admin/use-case.ts'
import { findUseCase } from '#lib/admin/use-cases.ts'
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import { type Cookies, readCookies } from '#lib/http/cookies.ts'
import { hasStampingHost, requestContext } from '#lib/http/request-context.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { setPageStatus } from '#lib/server/host/page-outcome.ts'
import { openServices, type Services } from '#lib/server/services.ts'
import { areas } from './_ui/areas.ts'
import { isInArea } from './_ui/is-in-area.ts'
import { RefusedPage } from './_ui/refused-page.tsx'
import { signInPath } from './sign-in/sign-in-path.ts'

export type AdminPage = {
  readonly ports: AdminPorts
  readonly actor: Actor
  /** The ID of the browser session in which the admin signed in. */
  readonly sessionId: string
  readonly query: Query
  /** The path and query of this page, without `pageStateParameters`. */
  readonly here: string
  readonly path: string
  readonly issuer: string
  readonly siteName: string
  readonly context: RequestContext
  readonly now: Date
  /** The rejected input of a form on this page. */
  readonly rejectedForm: RejectedForm | null
  /** A result that is shown only once. */
  readonly oneTimeResult: OneTimeResult | null
  /** The success message of the last form. */
  readonly done: string | null
  /** Returns `null` if this admin has the permission, and otherwise a sentence with the roles that have it. */
  readonly reasonAgainst: (permission: Permission) => string | null
}

/**
 * Prepares a page for an admin with the permission (AD-01). Without a session it redirects to the sign-in, which returns to this
 * address. A missing permission is recorded as an event and refused with 403.
 */
export async function requireAdminPage(
  permission: Permission,
  path: string,
  input: PageInput,
): Promise<AdminPage> {
  const [query, { services, context }, admin] = await Promise.all([
    readQuery(input),
    readPageRequest(),
    readAdmin(),
  ])
  const here = addressOf(path, query)
  if (admin === null) redirect(signInPath(here))
  const { actor, session } = admin
  const { admin: ports, config } = services
  const page: AdminPage = {
    ports,
    actor,
    path,
    here,
    query,
    context,
    sessionId: session.sessionId,
    issuer: config.issuer,
    siteName: config.siteName,
    now: ports.clock.now(),
    rejectedForm: null,
    oneTimeResult: null,
    done: null,
    reasonAgainst: wanted => (may(actor.role, wanted) ? null : permissionSentence(wanted)),
  }
  const reason = page.reasonAgainst(permission)
  if (reason !== null) {
    recordRefusal(ports, page, { permission })
    throw new PageRefusal('forbidden', page, reason)
  }
  return {
    ...page,
    rejectedForm: await readRejectedForm(ports, session, query.rejected_form),
    oneTimeResult: await takeOneTimeResult(ports, session, query.one_time_result),
    done: query.done === undefined ? null : (findUseCase(query.done)?.done ?? null),
  }
}

/** The name to show for the admin. */
export async function nameOfAdmin(ports: AdminPorts, { subject }: Actor): Promise<string> {
  return (await namesIn(ports, [{ subject }])).user(subject)
}

/** The admin of this request; `null` without a session. It is read once per request. */
export const readAdmin = cache(async (): Promise<SignedInAdmin | null> => {
  const { services, cookies } = await readPageRequest()
  return currentAdminSession(services.admin, cookies)
})

/** The query without `pageStateParameters`. */
export function withoutPageState(query: Query): Query {
  const names: readonly string[] = pageStateParameters
  return Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)))
}

/** The query for the first page of a list. */
export function withoutPosition(query: Query): Query {
  const { after: _after, page: _page, ...kept } = withoutPageState(query)
  return kept
}

function addressOf(path: string, query: Query): string {
  const search = new URLSearchParams(withoutPageState(query)).toString()
  return search === '' ? path : `${path}?${search}`
}

/** Missing permission, an object that does not exist, or a page that does not exist. */
type RefusalKind = 'forbidden' | 'unknown_object' | 'unknown_page'

/** Thrown by pages, and shown as a page by `withAdminErrors`. */
export class PageRefusal extends OauthError {
  readonly kind: RefusalKind
  readonly page: AdminPage

  /** Refuses `page`. `sentence` is the reason, for example which roles have the permission. */
  constructor(kind: RefusalKind, page: AdminPage, sentence: string | null = null) {
    super(kind === 'forbidden' ? 'admin_not_allowed' : 'admin_target_unknown', {
      description: sentence,
    })
    this.kind = kind
    this.page = page
  }
}

function isPageRefusal(error: unknown): error is PageRefusal {
  return isOauthError(error) && 'page' in error
}

export type OutputOf<U> = U extends UseCase<never, infer O> ? O : never

/** Returns the value of a successful call of a use case. Otherwise it refuses the page: with 403 if the call is denied, or 404. */
export async function callUseCase<I, O>(page: AdminPage, useCase: UseCase<I, O>, input: I): Promise<O> {
  const result = await useCase.call(page.ports, input, { actor: page.actor, context: page.context })
  if (result.kind === 'ok') return result.value
  throw result.kind === 'denied'
    ? new PageRefusal('forbidden', page, result.reason)
    : new PageRefusal('unknown_object', page)
}

/** Removes empty values from the query: a filter left at "all" is sent as an empty text. */
export function withoutEmptyValues(query: Query): Query {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
}

type DetailInput = PageInput & { readonly params: Promise<{ readonly id: string }> }

/** The ID in the address. NOTE: Next does not decode the segment. */
async function idOf({ params }: Pick<DetailInput, 'params'>): Promise<string> {
  const { id } = await params
  try {
    return nameInSegment(decodeURIComponent(id))
  } catch (error) {
    if (error instanceof URIError) return id
    throw error
  }
}

/** The properties that Next passes to a page. */
export type PageInput = {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>
}
export type Query = Readonly<Record<string, string>>

export type PageRequest = {
  readonly services: Services
  readonly cookies: Cookies
  readonly cookieHeader: string | null
  readonly acceptLanguage: string | null
  readonly nonce: string | undefined
  readonly context: RequestContext
}

/**
 * The request of a page, read once for all components.
 * @throws if Next runs without this project's server, since pages would then have no content security policy
 */
export const readPageRequest = cache(async (): Promise<PageRequest> => {
  if (!hasStampingHost()) throw new Error('The dashboard needs the server that "npm start" starts.')
  const [received, wired] = await Promise.all([headers(), openServices()])
  const cookieHeader = received.get('cookie')
  return {
    services: wired,
    cookies: readCookies(cookieHeader, wired.config.issuer),
    cookieHeader,
    acceptLanguage: received.get('accept-language'),
    nonce: nonceOf(received.get('content-security-policy')),
    context: requestContext({ headers: received }),
  }
})

/** The query without repeated parameters: which one was meant is not known. */
export async function readQuery({ searchParams }: PageInput): Promise<Query> {
  const single = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  return Object.fromEntries(single)
}

function nonceOf(policy: string | null): string | undefined {
  return policy === null ? undefined : /'nonce-([A-Za-z0-9+/=_-]+)'/.exec(policy)?.[1]
}

/** The part of the address that is not user input. */
function areaOf(path: string): string {
  const area = areas.findLast(each => isInArea(path, each.path))?.path ?? '/admin'
  return area === path ? area : `${area}/…`
}

type Drawing<I> = (input: I) => Promise<ReactNode>

/**
 * Wraps a page of the dashboard: a `PageRefusal` becomes a page with the status 403 or 404. Other errors and redirects are
 * thrown again.
 */
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

/** Makes a page at a fixed address for admins with the permission. */
export function adminPage(
  permission: Permission,
  path: string,
  draw: (page: AdminPage) => ReactNode | Promise<ReactNode>,
): Drawing<PageInput> {
  return withAdminErrors(async input => draw(await requireAdminPage(permission, path, input)))
}

/** Makes a page about one object, whose ID is in the address. */
export function detailPage(
  permission: Permission,
  pathOf: (id: string) => string,
  draw: (page: AdminPage, id: string) => ReactNode | Promise<ReactNode>,
): Drawing<DetailInput> {
  return withAdminErrors(async input => {
    const id = await idOf(input)
    return draw(await requireAdminPage(permission, pathOf(id), input), id)
  })
}

/**
 * Renders a refusal. NOTE: with `notFound()` or `forbidden()`, Next would send an empty document and render the page by script.
 * So the page is rendered here, and the server looks its status up by the request ID.
 */
async function refusalPage(refusal: PageRefusal): Promise<ReactNode> {
  const { context } = await readPageRequest()
  setPageStatus(context.requestId, refusal.kind === 'forbidden' ? 403 : 404)
  const { page, kind } = refusal
  // A missing permission has been recorded where it was found
  if (kind !== 'forbidden') recordUnknownPage(page.ports, page, areaOf(page.path))
  return <RefusedPage refusal={refusal} />
}

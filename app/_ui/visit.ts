/** What a page reads from the request: who asks, in which language, and for which waiting request. */
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { type Cookies, readCookies } from '#lib/http/cookies.ts'
import { requestContext } from '#lib/http/request-context.ts'
import { referenceHeader, stamped } from '#lib/http/stamped-headers.ts'
import { negotiateLocale } from '#lib/i18n/locales.ts'
import { translate } from '#lib/i18n/translate.ts'
import { type PendingHandle, parseHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { type Services, services } from '#lib/server/services.ts'
import type { Frame } from './frame.ts'

/** What Next hands to a page. */
export type PageInput = {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>
}
export type Query = Readonly<Record<string, string>>

export type Visit = {
  readonly services: Services
  readonly cookies: Cookies
  readonly cookieHeader: string | null
  readonly acceptLanguage: string | null
  readonly nonce: string | undefined
  /** Of this very answer, as the log has it; `null` under a host that gives none. */
  readonly reference: string | null
  readonly context: RequestContext
}

/** Once per request, however many components ask. */
export const readVisit = cache(async (): Promise<Visit> => {
  const [received, wired] = await Promise.all([headers(), services()])
  const cookieHeader = received.get('cookie')
  return {
    services: wired,
    cookies: readCookies(cookieHeader, wired.config.issuer),
    cookieHeader,
    acceptLanguage: received.get('accept-language'),
    nonce: nonceOf(received.get('content-security-policy')),
    reference: stamped({ headers: received }, referenceHeader),
    context: requestContext({ headers: received }),
  }
})

/** The query without what came twice: who sent the second one is not known. */
export async function readQuery({ searchParams }: PageInput): Promise<Query> {
  const single = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  return Object.fromEntries(single)
}

/** The part of a query that still holds on the next visit to the page. */
export function keep(query: Query, name: string): Query {
  const value = query[name]
  return value === undefined ? {} : { [name]: value }
}

/** The frame of a page at `path`; `uiLocales` as the waiting request wishes. */
export function frameOf(
  visit: Visit,
  { path, query, uiLocales = [], offersSignOut = false }: FrameInput,
): Frame {
  const locale = negotiateLocale({
    saved: visit.cookies.locale,
    uiLocales,
    acceptLanguage: visit.acceptLanguage,
  })
  const search = new URLSearchParams(query).toString()
  return {
    t: translate(locale),
    locale,
    siteName: visit.services.config.siteName,
    issuer: visit.services.config.issuer,
    here: search === '' ? path : `${path}?${search}`,
    theme: visit.cookies.theme,
    nonce: visit.nonce,
    offersSignOut,
  }
}

type FrameInput = {
  readonly path: string
  readonly query: Query
  readonly uiLocales?: readonly string[]
  readonly offersSignOut?: boolean
}

export function pendingHandle(query: Query): PendingHandle | null {
  return parseHandle('pending', query.pending)
}

/**
 * Where a page goes when the request it belongs to does not wait for it: only the authorization endpoint knows
 * whether that means another page, the way back to the app, or "this page expired".
 */
export function leaveToResume(query: Query): never {
  redirect(`/connect/authorize/resume?pending=${encodeURIComponent(query.pending ?? '')}`)
}

function nonceOf(policy: string | null): string | undefined {
  return policy === null ? undefined : /'nonce-([A-Za-z0-9+/=_-]+)'/.exec(policy)?.[1]
}

/** What a page of the dashboard reads from its request. */
import { headers } from 'next/headers'
import { cache } from 'react'
import { type Cookies, readCookies } from '#lib/http/cookies.ts'
import { requestContext } from '#lib/http/request-context.ts'
import { hasStampingHost } from '#lib/http/stamped-headers.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { openServices, type Services } from '#lib/server/services.ts'

/** What Next hands to a page. */
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
 * Read once per request, for all components.
 * @throws under another host than this project's server, where pages would have no content security policy
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

/** The query without what came twice: who sent the second one is not known. */
export async function readQuery({ searchParams }: PageInput): Promise<Query> {
  const single = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  return Object.fromEntries(single)
}

function nonceOf(policy: string | null): string | undefined {
  return policy === null ? undefined : /'nonce-([A-Za-z0-9+/=_-]+)'/.exec(policy)?.[1]
}

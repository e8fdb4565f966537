/**
 * For `next start` alone: what `lib/server/host/page-listener.ts` does under our own server, which sets the policy header
 * itself and so is never slowed down by this (see the matcher). It adds headers and refuses; no access rule lives here.
 */
import { type NextRequest, NextResponse } from 'next/server'
import { readConfig } from '#lib/config/env.ts'
import { guardPage } from '#lib/http/page-guard.ts'
import { createNonce, pagePolicy } from '#lib/http/page-policy.ts'
import { securityHeaders } from '#lib/http/security-headers.ts'

/** Route handlers, which answer every method themselves. */
const handledPaths =
  /^\/admin\/(sign-in|callback|sign-out|theme|tail|setup|setup\/submit|events\/export|changes\/export|configuration\/export|do\/[a-z_.]+|providers\/[^/]+\/trial\/(start|return)|clients\/[^/]+\/test\/start|client-test\/return)$/

let always: Readonly<Record<string, string>> | undefined

export function proxy(request: NextRequest): NextResponse {
  const { method, headers, nextUrl } = request
  const refusal = guardPage({
    method,
    path: nextUrl.pathname,
    query: nextUrl.search,
    hasHeader: name => headers.has(name),
    hasRoute: handledPaths.test(nextUrl.pathname),
  })
  const response = refusal === null ? passed(headers) : refused(refusal)
  always ??= securityHeaders(readConfig(process.env).issuer)
  for (const [name, value] of Object.entries(always)) {
    // Whether a page may be kept is Next's to say; a refusal never
    const isOurs = refusal !== null || name !== 'cache-control'
    if (isOurs && !response.headers.has(name)) response.headers.set(name, value)
  }
  return response
}

function passed(headers: Headers): NextResponse {
  const policy = pagePolicy(createNonce())
  const forwarded = new Headers(headers)
  forwarded.set('content-security-policy', policy)
  return NextResponse.next({
    request: { headers: forwarded },
    headers: { 'content-security-policy': policy },
  })
}

function refused({ status, allow }: { status: number; allow: string | null }): NextResponse {
  return new NextResponse(null, { status, headers: allow === null ? {} : { allow } })
}

export const config = {
  matcher: [
    {
      source: '/admin/:path*',
      // `hostHeader` and `hostMark` of lib/http/stamped-headers.ts; Next reads this without running it
      missing: [{ type: 'header', key: 'x-latchkey-host', value: '\\x01' }],
    },
  ],
}

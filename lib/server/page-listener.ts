/** Hands a request to Next: with a fresh nonce going in, and the headers every answer has going out. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestLog } from '#lib/http/exchange.ts'
import { createNonce } from '#lib/http/page-policy.ts'
import { securityHeaders } from '#lib/http/security-headers.ts'
import type { Listener } from './direct-routes.ts'
import { addHeader } from './raw-headers.ts'

export type PageHost = {
  readonly next: Listener
  readonly issuer: string
  readonly log: RequestLog
  /** The policy for one nonce; looser under `--dev`. */
  readonly policy: (nonce: string) => string
}

export type PageRequest = { readonly path: string; readonly referenceId: string; readonly address: string }

const pages: ReadonlySet<string> = new Set([
  '/',
  '/login',
  '/login/providers',
  '/select-account',
  '/consent',
  '/logout',
  '/logout/done',
  '/account',
  '/playground',
])
const files = /^\/_next\/|\.(css|js|svg|png|ico|txt|webmanifest)$/

/** Next takes the nonce from the request's own policy header, which was removed if the client sent one (WF-02). */
export function pageListener({ next, issuer, log, policy }: PageHost) {
  const always = securityHeaders(issuer)
  return (incoming: IncomingMessage, outgoing: ServerResponse, request: PageRequest): void => {
    const startedAt = performance.now()
    const contentPolicy = policy(createNonce())
    addHeader(incoming, 'content-security-policy', contentPolicy)
    const headers = {
      ...always,
      'content-security-policy': contentPolicy,
      'x-reference-id': request.referenceId,
    }
    const head = fillHead(outgoing, headers)
    outgoing.once('finish', () => {
      // An endpoint inside Next has set its own headers and written its own line
      if (head.isOurs && !files.test(request.path))
        log.request(lineOf(incoming, outgoing, request, startedAt))
    })
    next(incoming, outgoing)
  }
}

/** Adds what is missing at the last moment: whatever Next sets for files, pages and errors stays. */
function fillHead(
  outgoing: ServerResponse,
  headers: Readonly<Record<string, string>>,
): { readonly isOurs: boolean } {
  const head = { isOurs: false }
  const writeHead = outgoing.writeHead
  outgoing.writeHead = (...given: readonly unknown[]) => {
    head.isOurs = !outgoing.hasHeader('x-reference-id')
    for (const [name, value] of Object.entries(headers)) {
      if (!outgoing.hasHeader(name)) outgoing.setHeader(name, value)
    }
    return Reflect.apply(writeHead, outgoing, given)
  }
  return head
}

/** The path itself only where it is one of ours: anything else may hold what somebody typed (FW-09). */
function lineOf(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { path, referenceId, address }: PageRequest,
  startedAt: number,
) {
  return {
    referenceId,
    method: incoming.method ?? '',
    pattern: pages.has(path) ? path : '(other)',
    status: outgoing.statusCode,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
    address,
  }
}

/** Hands a request to Next with a fresh nonce, and adds the headers that every answer has. */
import { readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { EndpointServices, RequestLog } from '#lib/http/exchange.ts'
import { createNonce } from '#lib/http/page-policy.ts'
import { securityHeaders } from '#lib/http/security-headers.ts'
import { hostHeader, hostMark } from '#lib/http/stamped-headers.ts'
import type { Listener } from './direct-routes.ts'
import { forgetPage, outcomeOfPage, watchPage } from './page-outcome.ts'
import { addHeader } from './raw-headers.ts'
import { replaceFailedPage } from './replace-failed-page.ts'

export type PageHost = {
  readonly next: Listener
  readonly config: EndpointServices['config']
  readonly log: RequestLog
  /** The policy for one nonce; looser under `--dev`. */
  readonly policy: (nonce: string) => string
  /** Under `--dev` Next shows its own page for errors. */
  readonly isDevelopment: boolean
}

export type PageRequest = { readonly path: string; readonly referenceId: string; readonly address: string }

/** The areas of the dashboard. What follows them in a path may be user input. */
const adminAreas: ReadonlySet<string> = new Set(
  readdirSync(join(import.meta.dirname, '../../../app/admin')).filter(name => /^[a-z-]+$/.test(name)),
)
const files = /^\/_next\/|\.(css|js|svg|png|ico|txt|webmanifest)$/
const publicFiles: ReadonlySet<string> = new Set(
  readdirSync(join(import.meta.dirname, '../../../public')).map(name => `/${name}`),
)

/** Next takes the nonce from the request's own policy header, which was removed if the client sent one (WF-02). */
export function pageListener({ next, config, log, policy, isDevelopment }: PageHost) {
  const always = securityHeaders(config.issuer)
  return (incoming: IncomingMessage, outgoing: ServerResponse, request: PageRequest): void => {
    const startedAt = performance.now()
    const contentPolicy = policy(createNonce())
    addHeader(incoming, 'content-security-policy', contentPolicy)
    addHeader(incoming, hostHeader, hostMark)
    const headers = {
      ...always,
      'content-security-policy': contentPolicy,
      'x-reference-id': request.referenceId,
    }
    const head = fillHead(outgoing, headers, request.referenceId)
    outgoing.once('finish', () => {
      // An endpoint inside Next has set its own headers and written its own line
      if (head.isOurs && (outgoing.statusCode >= 400 || !files.test(request.path)))
        log.request(lineOf(incoming, outgoing, request, startedAt))
    })
    if (!isFile(request.path)) {
      const { referenceId } = request
      watchPage(referenceId)
      outgoing.once('close', () => forgetPage(referenceId))
      if (!isDevelopment) replaceFailedPage({ incoming, outgoing, referenceId, config })
    }
    next(incoming, outgoing)
  }
}

function isFile(path: string): boolean {
  return path.startsWith('/_next/static/') || publicFiles.has(path)
}

/** Adds the headers that are missing when the head is sent: Next sets its own for files and pages. */
function fillHead(
  outgoing: ServerResponse,
  headers: Readonly<Record<string, string>>,
  referenceId: string,
): { readonly isOurs: boolean } {
  const head = { isOurs: false }
  const writeHead = outgoing.writeHead
  outgoing.writeHead = (given: number, ...rest: readonly unknown[]) => {
    const status = outcomeOfPage(referenceId).status ?? given
    outgoing.statusCode = status
    head.isOurs = !outgoing.hasHeader('x-reference-id')
    for (const [name, value] of Object.entries(headers)) {
      if (!outgoing.hasHeader(name)) outgoing.setHeader(name, value)
    }
    if (isForNow(outgoing)) outgoing.setHeader('cache-control', 'no-store')
    return Reflect.apply(writeHead, outgoing, [status, ...rest])
  }
  return head
}

/** FW-08: Next lets caches keep some of its error pages, for a year. */
function isForNow(outgoing: ServerResponse): boolean {
  return outgoing.statusCode >= 400 || String(outgoing.getHeader('content-type')).startsWith('text/html')
}

/** The path only as far as it is one of ours: the rest may be user input (FW-09). */
function patternOf(path: string): string {
  if (path === '/admin') return path
  const [, area = '', rest] = /^\/admin\/([^/]+)(\/.*)?$/.exec(path) ?? []
  if (!adminAreas.has(area)) return '(other)'
  return rest === undefined ? `/admin/${area}` : `/admin/${area}/…`
}

function lineOf(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { path, referenceId, address }: PageRequest,
  startedAt: number,
) {
  return {
    referenceId,
    method: incoming.method ?? '',
    pattern: patternOf(path),
    status: outgoing.statusCode,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
    address,
  }
}

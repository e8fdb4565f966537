/**
 * Passes a request to Next with a fresh nonce, adds the headers of all responses, and replaces Next's failure pages.
 */
import { readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { EndpointServices, RequestLog } from '#lib/http/exchange.ts'
import { type HttpRefusal, refusalFromCode, refusalFromError } from '#lib/http/http-refusal.ts'
import { createNonce } from '#lib/http/page-policy.ts'
import { securityHeaders } from '#lib/http/security-headers.ts'
import type { Events } from '#lib/ports/events.ts'
import type { LoadDashboard } from './dashboard.ts'
import { forgetPage, outcomeOfPage, watchPage } from './page-outcome.ts'
import { addHeader } from './request-headers.ts'
import { errorPageFor, type ReceivedRequest, writeRefusal } from './write-early.ts'

export type PageHost = {
  readonly dashboard: LoadDashboard
  readonly config: EndpointServices['config']
  readonly log: RequestLog
  readonly events: Pick<Events, 'record'>
  /** Returns the policy for a nonce; less strict under `--dev`. */
  readonly policy: (nonce: string) => string
  /** Whether Next shows its own pages for errors, as it does under `--dev`. */
  readonly isDevelopment: boolean
}

type PageListener = (incoming: IncomingMessage, outgoing: ServerResponse, request: PageRequest) => unknown
export type PageRequest = { readonly path: string; readonly requestId: string; readonly address: string }

/** The names of the areas of the dashboard. The rest of a path may be user input. */
const adminAreas: ReadonlySet<string> = new Set(
  readdirSync(join(import.meta.dirname, '../../../app/admin')).filter(name => /^[a-z-]+$/.test(name)),
)
const files = /^\/_next\/|\.(css|js|svg|png|ico|txt|webmanifest)$/

/**
 * Creates the listener. Next takes the nonce from the policy header of the request; such a header of the client was
 * removed before (WF-02).
 */
export function pageListener({
  dashboard,
  config,
  log,
  events,
  policy,
  isDevelopment,
}: PageHost): PageListener {
  const always = securityHeaders(config.issuer)
  return async (incoming, outgoing, request) => {
    const startedAt = performance.now()
    const { path, requestId } = request
    const next = await dashboard().catch(error => {
      log.failure(error, { requestId, pattern: patternOf(path) })
      return null
    })
    if (next === null) {
      recordFailure({ incoming, outgoing, ...request, config, events }, unloaded.reason)
      writeRefusal({ incoming, outgoing, requestId }, { refused: unloaded, headers: {} }, config)
      return log.request(lineOf(incoming, outgoing, request, startedAt))
    }
    const contentPolicy = policy(createNonce())
    addHeader(incoming, 'content-security-policy', contentPolicy)
    const headers = { ...always, 'content-security-policy': contentPolicy, 'x-reference-id': requestId }
    const head = completeHead(outgoing, headers, requestId)
    outgoing.once('finish', () => {
      // Under `--dev` an endpoint inside Next sets its own headers and writes its own line of the log
      if (head.isFromNext && (outgoing.statusCode >= 400 || !files.test(path)))
        log.request(lineOf(incoming, outgoing, request, startedAt))
    })
    if (!path.startsWith('/_next/static/')) {
      watchPage(requestId)
      outgoing.once('close', () => forgetPage(requestId))
      if (!isDevelopment) replaceFailedPage({ incoming, outgoing, ...request, config, events })
    }
    next(incoming, outgoing)
  }
}

const unloaded: HttpRefusal = {
  ...refusalFromCode('temporarily_unavailable', 'The dashboard could not be loaded. Try again shortly.'),
  reason: 'unexpected',
}

/**
 * Sets the status that a page reported, and adds the headers that Next has not set, when the head is sent: only then
 * are the status and Next's headers known. See docs/decisions/045-one-host.md.
 */
function completeHead(
  outgoing: ServerResponse,
  headers: Readonly<Record<string, string>>,
  requestId: string,
): { readonly isFromNext: boolean } {
  const head = { isFromNext: false }
  const writeHead = outgoing.writeHead
  outgoing.writeHead = (given: number, ...rest: readonly unknown[]) => {
    const status = outcomeOfPage(requestId).status ?? given
    outgoing.statusCode = status
    head.isFromNext = !outgoing.hasHeader('x-reference-id')
    for (const [name, value] of Object.entries(headers)) {
      if (!outgoing.hasHeader(name)) outgoing.setHeader(name, value)
    }
    // FW-08: Next allows caches to store some of its error pages for a year
    if (status >= 400 || String(outgoing.getHeader('content-type')).startsWith('text/html'))
      outgoing.setHeader('cache-control', 'no-store')
    return Reflect.apply(writeHead, outgoing, [status, ...rest])
  }
  return head
}

type FailingPage = ReceivedRequest & PageRequest & Pick<PageHost, 'config' | 'events'>

/**
 * Sends this project's error page if Next responds with a failure, because Next's own page is empty without script.
 * Only the status decides, before anything is sent.
 */
function replaceFailedPage(page: FailingPage): void {
  const { incoming, outgoing, requestId, config } = page
  const { writeHead, write, end, flushHeaders } = outgoing
  let isFailed = false
  outgoing.flushHeaders = () => {
    if (outgoing.statusCode < 500) flushHeaders.call(outgoing)
  }
  outgoing.writeHead = (...given: readonly unknown[]) => {
    const status = typeof given[0] === 'number' ? given[0] : outgoing.statusCode
    isFailed ||= status >= 500
    return isFailed ? outgoing : Reflect.apply(writeHead, outgoing, given)
  }
  outgoing.write = (...given: readonly unknown[]) => {
    if (!outgoing.headersSent && !isFailed) outgoing.writeHead(outgoing.statusCode)
    return isFailed ? true : Reflect.apply(write, outgoing, given)
  }
  outgoing.end = (...given: readonly unknown[]) => {
    if (!outgoing.headersSent && !isFailed) outgoing.writeHead(outgoing.statusCode)
    if (!isFailed) return Reflect.apply(end, outgoing, given)
    const refused = refusalFromError(outcomeOfPage(requestId).failure)
    recordFailure(page, refused.reason)
    const { status, headers, body } = errorPageFor(page, { refused, isRepeatable: true }, config)
    for (const name of ['content-encoding', 'content-length', 'etag', 'link']) outgoing.removeHeader(name)
    const length = { 'content-length': Buffer.byteLength(body ?? '') }
    Reflect.apply(writeHead, outgoing, [status, { ...headers, ...length }])
    return Reflect.apply(end, outgoing, incoming.method === 'HEAD' ? [] : [body ?? ''])
  }
}

/** Records an event for a failed page, because the error page shows a request ID. */
function recordFailure(
  { events, requestId, address, path }: FailingPage,
  reason: HttpRefusal['reason'],
): void {
  if (reason === null) return
  const event = {
    name: 'request_refused',
    outcome: 'failure',
    details: { endpoint: patternOf(path) },
  } as const
  events.record({ ...event, reason }, { requestId, address, userAgent: null })
}

/** Returns the path without the parts that may be user input (FW-09). */
function patternOf(path: string): string {
  if (path === '/admin') return path
  const [, area = '', rest] = /^\/admin\/([^/]+)(\/.*)?$/.exec(path) ?? []
  if (!adminAreas.has(area)) return '(other)'
  return rest === undefined ? `/admin/${area}` : `/admin/${area}/…`
}

function lineOf(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { path, requestId, address }: PageRequest,
  startedAt: number,
) {
  return {
    requestId,
    method: incoming.method ?? '',
    pattern: patternOf(path),
    status: outgoing.statusCode,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
    address,
  }
}

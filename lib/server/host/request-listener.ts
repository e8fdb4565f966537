/** The first code that sees a request: cleans its headers, refuses the odd ones, and picks the host. */
import type { IncomingMessage } from 'node:http'
import { apiRoot } from '#lib/admin/api/root.ts'
import type { EndpointServices, RequestLog } from '#lib/http/exchange.ts'
import { createReferenceId } from '#lib/http/reference-id.ts'
import { requestContext } from '#lib/http/request-context.ts'
import { addressHeader, referenceHeader } from '#lib/http/stamped-headers.ts'
import type { Events } from '#lib/ports/events.ts'
import { isDraining } from '../start/draining.ts'
import { type AdminDoor, closedDoorEvent, closedDoorReply } from './admin-door.ts'
import { type AddressReader, isForwardingHeader } from './client-address.ts'
import type { Listener, RouteTable } from './direct-routes.ts'
import { errorPageReader } from './error-page-reader.ts'
import { rememberRequest } from './open-requests.ts'
import type { pageListener } from './page-listener.ts'
import { addHeader, removeHeaders } from './raw-headers.ts'
import {
  type EarlyRefusal,
  isApiPath,
  type RefusedRequest,
  refusePath,
  refuseTarget,
  writeEarly,
  writeRefusal,
} from './refuse-early.ts'
import { discardUnread } from './unread-body.ts'

export type Hosts = {
  readonly config: EndpointServices['config']
  readonly log: RequestLog
  readonly direct: RouteTable
  readonly pages: ReturnType<typeof pageListener>
  readonly readAddress: AddressReader
  readonly isClosed: AdminDoor
  readonly events: Events
  /** Lets Next's own development tools through. */
  readonly isDevelopment: boolean
}

type Asked = RefusedRequest & { readonly address: string }

export function requestListener(hosts: Hosts): Listener {
  const { config, log, direct, pages, readAddress, isClosed, isDevelopment } = hosts
  const refuse = (asked: Asked, refusal: EarlyRefusal) => {
    writeRefusal(asked, refusal, config)
    log.request(lineOf(asked, { ...refusal.refused, reason: refusal.refused.reason ?? undefined }))
  }
  return (incoming, outgoing) => {
    if (isDraining()) outgoing.setHeader('connection', 'close')
    const address = readAddress(incoming)
    const referenceId = createReferenceId()
    const asked = { incoming, outgoing, referenceId, address }
    rememberRequest(asked)
    discardUnread(incoming, outgoing)
    const strange = refuseTarget(incoming)
    if (strange !== null) return refuse(asked, strange)
    stamp(incoming, address, referenceId)
    const path = pathOf(incoming.url ?? '/')
    if (isClosed(path, address)) return turnAway(asked, path, hosts)
    // Every address below the API, also those that no route matches
    const api = isApiPath(path) ? direct.get(`${apiRoot}/any`) : undefined
    if (api !== undefined) return api(incoming, outgoing)
    const route = direct.get(path)
    const isTool = isDevelopment && /^\/_+next/.test(path)
    const unfit = isTool ? null : refusePath(incoming, path, route !== undefined || isDevelopment)
    if (unfit !== null) return refuse(asked, unfit)
    if (route !== undefined) return route(incoming, outgoing)
    pages(incoming, outgoing, { path, referenceId, address })
  }
}

/** AD-09: told with its event, because whoever it was has a reference to ask with. */
function turnAway(asked: Asked, path: string, { config, log, events }: Hosts): void {
  const { incoming, referenceId } = asked
  const { siteName, issuer } = config
  const { theme } = errorPageReader(incoming, issuer)
  const get = (name: string) => String(incoming.headers[name] ?? '') || null
  const event = closedDoorEvent(path)
  const reply = closedDoorReply(path, { siteName, referenceId, theme })
  events.record(event, requestContext({ headers: { get } }))
  writeEarly(asked, reply, config)
  log.request(lineOf(asked, { status: reply.status, reason: event.reason }))
}

type Told = { readonly status: number; readonly reason?: string | undefined }

function lineOf({ incoming, referenceId, address }: Asked, { status, reason }: Told) {
  return {
    referenceId,
    method: incoming.method ?? '',
    pattern: '(refused)',
    status,
    durationMs: 0,
    address,
    reason,
  }
}

function stamp(incoming: IncomingMessage, address: string, referenceId: string): void {
  removeHeaders(incoming, isOursToSet)
  addHeader(incoming, addressHeader, address)
  addHeader(incoming, referenceHeader, referenceId)
}

/** Nobody outside may say who a proxy saw, which nonce to use, or what this server stamps. */
function isOursToSet(name: string): boolean {
  return (
    isForwardingHeader(name) ||
    name.startsWith('x-latchkey-') ||
    name.startsWith('x-middleware-') ||
    name === 'content-security-policy' ||
    name === 'content-security-policy-report-only' ||
    name === 'x-nonce'
  )
}

function pathOf(target: string): string {
  const query = target.indexOf('?')
  return query === -1 ? target : target.slice(0, query)
}

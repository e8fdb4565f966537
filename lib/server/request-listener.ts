/** The first code that sees a request: cleans its headers, refuses the odd ones, and picks the host. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestLog } from '#lib/http/exchange.ts'
import { createReferenceId } from '#lib/http/reference-id.ts'
import { securityHeaders } from '#lib/http/security-headers.ts'
import { addressHeader, referenceHeader } from '#lib/http/stamped-headers.ts'
import { type AddressReader, isForwardingHeader } from './client-address.ts'
import type { Listener } from './direct-routes.ts'
import { isDraining } from './draining.ts'
import type { pageListener } from './page-listener.ts'
import { addHeader, removeHeaders } from './raw-headers.ts'
import { type EarlyRefusal, refusePage, refuseTarget, writeRefusal } from './refuse-early.ts'

type Asked = { readonly referenceId: string; readonly address: string; readonly method: string }

export type Hosts = {
  readonly issuer: string
  readonly log: RequestLog
  readonly direct: ReadonlyMap<string, Listener>
  readonly pages: ReturnType<typeof pageListener>
  readonly readAddress: AddressReader
  /** Lets Next's own development tools through. */
  readonly isDevelopment: boolean
}

export function requestListener({ issuer, log, direct, pages, readAddress, isDevelopment }: Hosts): Listener {
  const headers = securityHeaders(issuer)
  const refuse = (outgoing: ServerResponse, refusal: EarlyRefusal, asked: Asked) => {
    writeRefusal(outgoing, refusal, { ...headers, 'x-reference-id': asked.referenceId })
    log.request({ ...asked, pattern: '(refused)', status: refusal.status, durationMs: 0 })
  }
  return (incoming, outgoing) => {
    if (isDraining()) outgoing.setHeader('connection', 'close')
    const address = readAddress(incoming)
    const referenceId = createReferenceId()
    const asked = { referenceId, address, method: incoming.method ?? '' }
    const strange = refuseTarget(incoming)
    if (strange !== null) return refuse(outgoing, strange, asked)
    stamp(incoming, address, referenceId)
    const path = pathOf(incoming.url ?? '/')
    const route = direct.get(path)
    if (route !== undefined) return route(incoming, outgoing)
    const isTool = isDevelopment && /^\/_+next/.test(path)
    const unfit = isTool ? null : refusePage(incoming, path)
    if (unfit !== null) return refuse(outgoing, unfit, asked)
    pages(incoming, outgoing, { path, referenceId, address })
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

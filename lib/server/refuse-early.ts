/** Requests that no host should see, and the plain answer they get. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { guardPage } from '#lib/http/page-guard.ts'

export type EarlyRefusal = { readonly status: number; readonly allow: string | null }

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const words: Readonly<Record<number, string>> = {
  400: 'This request is malformed.',
  404: 'There is nothing at this address.',
  405: 'This method is not allowed here.',
  501: 'This method is not supported.',
}

/** NOTE: Next answers `GET http://evil/…` with a redirect to that very address, and `TRACE` with a 500. */
export function refuseTarget({ method, url }: IncomingMessage): EarlyRefusal | null {
  if (!methods.has(method ?? '')) return { status: 501, allow: null }
  if (!/^\/(?!\/)/.test(url ?? '') || url?.includes('\\')) return { status: 400, allow: null }
  return null
}

export function refusePage(incoming: IncomingMessage, path: string): EarlyRefusal | null {
  const hasHeader = (name: string) => incoming.headers[name] !== undefined
  return guardPage({ method: incoming.method ?? '', path, hasHeader })
}

export function writeRefusal(
  outgoing: ServerResponse,
  refusal: EarlyRefusal,
  headers: Readonly<Record<string, string>>,
): void {
  const allow = refusal.allow === null ? {} : { allow: refusal.allow }
  outgoing.writeHead(refusal.status, { 'content-type': 'text/plain; charset=utf-8', ...headers, ...allow })
  outgoing.end(`${words[refusal.status] ?? ''}\n`)
}

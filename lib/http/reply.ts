/** A response as a plain value, so that the functions that make it are pure. */
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'

export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Complete `Set-Cookie` lines. */
  readonly cookies: readonly string[]
  readonly body: string | null
  /** Bytes to send instead of `body`. */
  readonly bytes?: Uint8Array<ArrayBuffer>
}

/** Makes a JSON response. The charset is named because some clients guess wrong without it (TK-10). */
export function jsonReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    cookies: [],
    body: JSON.stringify(body),
  }
}

export function htmlReply(
  status: number,
  html: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
    cookies: [],
    body: html,
  }
}

/** Makes a response of plain text. */
export function textReply(text: string, contentType: string): Reply {
  return { status: 200, headers: { 'content-type': contentType }, cookies: [], body: text }
}

export function emptyReply(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers, cookies: [], body: null }
}

/** Redirects. RFC 9700 4.12: always 303, so that no browser posts a form again to the next address. */
export function seeOther(location: string, cookies: readonly string[] = []): Reply {
  return { status: 303, headers: { location: asciiAddress(browserAddress(location)) }, cookies, body: null }
}

export function withCookies(reply: Reply, cookies: readonly string[]): Reply {
  return { ...reply, cookies: [...reply.cookies, ...cookies] }
}

/**
 * Makes the `Response`. NOTE: plain headers are the fastest way in the HTTP server; only several cookies need a list.
 */
export function toResponse(reply: Reply, isHead: boolean): Response {
  const body = isHead ? null : (reply.bytes ?? reply.body)
  const [cookie, ...others] = reply.cookies
  if (others.length === 0) {
    const headers = cookie === undefined ? reply.headers : { ...reply.headers, 'set-cookie': cookie }
    return new Response(body, { status: reply.status, headers })
  }
  const headers = new Headers(reply.headers)
  for (const cookie of reply.cookies) headers.append('set-cookie', cookie)
  return new Response(body, { status: reply.status, headers })
}

/** Encodes an address for a header, which can contain only visible ASCII. Existing visible ASCII is unchanged. */
export function asciiAddress(location: string): string {
  return location.replace(/[^\x21-\x7e]+/g, encodeURIComponent)
}

/**
 * Sends requests to addresses from configuration or metadata: checked address, no redirects, a deadline, a size limit,
 * JSON only.
 */

import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { outboundBodyBytes, outboundTimeoutMs } from '#lib/config/limits.ts'

export type SafeFetchOptions = {
  /**
   * Whether loopback addresses, plain HTTP to them, and all ports are allowed: in development, when this server's
   * issuer is a loopback address.
   */
  readonly allowLoopback: boolean
  /** The allowed ports in addition to 443, such as the one in the provider's issuer. */
  readonly ports: readonly string[]
  readonly resolve?: Resolve
  readonly timeoutMs?: number
}

type Outgoing = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/**
 * Sends one request. Throws `FetchRefused` for an address that is not allowed, a redirect, a response without content
 * or with content that is not JSON, is encoded or too large, and after the deadline. Throws Node's own error when the
 * network fails or the body is not UTF-8.
 */
export async function safeFetch(
  address: string,
  outgoing: Outgoing,
  options: SafeFetchOptions,
): Promise<Response> {
  const url = requireAllowed(address, options)
  const signal = AbortSignal.timeout(options.timeoutMs ?? outboundTimeoutMs)
  try {
    const answer = await send(url, { ...outgoing, signal }, options)
    const contentType = requireJson(answer)
    const body = await readBody(answer)
    return new Response(body, { status: answer.statusCode ?? 0, headers: { 'content-type': contentType } })
  } catch (error) {
    throw signal.aborted ? new FetchRefused('timeout') : error
  }
}

function requireAllowed(address: string, options: SafeFetchOptions): URL {
  const url = URL.parse(address)
  if (url === null) throw new FetchRefused('url_malformed')
  const kinds = allowedKinds(url, options.allowLoopback)
  if (kinds.size === 0) throw new FetchRefused('scheme_not_allowed')
  if (url.username !== '' || url.password !== '') throw new FetchRefused('url_with_credentials')
  if (url.hash !== '') throw new FetchRefused('url_with_fragment')
  const isOrdinaryPort = url.port === '' || options.ports.includes(url.port)
  if (!isOrdinaryPort && !options.allowLoopback) throw new FetchRefused('port_not_allowed')
  // Node connects to a literal address without calling `lookup`
  const literal = literalAddress(url.hostname)
  if (literal !== null) requireReachable([literal], kinds)
  return url
}

/** Returns the kinds of addresses to which a URL may lead. Plain HTTP never leaves the machine. */
function allowedKinds({ protocol }: URL, allowLoopback: boolean): ReadonlySet<AddressKind> {
  const loopback: readonly AddressKind[] = allowLoopback ? ['loopback'] : []
  if (protocol === 'https:') return new Set<AddressKind>(['public', ...loopback])
  return new Set(protocol === 'http:' ? loopback : [])
}

/**
 * Returns the IP address in a URL; `null` for a name. WHATWG URLs have already converted `127.1`, `0x7f000001` and
 * `2130706433` to dotted form.
 */
function literalAddress(hostname: string): string | null {
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : null
}

function send(
  url: URL,
  outgoing: Outgoing & { readonly signal: AbortSignal },
  { allowLoopback, resolve }: SafeFetchOptions,
): Promise<IncomingMessage> {
  const { method, signal, body } = outgoing
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((fulfil, reject) => {
    const sent = request(url, {
      method,
      signal,
      headers: { ...outgoing.headers, 'accept-encoding': 'identity' },
      lookup: checkedLookup(allowedKinds(url, allowLoopback), resolve),
      // The address of a pooled connection would have been checked for a different request
      agent: false,
    })
    sent.on('response', fulfil)
    sent.on('error', reject)
    sent.end(body ?? undefined)
  })
}

/**
 * Returns the content type. Throws for a redirect, a status without content, content other than JSON, and encoded
 * content. Error responses with JSON are accepted.
 */
function requireJson(answer: IncomingMessage): string {
  const status = answer.statusCode ?? 0
  const contentType = answer.headers['content-type'] ?? ''
  if (status >= 300 && status < 400) throw drop(answer, 'redirected')
  if (status < 200 || status === 204 || status === 205) throw drop(answer, 'status_without_content')
  if (!/^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(contentType))
    throw drop(answer, 'content_type_not_json')
  if ('content-encoding' in answer.headers) throw drop(answer, 'content_encoded')
  return contentType
}

async function readBody(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > outboundBodyBytes) throw drop(answer, 'body_too_large')
    chunks.push(bytes)
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
}

function drop(answer: IncomingMessage, code: string): FetchRefused {
  answer.destroy()
  return new FetchRefused(code)
}

/** The kinds of addresses. Outbound requests reach only `public` ones, and in development also `loopback`. */
export type AddressKind = 'public' | 'loopback' | 'special'

/** Resolves a name to all of its addresses. */
type Resolve = (hostname: string) => Promise<readonly string[]>

/**
 * Classifies an address. `special`: invalid addresses, special-purpose ranges except loopback, and IPv6 addresses
 * outside 2000::/3, such as IPv4-compatible and translated ones. An IPv4-mapped address is classified as the IPv4
 * address that it contains.
 */
export function addressKind(address: string): AddressKind {
  if (!ipaddr.isValid(address)) return 'special'
  const parsed = ipaddr.process(address)
  const range = parsed.range()
  if (range === 'loopback') return 'loopback'
  if (range !== 'unicast') return 'special'
  const isGlobal = parsed instanceof ipaddr.IPv4 || parsed.match(ipaddr.IPv6.parse('2000::'), 3)
  return isGlobal ? 'public' : 'special'
}

/**
 * Throws `FetchRefused` unless there is an address and every one is allowed: a private address among public ones
 * indicates an attack.
 */
export function requireReachable(addresses: readonly string[], allowed: ReadonlySet<AddressKind>): void {
  if (addresses.length === 0) throw new FetchRefused('host_has_no_address')
  if (!addresses.every(address => allowed.has(addressKind(address))))
    throw new FetchRefused('address_not_allowed')
}

/**
 * Creates a `lookup` for one connection that returns only checked addresses. The check and the connection use the same
 * response of the resolver: a second response could differ (DNS rebinding).
 */
function checkedLookup(allowed: ReadonlySet<AddressKind>, resolve: Resolve = systemResolve): LookupFunction {
  return (hostname, options, callback) => {
    const answer = (addresses: readonly string[]): void => {
      requireReachable(addresses, allowed)
      const found = addresses.map(address => ({
        address,
        family: ipaddr.parse(address).kind() === 'ipv6' ? 6 : 4,
      }))
      if (options.all) callback(null, found)
      else callback(null, found[0]?.address ?? '', found[0]?.family)
    }
    resolve(hostname)
      .then(answer)
      .catch((error: unknown) =>
        callback(error instanceof Error ? error : new FetchRefused('lookup_failed'), []),
      )
  }
}

async function systemResolve(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}

/** A refused request. `code` is a fixed tag for logs: it contains nothing from the response. */
class FetchRefused extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** How `oauth4webapi` speaks to the network: through the guard, and over plain HTTP only to this machine. */
import * as oauth from 'oauth4webapi'
import type { IdentityProvider } from '#lib/ports/grants.ts'
import { type SafeFetchOptions, safeFetch } from './safe-fetch.ts'

export type Network = Pick<SafeFetchOptions, 'allowLoopback' | 'resolve' | 'timeoutMs'>

export type RequestOptions = {
  readonly [oauth.customFetch]: (
    url: string,
    options: oauth.CustomFetchOptions<'GET' | 'POST', URLSearchParams | undefined>,
  ) => Promise<Response>
  readonly [oauth.allowInsecureRequests]: boolean
}

export function requestOptions(
  { issuer }: Pick<IdentityProvider, 'issuer'>,
  network: Network,
): RequestOptions {
  const { port } = new URL(issuer)
  return {
    [oauth.customFetch]: (url, { method, headers, body }) =>
      safeFetch(url, { method, headers, body: body?.toString() ?? null }, { ...network, ports: [port] }),
    // `safeFetch` refuses plain HTTP by itself; this only keeps the library from refusing loopback.
    [oauth.allowInsecureRequests]: network.allowLoopback,
  }
}

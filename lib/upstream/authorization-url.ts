/** The parts of requests that users take to a provider. */
import * as oauth from 'oauth4webapi'
import type { IdentityProvider, UpstreamRequest } from '#lib/ports/upstream.ts'
import { providerPresets } from '#lib/protocol/registration/provider-presets.ts'
import { isLoopbackHost } from '#lib/protocol/text/addresses.ts'
import type { Reauthentication } from '#lib/protocol/vocabulary.ts'
import type { RequestOptions } from './provider-requests.ts'
import { tenantParameters } from './tenants.ts'

/** Requires https, or http to a loopback address in development: users go there, so `safeFetch` does not check it. */
export function endpointUrl(address: string, options: RequestOptions): URL {
  const url = new URL(address)
  const isAllowed = options[oauth.allowInsecureRequests] === true && isLoopbackHost(url.hostname)
  oauth.checkProtocol(url, url.protocol === 'http:' && !isAllowed)
  return url
}

export function withParameters(url: URL, parameters: Readonly<Record<string, string>>): string {
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/**
 * Returns the parameters of an authorization request with PKCE, unless the provider refuses that (RFC 6749 4.1.1, RFC 7636 4.3).
 * The challenge is S256 regardless of the provider's metadata.
 */
export async function codeParameters(
  provider: IdentityProvider,
  request: UpstreamRequest,
): Promise<Readonly<Record<string, string>>> {
  const challenge: Readonly<Record<string, string>> = sendsPkce(provider)
    ? {
        code_challenge: await oauth.calculatePKCECodeChallenge(request.codeVerifier),
        code_challenge_method: 'S256',
      }
    : {}
  return {
    client_id: provider.clientId,
    response_type: 'code',
    redirect_uri: request.redirectUri,
    ...(provider.scope === '' ? {} : { scope: provider.scope }),
    state: request.state,
    ...challenge,
    ...tenantParameters(provider),
    ...freshness(provider.reauthentication, request),
  }
}

/** Returns the code verifier for the token request, if the authorization request had a challenge. */
export function sentVerifier(provider: IdentityProvider, codeVerifier: string): string | typeof oauth.nopkce {
  return sendsPkce(provider) ? codeVerifier : oauth.nopkce
}

function sendsPkce({ preset, pkce }: IdentityProvider): boolean {
  return pkce && providerPresets[preset].sendsPkce
}

function freshness(
  reauthentication: Reauthentication,
  { forceLogin, maxAgeSeconds }: UpstreamRequest,
): Readonly<Record<string, string>> {
  if (reauthentication === 'select_account') return maxAgeSeconds === null ? {} : { prompt: 'select_account' }
  return {
    ...(forceLogin ? { prompt: 'login' } : {}),
    ...(maxAgeSeconds === null ? {} : { max_age: String(maxAgeSeconds) }),
  }
}

/** Discovery documents of providers, fetched once for all callers that wait, and cached for a short time. */
import type { AuthorizationServer } from 'oauth4webapi'
import * as oauth from 'oauth4webapi'
import { lifetimeSeconds } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { IdentityProvider } from '#lib/ports/grants.ts'
import type { RequestOptions } from './request-options.ts'

type Entry = { readonly server: Promise<AuthorizationServer>; readonly expiresAt: number }

export type ProviderMetadata = {
  /** Failures are not cached: the next sign-in fetches again. */
  readonly of: (provider: IdentityProvider, request: RequestOptions) => Promise<AuthorizationServer>
}

export function createProviderMetadata(clock: Clock): ProviderMetadata {
  const entries = new Map<string, Entry>()
  return {
    async of({ issuer }, request) {
      const now = clock.now().getTime()
      const known = entries.get(issuer)
      if (known !== undefined && known.expiresAt > now) return known.server
      const server = discover(issuer, request)
      entries.set(issuer, { server, expiresAt: now + lifetimeSeconds.providerMetadata * 1000 })
      server.catch(() => entries.delete(issuer))
      return server
    },
  }
}

/** Fetches again. Fails unless the metadata is of exactly this issuer. */
export async function discover(issuer: string, request: RequestOptions): Promise<AuthorizationServer> {
  const address = new URL(issuer)
  const server = await oauth.processDiscoveryResponse(address, await oauth.discoveryRequest(address, request))
  // OpenID Connect Discovery 4.3: exactly the issuer we asked, byte for byte.
  if (server.issuer !== issuer) throw new OauthError('issuer_differs')
  return server
}

/** The grant behind an answer to a browser, and how long anything issued on it can live. */
import { lifetimeSeconds } from '#lib/config/limits.ts'
import type { Grant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { Client } from '#lib/protocol/client.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import { offlineScope } from '#lib/protocol/requested-scopes.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { ResponseType } from '#lib/protocol/vocabulary.ts'

export type GrantRequest = {
  readonly client: Client
  readonly session: Session
  readonly scopes: readonly ScopeName[]
  readonly responseType: ResponseType
}

/** Makes the grant; the caller stores it together with what it issues. */
export function makeGrant(ports: Ports, { client, session, scopes, responseType }: GrantRequest): Grant {
  const now = ports.clock.now()
  const isOffline = scopes.includes(offlineScope)
  const seconds =
    responseType === 'code' ? codeGrantSeconds(client, isOffline) : frontChannelGrantSeconds(client)
  return {
    id: ports.random.grantId(),
    clientId: client.clientId,
    scopes,
    isOffline,
    subject: session.subject,
    idp: session.idp,
    amr: session.amr,
    acr: session.acr,
    authenticatedAt: session.authenticatedAt,
    sessionId: session.sessionId,
    createdAt: now,
    expiresAt: secondsAfter(now, seconds),
    revokedAt: null,
  }
}

/** A token in a browser's address bar lives 10 minutes at most, whatever the client is configured for. */
export function frontChannelSeconds(client: Client): number {
  return Math.min(client.accessTokenLifetimeSeconds, lifetimeSeconds.frontChannelAccessToken)
}

// The code may be redeemed at its very end, and the last refresh may give a token at the refresh token's
function codeGrantSeconds(client: Client, isOffline: boolean): number {
  const tokens = Math.max(client.accessTokenLifetimeSeconds, client.identityTokenLifetimeSeconds)
  const refreshing = isOffline ? client.absoluteRefreshTokenLifetimeSeconds : 0
  return client.authorizationCodeLifetimeSeconds + refreshing + tokens
}

function frontChannelGrantSeconds(client: Client): number {
  return Math.max(frontChannelSeconds(client), client.identityTokenLifetimeSeconds)
}

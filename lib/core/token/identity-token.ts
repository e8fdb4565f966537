/** Creates ID tokens (OpenID Connect Core 2). */
import type { Grant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { epochSeconds } from '#lib/protocol/time.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { identityClaims } from '../userinfo/identity-claims.ts'
import { withoutReserved } from './access-token-claims.ts'
import { extensionClaims } from './extension-claims.ts'

export type IdentityTokenRequest = {
  readonly client: Client
  readonly grant: Grant
  /** Echoed exactly as it was sent. */
  readonly nonce: string | null
  /** The access token to bind by `at_hash`; `null`: not bound. */
  readonly accessToken: string | null
  /** Only where no access token will ever fetch them from userinfo: `response_type=id_token`. */
  readonly includeScopeClaims: boolean
}

/** Signs an ID token for the user of the grant, with the client as audience. */
export async function mintIdentityToken(ports: Ports, request: IdentityTokenRequest): Promise<string> {
  const [about, extended] = await Promise.all([aboutPerson(ports, request), extendedClaims(ports, request)])
  const claims = {
    ...signInClaims(ports, request),
    ...boundClaims(ports, request),
    ...withoutReserved({ ...about, ...extended }),
  }
  return ports.signer.sign(claims, 'JWT', request.client.idTokenSignedResponseAlg)
}

function signInClaims(ports: Ports, { client, grant, nonce }: IdentityTokenRequest): Claims {
  const issuedAt = epochSeconds(ports.clock.now())
  return {
    iss: ports.settings.issuer,
    sub: grant.subject,
    aud: client.clientId,
    exp: issuedAt + client.identityTokenLifetimeSeconds,
    nbf: issuedAt,
    iat: issuedAt,
    auth_time: epochSeconds(grant.authenticatedAt),
    ...(nonce === null ? {} : { nonce }),
    amr: grant.amr,
    ...(grant.sessionId === null ? {} : { sid: grant.sessionId }),
    ...(grant.acr === null ? {} : { acr: grant.acr }),
    // Conformance suites warn about unrequested claims: `idp` is omitted for local accounts.
    ...(grant.idp === localProvider ? {} : { idp: grant.idp }),
  }
}

// OpenID Connect Core 3.2.2.9
function boundClaims(ports: Ports, { client, accessToken }: IdentityTokenRequest): Claims {
  if (accessToken === null) return {}
  return { at_hash: ports.hashing.halfHash(accessToken, client.idTokenSignedResponseAlg) }
}

async function aboutPerson(
  ports: Ports,
  { client, grant, includeScopeClaims }: IdentityTokenRequest,
): Promise<Claims> {
  if (!includeScopeClaims) return {}
  return identityClaims(ports, {
    subject: grant.subject,
    client,
    caller: 'identity_token',
    scopes: grant.scopes,
  })
}

function extendedClaims(ports: Ports, { client, grant }: IdentityTokenRequest): Promise<Claims> {
  const { subject, scopes } = grant
  return extensionClaims(ports, { token: 'identity_token', client, subject, scopes })
}

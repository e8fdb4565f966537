/** Makes access tokens, signed or by reference. The one place where they come from. */
import type { Grant, ReferenceToken } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import { epochSeconds } from '#lib/protocol/time.ts'
import {
  addedClaims,
  audienceOf,
  openedClaimNames,
  protocolClaims,
  withoutReserved,
} from './access-token-claims.ts'

export type AccessTokenRequest = {
  readonly client: Client
  readonly scopes: readonly ScopeName[]
  /** `null`: the client acts for itself. */
  readonly grant: Grant | null
  /** Claims of the caller, as from a custom grant. Reserved names are dropped. */
  readonly extraClaims: Claims
  /** Claims of an earlier token of the same grant, kept instead of being read again. */
  readonly keptClaims?: Claims
  readonly lifetimeSeconds: number
}

export type MintedAccessToken = {
  readonly value: string
  readonly expiresInSeconds: number
  /** Not yet stored: the caller does that, together with what else it stores. `null` for a signed token. */
  readonly reference: ReferenceToken | null
  readonly claims: Claims
}

/** Makes an access token of the kind the client is configured for. Stores nothing. */
export async function mintAccessToken(ports: Ports, request: AccessTokenRequest): Promise<MintedAccessToken> {
  const issuedAt = epochSeconds(ports.clock.now())
  const expiresInSeconds = request.lifetimeSeconds
  const claims = await accessTokenClaims(ports, request, { issuedAt, expiresAt: issuedAt + expiresInSeconds })
  if (request.client.accessTokenType === 'reference')
    return byReference(ports, request, { claims, expiresInSeconds })
  const value = await ports.signer.sign(claims, 'at+jwt', request.client.accessTokenSignedResponseAlg)
  return { value, expiresInSeconds, reference: null, claims }
}

async function accessTokenClaims(
  ports: Ports,
  request: AccessTokenRequest,
  times: { readonly issuedAt: number; readonly expiresAt: number },
): Promise<Claims> {
  const registered = (await ports.scopes.all()).map(entry => entry.scope)
  const granted = registered.filter(scope => request.scopes.includes(scope.name))
  const audience = audienceOf(ports.settings.issuer, granted)
  const added =
    request.keptClaims === undefined
      ? await addedClaims(ports, request, granted)
      : keptClaims(request.keptClaims, registered, granted)
  return {
    ...protocolClaims(ports, request, { ...times, audience }),
    ...withoutReserved(request.extraClaims),
    ...added,
  }
}

// A narrower token keeps nothing that only the scopes it lost had opened.
function keptClaims(kept: Claims, registered: readonly Scope[], granted: readonly Scope[]): Claims {
  const open = openedClaimNames(granted)
  const closed = [...openedClaimNames(registered)].filter(name => !open.has(name))
  return withoutReserved(Object.fromEntries(Object.entries(kept).filter(([name]) => !closed.includes(name))))
}

function byReference(
  ports: Ports,
  { client, grant }: AccessTokenRequest,
  { claims, expiresInSeconds }: { readonly claims: Claims; readonly expiresInSeconds: number },
): MintedAccessToken {
  const value = ports.random.handle('accessToken')
  const reference: ReferenceToken = {
    digest: ports.hashing.tokenDigest(value),
    grantId: grant?.id ?? null,
    subject: grant?.subject ?? null,
    clientId: client.clientId,
    claims,
    expiresAt: new Date(Number(claims.exp) * 1000),
  }
  return { value, expiresInSeconds, reference, claims }
}

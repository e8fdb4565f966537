/** The claims that an operator's extensions add to a token. */
import type { TokenClaims } from '#lib/ports/extensions.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Claims } from '#lib/protocol/claims.ts'

/** Asks every extension; of two that name the same claim the later one counts. Not yet free of reserved names. */
export async function extensionClaims(
  ports: Ports,
  request: Parameters<TokenClaims['claimsFor']>[0],
): Promise<Claims> {
  if (ports.tokenClaims.length === 0) return {}
  const added = await Promise.all(ports.tokenClaims.map(extension => extension.claimsFor(request)))
  return Object.assign({}, ...added)
}

/** Which `grant_type` is answered by whom: our own, then those an operator added. */
import type { Ports } from '#lib/ports/ports.ts'
import { grantByAuthorizationCode } from './authorization-code.ts'
import { grantByClientCredentials } from './client-credentials.ts'
import { grantByExtension } from './custom.ts'
import type { GrantHandler } from './grant-handler.ts'
import { grantByPassword } from './password.ts'
import { grantByRefreshToken } from './refresh-token.ts'

const builtIn: ReadonlyMap<string, GrantHandler> = new Map([
  ['authorization_code', grantByAuthorizationCode],
  ['client_credentials', grantByClientCredentials],
  ['password', grantByPassword],
  ['refresh_token', grantByRefreshToken],
])

/** `null` when nobody answers it. A custom grant cannot take the name of one of ours. */
export function findGrantHandler(ports: Ports, grantType: string): GrantHandler | null {
  const own = builtIn.get(grantType)
  if (own !== undefined) return own
  const custom = ports.customGrants.find(grant => grant.grantType === grantType)
  return custom === undefined ? null : grantByExtension(custom)
}

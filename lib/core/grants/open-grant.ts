/** Opens a grant for a person who is not in a browser: password and custom grants. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import { stillProven } from '#lib/ports/account-proof.ts'
import type { Grant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Digest, SubjectId } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import type { RequestedScopes } from '../token/requested-scopes.ts'

export type DirectSignIn = {
  readonly client: Client
  readonly scopes: RequestedScopes
  readonly subject: SubjectId
  readonly amr: readonly string[]
  readonly acr: string | null
  /** What the sign-in proved; see `Authentication`. */
  readonly provenHash: Digest | null
}

/**
 * Stores and returns the grant. No session stands behind it that could end it. Throws `invalid_grant` when the account
 * was locked, or its password replaced, meanwhile.
 */
export async function openGrant(
  ports: Ports,
  { client, scopes, subject, amr, acr, provenHash }: DirectSignIn,
): Promise<Grant> {
  const now = ports.clock.now()
  const grant: Grant = {
    id: ports.random.grantId(),
    clientId: client.clientId,
    subject,
    idp: localProvider,
    amr,
    acr,
    authenticatedAt: now,
    sessionId: null,
    scopes: scopes.names,
    isOffline: scopes.isOffline,
    createdAt: now,
    expiresAt: endOf(client, scopes, now),
    revokedAt: null,
  }
  const basis = { consent: null, pending: null, account: stillProven(ports.hashing, provenHash) }
  const opening = await ports.grants.open(grant, basis)
  if (opening !== 'opened') throw new OauthError('account_changed')
  return grant
}

// The last refresh may give an access token at the very end of the refresh token.
function endOf(client: Client, { isOffline }: RequestedScopes, now: Date): Date {
  const refreshing = isOffline ? client.absoluteRefreshTokenLifetimeSeconds : 0
  return secondsAfter(now, refreshing + client.accessTokenLifetimeSeconds)
}

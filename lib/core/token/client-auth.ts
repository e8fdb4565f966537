/** Who is calling: client authentication for the token endpoint and its neighbours. */
import { isOauthError } from '#lib/errors/oauth-error.ts'
import type { Reason } from '#lib/errors/reasons.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { TokenEndpointAuthMethod } from '#lib/protocol/vocabulary.ts'
import type { IdAndSecret } from '#lib/protocol/wire/basic-credentials.ts'
import { findClient, findRegistered } from '../enabled-client.ts'
import {
  type AuthenticatedRequest,
  type PresentedCredentials,
  presentedCredentials,
} from './presented-credentials.ts'
import { proveSecret, type SecretCandidate } from './prove-secret.ts'

/**
 * Returns the client that the request proved to come from.
 * Throws `invalid_client`, alike for an unknown client, a disabled one, the wrong method and a wrong or missing secret;
 * `invalid_request` for two methods at once; `too_many_requests` when it guessed too often.
 */
export async function authenticateClient(
  ports: Ports,
  request: AuthenticatedRequest,
  context: RequestContext,
): Promise<Client> {
  const presented = presentedCredentials(request)
  try {
    return await provenClient(ports, presented, context)
  } catch (error) {
    if (isOauthError(error) && error.code === 'invalid_client') await recordFailure(ports, presented, context)
    throw error
  }
}

/** Whether the client may authenticate this way. Without a registered method both kinds of secret are fine. */
export function allowsMethod(client: Client, method: TokenEndpointAuthMethod): boolean {
  if (client.tokenEndpointAuthMethod === null) return method !== 'none'
  return client.tokenEndpointAuthMethod === method
}

async function provenClient(
  ports: Ports,
  { method, pairs }: PresentedCredentials,
  context: RequestContext,
): Promise<Client> {
  const candidates = await Promise.all(pairs.map(pair => candidateFor(ports, pair, method)))
  const [first] = candidates
  if (method === 'none' && first?.owner) return first.owner
  return proveSecret(ports, { id: pairs[0].id, candidates }, context)
}

// Whoever may not authenticate this way is treated like a client without secrets: refused at the same cost.
async function candidateFor(
  ports: Ports,
  pair: IdAndSecret,
  method: TokenEndpointAuthMethod,
): Promise<SecretCandidate<Client>> {
  const registered = await findRegistered(ports, pair.id)
  if (registered === null || !allowsMethod(registered.client, method)) {
    return { name: pair.id, presented: pair.secret, secrets: [], owner: null }
  }
  return { name: pair.id, presented: pair.secret, secrets: registered.secrets, owner: registered.client }
}

/** Admins are told what nobody else is: whether it was the client, its method or its secret. */
async function recordFailure(
  ports: Ports,
  { method, pairs }: PresentedCredentials,
  context: RequestContext,
): Promise<void> {
  const clientId = pairs[0].id
  const reason = await mistakeOf(ports, clientId, method)
  const event = { name: 'client_authentication_failed', outcome: 'failure', clientId, reason } as const
  ports.events.record({ ...event, details: { method } }, context)
}

async function mistakeOf(ports: Ports, id: string, method: TokenEndpointAuthMethod): Promise<Reason> {
  const client = await findClient(ports, id)
  if (client === null) return 'unknown_client'
  if (!client.enabled) return 'client_disabled'
  if (!allowsMethod(client, method)) return method === 'none' ? 'secret_missing' : 'auth_method_differs'
  const secrets = (await findRegistered(ports, id))?.secrets ?? []
  const now = ports.clock.now()
  const isOver = secrets.every(({ expiresAt }) => expiresAt !== null && expiresAt <= now)
  return isOver ? 'secrets_expired' : 'secret_wrong'
}

/** Who may introspect: a confidential client, or a resource that proves itself with its scope's secret. */
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { TokenEndpointAuthMethod } from '#lib/protocol/vocabulary.ts'
import type { IdAndSecret } from '#lib/protocol/wire/basic-credentials.ts'
import { findRegistered } from '../enabled-client.ts'
import { allowsMethod } from '../token/client-auth.ts'
import { type AuthenticatedRequest, presentedCredentials } from '../token/presented-credentials.ts'
import { proveSecret, type SecretCandidate } from '../token/prove-secret.ts'

export type IntrospectionCaller =
  | { readonly kind: 'client'; readonly client: Client }
  | { readonly kind: 'resource'; readonly scope: Scope }

/** Throws `invalid_client` for everybody else, and for public clients: anybody could be one. */
export async function authenticateCaller(
  ports: Ports,
  request: AuthenticatedRequest,
  context: RequestContext,
): Promise<IntrospectionCaller> {
  const { method, pairs } = presentedCredentials(request)
  if (method === 'none') throw new OauthError('no_credentials')
  const candidates = await Promise.all(pairs.map(pair => candidateFor(ports, pair, method)))
  try {
    return await proveSecret(ports, { id: pairs[0].id, candidates }, context)
  } catch (error) {
    if (isOauthError(error) && error.code === 'invalid_client') recordFailure(ports, pairs[0].id, context)
    throw error
  }
}

type Candidate = SecretCandidate<IntrospectionCaller>

// One for each name, so that it is checked at the cost of one secret: a client's, or else a resource's (LIM-05).
async function candidateFor(
  ports: Ports,
  pair: IdAndSecret,
  method: TokenEndpointAuthMethod,
): Promise<Candidate> {
  const found = (await clientCandidate(ports, pair, method)) ?? (await resourceCandidate(ports, pair))
  return found ?? { name: pair.id, presented: pair.secret, secrets: [], owner: null }
}

async function clientCandidate(
  ports: Ports,
  { id, secret }: IdAndSecret,
  method: TokenEndpointAuthMethod,
): Promise<Candidate | null> {
  const registered = await findRegistered(ports, id)
  if (registered === null || !allowsMethod(registered.client, method)) return null
  return {
    name: id,
    presented: secret,
    secrets: registered.secrets,
    owner: { kind: 'client', client: registered.client },
  }
}

async function resourceCandidate(ports: Ports, { id, secret }: IdAndSecret): Promise<Candidate | null> {
  const name = scopeNameSchema.safeParse(id)
  const registered = name.success ? await ports.scopes.find(name.data) : null
  const mayTry = registered?.scope.enabled && registered.scope.kind === 'resource'
  if (!registered || !mayTry) return null
  return {
    name: id,
    presented: secret,
    secrets: registered.secrets,
    owner: { kind: 'resource', scope: registered.scope },
  }
}

function recordFailure(ports: Ports, clientId: string, context: RequestContext): void {
  const event = { name: 'client_authentication_failed', outcome: 'failure', clientId } as const
  ports.events.record(
    { ...event, reason: 'wrong_credentials', details: { endpoint: 'introspection' } },
    context,
  )
}

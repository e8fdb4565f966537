/** The token endpoint: who calls, which grant, what comes of it (RFC 6749 3.2). */
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import type { Event } from '#lib/ports/events.ts'
import type { Grant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import { ignoredParameters, isBuiltInGrantType } from '#lib/protocol/wire/token-params.ts'
import { answerGrant, isKnownGrantType } from '../grants/registry.ts'
import { authenticateClient } from './client-auth.ts'
import { checkParameterSizes, requiredParameter } from './form-parameters.ts'
import { refusalOf, type TokenOutcome } from './outcome.ts'
import type { AuthenticatedRequest } from './presented-credentials.ts'
import { tokenChecks } from './token-checks.ts'

/** Answers one token request. Refusals are outcomes; what is thrown is a fault of ours. */
export async function token(
  ports: Ports,
  request: AuthenticatedRequest,
  context: RequestContext,
): Promise<TokenOutcome> {
  const { parameters } = request
  const grantType = knownGrantType(ports, parameters)
  let clientId: string | undefined
  try {
    const reading = withScopeCache(ports)
    const client = await authenticateClient(reading, request, context)
    clientId = client.clientId
    checkParameterSizes(parameters)
    requireAllowedGrantType(ports, client, parameters)
    const { response, grant } = await answerGrant(reading, { client, grantType, parameters }, context)
    ports.usage.client(client.clientId, ports.clock.now())
    ports.events.record(
      {
        name: 'tokens_issued',
        outcome: 'success',
        clientId,
        grantType,
        ...ownerOf(grant),
        ...detailsOf(grantType, parameters),
      },
      context,
    )
    return { kind: 'issued', response }
  } catch (error) {
    if (!isOauthError(error)) throw error
    ports.events.record(refusalEvent(error, grantType, clientId), context)
    return { kind: 'refused', refusal: refusalOf(error) }
  }
}

function refusalEvent(error: OauthError, grantType: string, clientId: string | undefined): Event {
  const checks = tokenChecks(grantType, error)
  return {
    name: 'token_refused',
    outcome: 'failure',
    reason: error.reason,
    grantType,
    ...(clientId === undefined ? {} : { clientId }),
    ...(checks === null ? {} : { checks }),
  }
}

const nobody = {}

function ownerOf(grant: Grant | null) {
  return grant === null ? nobody : { subject: grant.subject, grantId: grant.id }
}

/** The parameters that had no effect; the client is not told (RFC 6749 3.2). */
function detailsOf(grantType: string, parameters: Parameters): Pick<Event, 'details'> {
  const ignored = isBuiltInGrantType(grantType) ? ignoredParameters(grantType, parameters) : []
  return ignored.length === 0 ? {} : { details: { ignored: ignored.slice(0, mostIgnored).join(' ') } }
}

const mostIgnored = 10

// For the log: an unknown value is the sender's text.
function knownGrantType(ports: Ports, parameters: Parameters): string {
  const grantType = parameters.one('grant_type')
  return grantType !== null && isKnownGrantType(ports, grantType) ? grantType : 'unknown'
}

// TK-08: an unknown grant type is unsupported, one of other clients is unauthorized.
function requireAllowedGrantType(ports: Ports, client: Client, parameters: Parameters): void {
  const grantType = requiredParameter(parameters, 'grant_type')
  if (!isKnownGrantType(ports, grantType)) throw new OauthError('grant_type_unknown')
  if (!client.grantTypes.includes(grantType)) {
    const evidence = { sent: grantType, expected: client.grantTypes }
    throw new OauthError('grant_type_not_allowed', { evidence })
  }
}

/**
 * Ports that read the registered scopes once, however many parts of a request need them: all of them see the same, and
 * the store is read at the same time as the client.
 */
function withScopeCache(ports: Ports): Ports {
  const registered = ports.scopes.all()
  // The parts that await it receive the failure; a request that is refused before must not end the process
  registered.catch(() => undefined)
  return { ...ports, scopes: { find: ports.scopes.find, all: () => registered } }
}

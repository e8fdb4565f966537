/** The token endpoint: who calls, which grant, what comes of it (RFC 6749 3.2). */
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import { checkOf } from '#lib/errors/reasons.ts'
import type { CheckResult, Event } from '#lib/ports/events.ts'
import type { Grant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import {
  callerChecks,
  grantChecks,
  type RequestCheck,
  type TokenCheck,
} from '#lib/protocol/wire/request-checks.ts'
import {
  type AnyTokenRequest,
  type BuiltInGrantType,
  ignoredParameters,
  isBuiltInGrantType,
  readTokenRequest,
} from '#lib/protocol/wire/token-params.ts'
import { grantByAuthorizationCode } from '../grants/authorization-code.ts'
import { grantByClientCredentials } from '../grants/client-credentials.ts'
import { grantByExtension } from '../grants/custom.ts'
import type { GrantAnswer } from '../grants/grant-request.ts'
import { grantByPassword } from '../grants/password.ts'
import { grantByRefreshToken } from '../grants/refresh-token.ts'
import { authenticateClient } from './client-authentication.ts'
import {
  type AuthenticatedRequest,
  checkParameterSizes,
  refusalOf,
  requiredParameter,
  type TokenOutcome,
} from './client-request.ts'

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

/** Whether anything answers it. A custom grant cannot take the name of a built-in one. */
export function isKnownGrantType({ customGrants }: Pick<Ports, 'customGrants'>, grantType: string): boolean {
  return isBuiltInGrantType(grantType) || customGrants.some(grant => grant.grantType === grantType)
}

export type GrantTypeRequest = {
  /** Authenticated, and allowed to use this grant. */
  readonly client: Client
  /** One that `isKnownGrantType`. */
  readonly grantType: string
  readonly parameters: Parameters
}

/** Parses the request and calls its grant. Throws `OauthError` for every refusal. */
export function answerGrant(
  ports: Ports,
  { client, grantType, parameters }: GrantTypeRequest,
  context: RequestContext,
): Promise<GrantAnswer> {
  if (!isBuiltInGrantType(grantType)) return grantByExtension(ports, { client, grantType, parameters })
  const request = parsedRequest(grantType, parameters)
  switch (request.grant_type) {
    case 'authorization_code':
      return grantByAuthorizationCode(ports, { client, request }, context)
    case 'client_credentials':
      return grantByClientCredentials(ports, { client, request })
    case 'password':
      return grantByPassword(ports, { client, request }, context)
    case 'refresh_token':
      return grantByRefreshToken(ports, { client, request }, context)
  }
}

function parsedRequest(grantType: BuiltInGrantType, parameters: Parameters): AnyTokenRequest {
  const read = readTokenRequest(grantType, parameters)
  if ('request' in read) return read.request
  const { missing } = read
  throw new OauthError(`${missing}_missing`, { description: `${missing} is missing.` })
}

/** All checks of this grant, up to the one that the refusal came from and those after it; `null`: it came from none. */
export function tokenChecks(
  grantType: string,
  { reason, evidence }: Pick<OauthError, 'reason' | 'evidence'>,
): readonly CheckResult[] | null {
  const failed = checkOf(reason)
  const all: readonly RequestCheck[] = [...callerChecks, ...ownChecks(grantType)]
  const at = failed === null ? -1 : all.indexOf(failed)
  if (at === -1) return null
  return all.map((check, index) => ({
    check,
    result: resultAt(index - at),
    atMs: null,
    ...(index === at ? evidence : null),
  }))
}

/** The name of a custom grant is an operator's own; `unknown` is none. */
function ownChecks(grantType: string): readonly TokenCheck[] {
  if (isBuiltIn(grantType)) return grantChecks[grantType]
  return grantType === 'unknown' ? [] : grantChecks.custom
}

function isBuiltIn(grantType: string): grantType is keyof typeof grantChecks {
  return Object.hasOwn(grantChecks, grantType)
}

function resultAt(distance: number): CheckResult['result'] {
  if (distance === 0) return 'failed'
  return distance < 0 ? 'passed' : 'not_reached'
}

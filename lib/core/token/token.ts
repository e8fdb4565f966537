/** The token endpoint: authenticate the client, find the grant, answer (RFC 6749 3.2). */
import { catalog, type ErrorCode } from '#lib/errors/catalog.ts'
import { tokenCheckResults } from '#lib/errors/checks.ts'
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import { reasonRow } from '#lib/errors/reasons.ts'
import type { Event } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import { authorizationCodeGrant } from '../grants/authorization-code.ts'
import { clientCredentialsGrant } from '../grants/client-credentials.ts'
import { customGrant } from '../grants/custom.ts'
import { type GrantType, requiredParameter } from '../grants/grant.ts'
import { passwordGrant } from '../grants/password.ts'
import { refreshTokenGrant } from '../grants/refresh-token.ts'
import { type AuthenticatedRequest, authenticateClient } from './client-authentication.ts'
import type { TokenResponse } from './issue-tokens.ts'

const grantTypes: Readonly<Record<string, GrantType>> = {
  authorization_code: authorizationCodeGrant,
  client_credentials: clientCredentialsGrant,
  password: passwordGrant,
  refresh_token: refreshTokenGrant,
}

export type TokenOutcome = { readonly kind: 'issued'; readonly response: TokenResponse } | RefusedOutcome

export type RefusedOutcome = { readonly kind: 'refused'; readonly refusal: TokenError }

export type TokenError = {
  readonly code: ErrorCode
  /** For the developer of the client; contains nothing that was sent. */
  readonly description: string
  readonly retryAfterSeconds: number | null
}

/** Answers one token request. A refusal is an outcome; what is thrown is an internal error. */
export async function token(
  ports: Ports,
  request: AuthenticatedRequest,
  context: RequestContext,
): Promise<TokenOutcome> {
  const { parameters } = request
  const sent = parameters.one('grant_type')
  // For the events: an unknown value is text of the sender
  const grantType = sent !== null && findGrantType(ports, sent) !== null ? sent : 'unknown'
  let clientId: string | undefined
  try {
    const reading = withScopeCache(ports)
    const client = await authenticateClient(reading, request, context)
    clientId = client.clientId
    const grant = allowedGrantType(ports, client, parameters)
    const { response, grant: stored } = await grant.answer(reading, { client, parameters }, context)
    ports.usage.client(client.clientId, ports.clock.now())
    const event: Event = { name: 'tokens_issued', outcome: 'success', clientId, grantType }
    const owner = stored === null ? null : { subject: stored.subject, grantId: stored.id }
    ports.events.record({ ...event, ...owner, ...ignoredBy(grant, parameters) }, context)
    return { kind: 'issued', response }
  } catch (error) {
    if (!isOauthError(error)) throw error
    ports.events.record(refusalEvent(error, grantType, clientId), context)
    return { kind: 'refused', refusal: toTokenError(error) }
  }
}

/** A custom grant cannot take the name of a built-in one. */
function findGrantType({ customGrants }: Pick<Ports, 'customGrants'>, name: string): GrantType | null {
  if (Object.hasOwn(grantTypes, name)) return grantTypes[name] ?? null
  const custom = customGrants.find(({ grantType }) => grantType === name)
  return custom === undefined ? null : customGrant(custom)
}

// TK-08: an unknown grant type is unsupported, one of other clients is unauthorized.
function allowedGrantType(ports: Ports, client: Client, parameters: Parameters): GrantType {
  const name = requiredParameter(parameters, 'grant_type')
  const grant = findGrantType(ports, name)
  if (grant === null) throw new OauthError('grant_type_unknown')
  if (client.grantTypes.includes(name)) return grant
  throw new OauthError('grant_type_not_allowed', { evidence: { sent: name, expected: client.grantTypes } })
}

/** The parameters that had no effect, for the request trace only (RFC 6749 3.2: they are ignored). */
function ignoredBy({ parameters: used }: GrantType, { names }: Parameters): Pick<Event, 'details'> | null {
  if (used === null) return null
  const ignored = names.filter(name => !used.includes(name) && !callerParameters.includes(name))
  const plain = ignored.filter(name => /^[\w.-]{1,50}$/.test(name)).slice(0, mostIgnored)
  return plain.length === 0 ? null : { details: { ignored: plain.join(' ') } }
}

const mostIgnored = 10

/** RFC 6749 2.3.1, whatever the grant type. */
const callerParameters = ['grant_type', 'client_id', 'client_secret']

function refusalEvent(error: OauthError, grantType: string, clientId: string | undefined): Event {
  const checks = tokenCheckResults(grantType, reasonRow(error.reason).check ?? null, error.evidence)
  return {
    name: 'token_refused',
    outcome: 'failure',
    reason: error.reason,
    grantType,
    ...(clientId === undefined ? {} : { clientId }),
    ...(checks === null ? {} : { checks }),
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

/** The error as the client receives it (RFC 6749 5.2). */
export function toTokenError(error: OauthError): TokenError {
  return {
    code: error.code,
    description: error.description ?? catalog[error.code].description,
    retryAfterSeconds: error.retryAfterSeconds,
  }
}

/** Runs the introspection or revocation endpoint: a refusal becomes an event and an outcome. */
export async function withRefusals<Answered>(
  ports: Ports,
  endpoint: 'introspection' | 'revocation',
  context: RequestContext,
  run: () => Promise<Answered>,
): Promise<Answered | RefusedOutcome> {
  try {
    return await run()
  } catch (error) {
    if (!isOauthError(error)) throw error
    const event = { name: 'request_refused', outcome: 'failure', reason: error.reason } as const
    ports.events.record({ ...event, details: { endpoint } }, context)
    return { kind: 'refused', refusal: toTokenError(error) }
  }
}

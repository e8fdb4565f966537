/** The token endpoint: authenticates the client, finds the grant, responds (RFC 6749 3.2). */
import { type CheckRecorder, callerChecks, recordChecks } from '#lib/errors/checks.ts'
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import type { Event } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { traced } from '#lib/ports/tracing.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { BuiltInGrantType } from '#lib/protocol/vocabulary.ts'
import { ignoredNames, type Parameters, rulesOf } from '#lib/protocol/wire/parameters.ts'
import { authorizationCodeGrant } from '../grants/authorization-code.ts'
import { clientCredentialsGrant } from '../grants/client-credentials.ts'
import { customGrant } from '../grants/custom.ts'
import { type GrantType, requiredParameter } from '../grants/grant.ts'
import { passwordGrant } from '../grants/password.ts'
import { refreshTokenGrant } from '../grants/refresh-token.ts'
import { authenticateClient, type ClientRequest } from './client-authentication.ts'
import type { TokenResponse } from './issue-tokens.ts'
import { requireGrantType } from './permit.ts'
import { type RefusedOutcome, refusedOutcome } from './refusals.ts'

/** The built-in grant types of the token endpoint, which `implicit` never reaches. */
type TokenEndpointGrantType = Exclude<BuiltInGrantType, 'implicit'>

const grantTypeHandlers: Readonly<Record<string, GrantType>> = {
  authorization_code: authorizationCodeGrant,
  client_credentials: clientCredentialsGrant,
  password: passwordGrant,
  refresh_token: refreshTokenGrant,
} satisfies Record<TokenEndpointGrantType, GrantType>

export type TokenOutcome = { readonly kind: 'issued'; readonly response: TokenResponse } | RefusedOutcome

/** Answers one token request. A refusal is an outcome; an internal error is thrown. */
export async function answerTokenRequest(
  ports: Ports,
  request: ClientRequest,
  context: RequestContext,
): Promise<TokenOutcome> {
  const { parameters } = request
  const sentName = parameters.one('grant_type')
  const found = sentName === null ? null : findGrantType(ports, sentName)
  // The name for the events, because an unknown name is free text of the sender
  const nameForEvents = found === null || sentName === null ? 'unknown' : sentName
  const checks = recordChecks(callerChecks)
  let clientId: string | undefined
  try {
    const reading = withScopeCache(ports)
    const authenticate = traced(ports, 'client authentication', authenticateClient)
    const client = await authenticate(reading, request, context, checks)
    clientId = client.clientId
    ports.trace?.describe({ clientId, grantType: nameForEvents })
    checks.begin('grant_type_known')
    const name = requiredParameter(parameters, 'grant_type')
    if (found === null) throw new OauthError('grant_type_unknown')
    checks.begin('grant_type_allowed')
    requireGrantType(client, name)
    const granting = { client, grantType: name, parameters, checks }
    const answer = traced(ports, 'grant', found.answer)
    const { response, grant } = await answer(reading, granting, context)
    ports.usage.client(client.clientId, ports.clock.now())
    ports.countIssued?.(nameForEvents, response)
    const event: Event = { name: 'tokens_issued', outcome: 'success', clientId, grantType: nameForEvents }
    const owner = grant === null ? null : { subject: grant.subject, grantId: grant.id }
    ports.events.record({ ...event, ...owner, ...ignoredBy(ports, found, parameters) }, context)
    return { kind: 'issued', response }
  } catch (error) {
    if (!isOauthError(error)) throw error
    ports.events.record(refusalEvent(error, { checks, nameForEvents, clientId }), context)
    return refusedOutcome(error)
  }
}

/** Finds the grant type. A custom grant cannot take the name of a built-in one. */
function findGrantType({ customGrants }: Pick<Ports, 'customGrants'>, name: string): GrantType | null {
  if (Object.hasOwn(grantTypeHandlers, name)) return grantTypeHandlers[name] ?? null
  const custom = customGrants.find(({ grantType }) => grantType === name)
  return custom === undefined ? null : customGrant(custom)
}

/** Returns the names of ignored parameters for the event; `null` if there are none or an extension may read them. */
function ignoredBy(
  { hooks }: Pick<Ports, 'hooks'>,
  { parameters: used }: GrantType,
  { names }: Parameters,
): Pick<Event, 'details'> | null {
  if (used === null || hooks.validateTokenRequest !== undefined) return null
  const ignored = ignoredNames(names, name => used.includes(name) || rulesOf(name)?.everyGrant === true)
  return ignored.length === 0 ? null : { details: { ignored: ignored.join(' ') } }
}

type Refused = {
  readonly checks: CheckRecorder
  readonly nameForEvents: string
  readonly clientId: string | undefined
}

function refusalEvent(error: OauthError, { checks, nameForEvents, clientId }: Refused): Event {
  return {
    name: 'token_refused',
    outcome: 'failure',
    reason: error.reason,
    grantType: nameForEvents,
    ...(clientId === undefined ? {} : { clientId }),
    checks: checks.failed(error.evidence),
  }
}

/**
 * Reads the registered scopes once for all parts of a request, at the same time as the client, so that all parts get
 * the same scopes.
 */
function withScopeCache(ports: Ports): Ports {
  const registered = ports.scopes.all()
  // The callers that await the scopes receive the failure. If a request is refused before, the failure must not end the
  // process
  registered.catch(() => undefined)
  return { ...ports, scopes: { find: ports.scopes.find, all: () => registered } }
}

/** `grant_type=password`: legacy, for confidential clients that were configured for it (RFC 6749 4.3). */
import { OauthError, tooManyRequests } from '#lib/errors/oauth-error.ts'
import type { ReasonFor } from '#lib/errors/reasons.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { limitedAttempt, signInRateLimits } from '#lib/ports/rate-limiter.ts'
import type { Authentication } from '#lib/ports/users.ts'
import { type Client, isPublic } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { parseAcrValues } from '#lib/protocol/wire/authorize-params.ts'
import { requestedScopes } from '../scopes/resolve-scopes.ts'
import { issueTokens } from '../token/response.ts'
import { openGrant, requireActiveUser } from './grant.ts'
import { deliverableDescription, type GrantAnswer, type GrantRequest } from './grant-request.ts'

/** The same limits and rules as at the sign-in page, so that it is no way around them (TK-16). No identity token. */
export async function grantByPassword(
  ports: Ports,
  { client, request }: GrantRequest<'password'>,
  context: RequestContext,
): Promise<GrantAnswer> {
  refuseUnlessTrusted(client)
  const scopes = await requestedScopes(ports, client, request.scope)
  const person = await signedIn(ports, { client, request }, context)
  await requireActiveUser(ports, person.subject)
  const { subject, amr, acr, provenHash = null } = person
  const grant = await openGrant(ports, { client, scopes, subject, amr, acr, provenHash })
  const refresh = { kind: scopes.isOffline ? 'first' : 'none' } as const
  const issue = { client, grant, scopes: scopes.names, identity: null, refresh }
  return { response: await issueTokens(ports, issue), grant }
}

// A password may be typed into it only if it can keep a secret, and only where passwords are allowed at all.
function refuseUnlessTrusted(client: Client): void {
  if (isPublic(client)) throw new OauthError('public_client')
  if (!client.enableLocalLogin) throw new OauthError('local_login_disabled')
}

type Person = Extract<Authentication, { kind: 'full' }>

async function signedIn(
  ports: Ports,
  { client, request }: GrantRequest<'password'>,
  context: RequestContext,
): Promise<Person> {
  const { username, password } = request
  const canonicalUsername = await ports.userService.canonicalUsername(username)
  const rules = signInRateLimits({ canonicalUsername, address: context.address })
  const { tenant, others: acrValues } = parseAcrValues(request.acr_values ?? '')
  const hints = { client, tenant, acrValues }
  const attempt = await limitedAttempt(ports, rules, {
    check: () => ports.userService.authenticate({ username, password }, hints),
    // A right password is not a guess, even if the user may not sign in here
    isFailure: authentication => authentication.kind === 'refused',
  })
  if (attempt.kind === 'limited') refuseLimited(ports, client, context, attempt.retryAfterSeconds)
  const { result } = attempt
  if (result.kind !== 'full') return refuse(ports, client, context, result)
  const event = { name: 'sign_in_succeeded', outcome: 'success', grantType: 'password' } as const
  const about = { clientId: client.clientId, subject: result.subject, details: { method: 'pwd' } }
  ports.events.record({ ...event, ...about }, context)
  return result
}

function refuseLimited(ports: Ports, client: Client, context: RequestContext, seconds: number): never {
  const event = { name: 'sign_in_limited', outcome: 'failure', grantType: 'password' } as const
  ports.events.record({ ...event, clientId: client.clientId }, context)
  throw tooManyRequests('sign_in_throttled', seconds)
}

// A sign-in that needs another page cannot be finished here, and only who knows the password is told so.
function refuse(
  ports: Ports,
  client: Client,
  context: RequestContext,
  result: Exclude<Authentication, Person>,
): never {
  const event = {
    name: 'sign_in_failed',
    outcome: 'failure',
    grantType: 'password',
    ...causeOf(result),
  } as const
  ports.events.record({ ...event, clientId: client.clientId }, context)
  const message = result.kind === 'refused' ? result.message : null
  throw new OauthError(reasonOf(result), { description: deliverableDescription(message) })
}

function causeOf(result: Exclude<Authentication, Person>) {
  if (result.kind === 'partial') return { reason: reasonOf(result), subject: result.subject }
  return result.cause ?? { reason: reasonOf(result) }
}

function reasonOf(result: Exclude<Authentication, Person>): ReasonFor<'invalid_grant'> {
  return result.kind === 'partial' ? (result.reason ?? 'sign_in_partial') : 'sign_in_refused'
}

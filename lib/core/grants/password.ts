/** `grant_type=password`: legacy, for confidential clients that were configured for it (RFC 6749 4.3). */
import type { Checks } from '#lib/errors/checks.ts'
import { OauthError, tooManyRequests } from '#lib/errors/oauth-error.ts'
import type { ReasonFor } from '#lib/errors/reasons.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { checkWithinLimits, passwordGrantRateLimits } from '#lib/ports/rate-limiter.ts'
import type { Authentication, SignInHints } from '#lib/ports/users.ts'
import { type Client, isPublic } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import type { AcrValues } from '#lib/protocol/wire/parameters.ts'
import { readAcrValues } from '../authorize/validate.ts'
import { callPostAuthenticateHook, extensionRefusal, sendableDescription } from '../hooks/hooks.ts'
import { requireRequested } from '../scopes/resolve-scopes.ts'
import { issueTokens } from '../token/issue-tokens.ts'
import { permitTokens } from '../token/permit.ts'
import {
  callValidateTokenRequestHook,
  type GrantAnswer,
  type GrantRequest,
  type GrantType,
  openGrant,
  requiredParameter,
} from './grant.ts'

export const passwordGrant = {
  parameters: ['username', 'password', 'scope', 'acr_values'],
  answer: grantByPassword,
} as const satisfies GrantType

/** The same limits and rules as at the sign-in page, so that they cannot be bypassed (TK-16). No ID token. */
async function grantByPassword(
  ports: Ports,
  request: GrantRequest,
  context: RequestContext,
): Promise<GrantAnswer> {
  const { client, parameters, checks } = request
  checks.begin('parameters_present')
  const credentials = {
    username: requiredParameter(parameters, 'username'),
    password: requiredParameter(parameters, 'password'),
  }
  refuseUnlessTrusted(request)
  const requested = await requireRequested(ports, request)
  checks.begin('parameters_well_formed')
  // An extension of IdentityServer3
  const acrValues = readAcrValues(parameters.one('acr_values') ?? '')
  const user = await authenticate(ports, { client, credentials, acrValues, checks }, context)
  const { subject, amr, acr, provenHash = null } = user
  const { isOffline } = requested
  const permit = await permitTokens(ports, request, { subject, granted: requested.granted })
  const { claims } = await requirePostAuthentication(ports, { client, user, acrValues, checks }, context)
  const granted = claims === undefined ? permit.granted : { ...permit.granted, claims }
  await callValidateTokenRequestHook(ports, request, permit)
  const grant = await openGrant(ports, request, { granted, isOffline, subject, amr, acr, provenHash })
  const refresh = { kind: isOffline ? 'first' : 'none' } as const
  const issue = { permit: { ...permit, granted }, grant, idToken: null, refresh }
  return { response: await issueTokens(ports, issue, checks), grant }
}

// Only a client that can keep a secret may receive passwords, and only where passwords are allowed at all.
function refuseUnlessTrusted({ client, checks }: GrantRequest): void {
  checks.begin('client_is_confidential')
  if (isPublic(client)) throw new OauthError('public_client')
  checks.begin('password_sign_in_allowed')
  if (!client.enableLocalLogin) throw new OauthError('local_login_disabled')
}

type SignedIn = Extract<Authentication, { kind: 'full' }>

type SignIn = {
  readonly client: Client
  readonly credentials: { readonly username: string; readonly password: string }
  readonly acrValues: AcrValues
  readonly checks: Checks
}

async function authenticate(
  ports: Ports,
  { client, credentials, acrValues, checks }: SignIn,
  context: RequestContext,
): Promise<SignedIn> {
  const { username } = credentials
  const canonicalUsername = await ports.userService.canonicalUsername(username)
  const limits = passwordGrantRateLimits({ canonicalUsername, address: context.address })
  const hints = hintsOf(client, acrValues)
  checks.begin('rate_limit_not_exceeded')
  const attempt = await checkWithinLimits(ports, limits, {
    check: () => {
      checks.begin('credentials_correct')
      return ports.userService.authenticate(credentials, hints)
    },
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

function hintsOf(client: Client, { tenant, others }: AcrValues): SignInHints {
  return { client, tenant, acrValues: others }
}

type SignedInUser = Omit<SignIn, 'credentials'> & { readonly user: SignedIn }

/** Throws `invalid_grant` when the extensions refuse or interrupt: no page can be shown here. */
async function requirePostAuthentication(
  ports: Ports,
  { client, acrValues, checks, user: { subject, name, amr, acr } }: SignedInUser,
  context: RequestContext,
) {
  const about = { subject, name, amr, acr, idp: localProvider, providerClaims: null } as const
  const signIn = {
    ...about,
    ...hintsOf(client, acrValues),
    returnedFrom: null,
    via: 'password_grant',
  } as const
  if (ports.hooks.postAuthenticate !== undefined) checks.begin('extension_accepted')
  const verdict = await callPostAuthenticateHook(ports, signIn, context)
  if (verdict.kind === 'accepted') return verdict
  if (verdict.kind === 'partial') throw new OauthError('post_authenticate_partial')
  throw extensionRefusal('post_authenticate_refused', { description: verdict.message })
}

function refuseLimited(ports: Ports, client: Client, context: RequestContext, seconds: number): never {
  const event = { name: 'sign_in_limited', outcome: 'failure', grantType: 'password' } as const
  ports.events.record({ ...event, clientId: client.clientId }, context)
  throw tooManyRequests('sign_in_rate_limited', seconds)
}

// A sign-in that needs another page cannot be finished here. Only a caller with the right password learns that.
function refuse(
  ports: Ports,
  client: Client,
  context: RequestContext,
  result: Exclude<Authentication, SignedIn>,
): never {
  const event = {
    name: 'sign_in_failed',
    outcome: 'failure',
    grantType: 'password',
    ...causeOf(result),
  } as const
  ports.events.record({ ...event, clientId: client.clientId }, context)
  const message = result.kind === 'refused' ? result.message : null
  throw new OauthError(reasonOf(result), { description: sendableDescription(message) })
}

function causeOf(result: Exclude<Authentication, SignedIn>) {
  if (result.kind === 'partial') return { reason: reasonOf(result), subject: result.subject }
  return result.cause ?? { reason: reasonOf(result) }
}

function reasonOf(result: Exclude<Authentication, SignedIn>): ReasonFor<'invalid_grant'> {
  return result.kind === 'partial' ? (result.reason ?? 'sign_in_partial') : 'sign_in_refused'
}

/** `grant_type=password`: legacy, for confidential clients that were configured for it (RFC 6749 4.3). */
import type { Checks } from '#lib/errors/checks.ts'
import { OauthError, tooManyRequests } from '#lib/errors/oauth-error.ts'
import { reasonRow } from '#lib/errors/reasons.ts'
import { callerAt } from '#lib/ports/check-caller.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { SignInToCheck } from '#lib/ports/sign-in-steps.ts'
import type { Authentication, SignInHints } from '#lib/ports/users.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import { type Client, isPublic } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import type { AcrValues } from '#lib/protocol/wire/parameters.ts'
import { readAcrValues } from '../authorize/validate.ts'
import { extensionRefusal, sendableDescription } from '../hooks/hooks.ts'
import { checkWithinLimits, passwordGrantRateLimits } from '../limits/attempt-limits.ts'
import { requireRequested } from '../scopes/resolve-scopes.ts'
import { acrOf, assuranceOfFactors } from '../sign-in/assurance.ts'
import { assuranceOf, beginSignIn, findNextStep, passwordHashOf } from '../sign-in/proven-sign-in.ts'
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

/** Applies rate limits and the sign-in steps, so that this grant cannot bypass them (TK-16). Issues no ID token. */
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
  // `acr_values` is an extension of IdentityServer3
  const acrValues = readAcrValues(parameters.one('acr_values') ?? '')
  const signedIn = await authenticate(ports, { client, credentials, acrValues, checks }, context)
  const { proven } = signedIn
  const { subject } = proven
  const { isOffline } = requested
  const permit = await permitTokens(ports, request, {
    subject,
    granted: requested.granted,
    hasSteps: true,
  })
  const claims = await requireNoStep(ports, { client, acrValues, checks, ...signedIn }, context)
  const granted = claims === undefined ? permit.granted : { ...permit.granted, claims }
  await callValidateTokenRequestHook(ports, request, permit)
  const { amr, acr: confirmed } = assuranceOf(proven)
  const level = assuranceOfFactors(proven.factors)
  const acr = acrOf({ level, confirmed, client, acrValues: acrValues.others })
  const proof = { amr, acr, provenHash: passwordHashOf(proven) }
  const grant = await openGrant(ports, request, { granted, isOffline, subject, ...proof })
  const refresh = { kind: isOffline ? 'first' : 'none' } as const
  const issue = { permit: { ...permit, granted }, grant, idToken: null, refresh }
  return { response: await issueTokens(ports, issue, checks), grant }
}

// Only a client that can keep a secret may receive passwords, and only if it may use local sign-in
function refuseUnlessTrusted({ client, checks }: GrantRequest): void {
  checks.begin('client_is_confidential')
  if (isPublic(client)) throw new OauthError('public_client')
  checks.begin('password_sign_in_allowed')
  if (!client.enableLocalLogin) throw new OauthError('local_login_disabled')
}

type SignIn = {
  readonly client: Client
  readonly credentials: { readonly username: string; readonly password: string }
  readonly acrValues: AcrValues
  readonly checks: Checks
}

type Refused = Extract<Authentication, { kind: 'refused' }>

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
      return ports.userService.authenticate(credentials, { ...hints, caller: callerAt(context.address) })
    },
    // A correct password is not a guess, even if the user may not sign in to this client
    isFailure: authentication => authentication.kind === 'refused',
  })
  if (attempt.kind === 'limited') refuseLimited(ports, client, context, attempt.retryAfterSeconds)
  const { result } = attempt
  if (result.kind === 'refused') return refuse(ports, client, result, context)
  const credential = { kind: 'password', hash: null } as const
  const start = { idp: localProvider, authenticatedAt: null, provider: null, credential }
  const proven = beginSignIn(result, { ...start, now: ports.clock.now() })
  return { proven, account: result.kind === 'full' ? result.account : undefined }
}

function hintsOf(client: Client, { tenant, others }: AcrValues): SignInHints {
  return { client, tenant, acrValues: others }
}

type SignedIn = Pick<SignInToCheck, 'proven' | 'account'>

type SignedInUser = SignedIn & Omit<SignIn, 'credentials'>

/**
 * Returns the claims that the sign-in steps add. Throws when a step refuses or requires a page, which this grant cannot
 * show.
 */
async function requireNoStep(
  ports: Ports,
  { client, acrValues, checks, proven, account }: SignedInUser,
  context: RequestContext,
): Promise<Claims | undefined> {
  const { clientId } = client
  const { subject } = proven
  const grantType = 'password'
  if (ports.hooks.postAuthenticate !== undefined) checks.begin('extension_accepted')
  const toCheck = { proven, account, hints: hintsOf(client, acrValues), via: 'password_grant' } as const
  const next = await findNextStep(ports, toCheck, context)
  if (next.kind === 'passed') {
    const event = { name: 'sign_in_succeeded', outcome: 'success', grantType } as const
    ports.events.record({ ...event, clientId, subject, details: { method: 'pwd' } }, context)
    return next.claims
  }
  const reason = next.kind === 'refused' ? next.reason : (next.step.reason ?? 'sign_in_partial')
  const event = { name: 'sign_in_failed', outcome: 'failure', grantType } as const
  ports.events.record({ ...event, clientId, subject, reason }, context)
  const { check } = reasonRow(reason)
  if (check !== undefined) checks.begin(check)
  throw extensionRefusal(reason, { description: next.kind === 'refused' ? next.message : null })
}

function refuseLimited(ports: Ports, client: Client, context: RequestContext, seconds: number): never {
  const event = { name: 'sign_in_limited', outcome: 'failure', grantType: 'password' } as const
  ports.events.record({ ...event, clientId: client.clientId }, context)
  throw tooManyRequests('sign_in_rate_limited', seconds)
}

function refuse(ports: Ports, client: Client, { message, cause }: Refused, context: RequestContext): never {
  const { clientId } = client
  const event = { name: 'sign_in_failed', outcome: 'failure', grantType: 'password' } as const
  ports.events.record({ ...event, ...(cause ?? { reason: 'sign_in_refused' }), clientId }, context)
  throw new OauthError('sign_in_refused', { description: sendableDescription(message) })
}

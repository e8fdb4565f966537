/**
 * Sign-in with an identity provider. The state of the request is bound to the browser and the provider, and can be used
 * once.
 */
import { findInteraction, type PendingInteraction } from '#lib/core/authorize/pending.ts'
import { resultsOfFailure } from '#lib/errors/checks.ts'
import { isOauthError, type OauthError } from '#lib/errors/oauth-error.ts'
import { failureOf, isCanceledByUser, type ProviderFailure } from '#lib/errors/provider-failures.ts'
import { reasonRow } from '#lib/errors/reasons.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RedeemedIdentity } from '#lib/ports/sign-in-steps.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import {
  type BrowserHandle,
  type PendingHandle,
  parseHandle,
  type SessionHandle,
  type TrustedBrowserHandle,
} from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import {
  type ExternalAuthState,
  findProvider,
  orProviderError,
  pendingOfUsedState,
  redeemCallback,
  startAuthorization,
  takeAuthState,
} from './external-provider.ts'
import { finishExternalSignIn } from './finish-external-sign-in.ts'
import { eventFields } from './finish-sign-in.ts'
import { allowsProvider, hintsOf } from './interaction.ts'
import { linkByEmail } from './links/offered-link.ts'
import {
  providerSignInTime,
  requestedFreshness,
  type SignInCause,
  unreportedProofTime,
} from './provider-sign-in-time.ts'
import { currentSession } from './session.ts'
import { type ReturningSignInOutcome, refused } from './sign-in-outcome.ts'

export type ExternalStart = {
  /** The scheme in the path of the request. */
  readonly scheme: string
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
  /** Whether the signed-in user confirms the identity, so that the provider must ask the user to sign in again. */
  readonly isConfirmation?: boolean
}

export type ExternalStartOutcome =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'refused'; readonly why: 'unknown_provider' | 'provider_failed' | 'expired' }

/** Stores the request for the comparison with the callback, and returns the URL for the browser, or a refusal. */
export async function startExternalSignIn(
  ports: Ports,
  { scheme, pending, browser, isConfirmation = false }: ExternalStart,
  context: RequestContext,
): Promise<ExternalStartOutcome> {
  const interaction = await findInteraction(ports, pending, browser)
  const request = { provider: null, interaction, pending }
  if (browser === null || (pending !== null && interaction === null)) {
    recordFailure(ports, { ...request, reason: 'request_expired' }, context)
    return { kind: 'refused', why: 'expired' }
  }
  const provider = await findAllowedProvider(ports, scheme, interaction)
  if (provider === null) {
    recordFailure(ports, { ...request, reason: 'provider_not_allowed' }, context)
    return { kind: 'refused', why: 'unknown_provider' }
  }
  const url = await startAuthorization(ports, {
    provider,
    // The state shows at the callback that the sign-in is a confirmation
    state: ports.random.handle(isConfirmation ? 'externalConfirmState' : 'externalState'),
    boundTo: ports.hashing.digest(browser),
    pending,
    hints: requestHints({ interaction, isConfirmation }),
  })
  if (isOauthError(url)) {
    recordFailure(ports, { ...request, provider, ...failureOf(url) }, context)
    return { kind: 'refused', why: 'provider_failed' }
  }
  const fields = providerEventFields(ports, { ...request, provider })
  ports.events.record({ name: 'external_sign_in_started', outcome: 'success', ...fields }, context)
  return { kind: 'redirect', url }
}

/** Returns the provider if it is enabled and the pending request allows it now. */
async function findAllowedProvider(
  ports: Ports,
  scheme: string,
  interaction: PendingInteraction | null,
): Promise<IdentityProvider | null> {
  const provider = await findProvider(ports, scheme)
  return provider !== null && allowsProvider(interaction, provider) ? provider : null
}

function requestHints(cause: SignInCause) {
  const { interaction } = cause
  const locales = interaction?.uiLocales.join(' ') ?? ''
  return {
    loginHint: interaction?.loginHint ?? null,
    uiLocales: locales === '' ? null : locales,
    ...requestedFreshness(cause),
  }
}

export type ExternalCallback = {
  /** The scheme in the path of the callback, which must name the provider of the authorization request. */
  readonly scheme: string
  /** The parameters of the query or form, unchanged. */
  readonly parameters: Readonly<Record<string, string>>
  readonly browser: BrowserHandle | null
  readonly previous: readonly SessionHandle[]
  readonly trustedBrowsers?: readonly TrustedBrowserHandle[]
}

/**
 * Completes a sign-in that was started in this browser. Reading the state consumes it. Provider, client and pending
 * request are read again: if one of them was disabled, or no longer allows the sign-in, it is not completed.
 */
export async function completeExternalSignIn(
  ports: Ports,
  { scheme, parameters, browser, previous, trustedBrowsers = [] }: ExternalCallback,
  context: RequestContext,
): Promise<ReturningSignInOutcome> {
  if (browser === null) return expired(ports, null, context)
  const confirmState = parseHandle('externalConfirmState', parameters.state)
  const isConfirmation = confirmState !== null
  const state = confirmState ?? parseHandle('externalState', parameters.state)
  const callback = { state, boundTo: ports.hashing.digest(browser) }
  const authState = await takeAuthState(ports, callback)
  if (authState === null) {
    const known = await pendingOfUsedState(ports, callback)
    return known === undefined ? expired(ports, null, context) : { kind: 'came_back_again', pending: known }
  }
  const { pending } = authState
  const interaction = await findInteraction(ports, pending, browser)
  if (pending !== null && interaction === null) return expired(ports, pending, context)
  const request = { interaction, pending }
  const provider = authState.scheme === scheme ? await findAllowedProvider(ports, scheme, interaction) : null
  if (provider === null) {
    recordFailure(ports, { ...request, provider, reason: 'provider_not_allowed' }, context)
    return { ...refused('not_allowed'), scheme: authState.scheme, pending }
  }
  const cause = { interaction, isConfirmation }
  const redeemed = await orProviderError(redeemIdentity(ports, { provider, authState, parameters, cause }))
  if (isOauthError(redeemed)) {
    recordFailure(ports, { ...request, provider, ...failureOf(redeemed) }, context)
    return { ...refused(refusalOf(redeemed)), scheme: provider.scheme, pending }
  }
  // The first session is the current one
  const confirmed = isConfirmation ? await currentSession(ports, previous[0] ?? null) : null
  const confirms = confirmed?.subject ?? null
  const place = { ...request, browser, previous, trustedBrowsers, confirms }
  const offer = isConfirmation ? null : await linkByEmail(ports, { provider, redeemed, place }, context)
  return { ...(offer ?? (await finishExternalSignIn(ports, redeemed, place, context))), pending }
}

type Redeeming = {
  readonly provider: IdentityProvider
  readonly authState: ExternalAuthState
  readonly parameters: ExternalCallback['parameters']
  readonly cause: SignInCause
}

async function redeemIdentity(
  ports: Ports,
  { provider, authState, parameters, cause }: Redeeming,
): Promise<RedeemedIdentity> {
  const redeemed = await redeemCallback(ports, provider, authState, parameters)
  const { identity, idToken, methods } = redeemed
  const reported = identity.authenticatedAt
  return {
    identity,
    idToken: neededIdToken(provider, idToken),
    credential: providerCredential(provider, methods),
    authenticatedAt: providerSignInTime(provider, reported, cause, ports.clock.now()),
    provenAt: unreportedProofTime(reported, cause),
  }
}

/** The operator decides which values of this provider mean two factors: each provider has its own. */
function providerCredential({ secondFactorValues }: IdentityProvider, methods: readonly string[]) {
  const hasTwoFactors = methods.some(method => secondFactorValues.includes(method))
  return { kind: 'provider', ...(hasTwoFactors ? { hasTwoFactors } : {}) } as const
}

/** The longest ID token to store, in characters: servers should accept URLs of at least 8,000 (RFC 9110 4.1). */
const longestProviderHint = 7500

/** Returns the ID token if the sign-out at the provider needs it and a URL can contain it; otherwise `null`. */
function neededIdToken({ signOutAtProvider }: IdentityProvider, idToken: string | null): string | null {
  return signOutAtProvider && idToken !== null && idToken.length <= longestProviderHint ? idToken : null
}

/** Records a callback that belongs to no valid sign-in of this browser. */
function expired(ports: Ports, pending: PendingHandle | null, context: RequestContext) {
  recordFailure(
    ports,
    { provider: null, interaction: null, pending, reason: 'external_state_unknown' },
    context,
  )
  return { kind: 'expired', pending } as const
}

/** Returns the reason for the user. */
function refusalOf(error: OauthError): 'provider_failed' | 'provider_cancelled' | 'account_refused' {
  if (error.reason === 'tenant_not_allowed') return 'account_refused'
  return isCanceledByUser(error) ? 'provider_cancelled' : 'provider_failed'
}

/**
 * The data of a sign-in for its events. `provider: null`: the request expired, its state is unknown, or the scheme names
 * no allowed provider.
 */
type ProviderRequest = {
  readonly provider: IdentityProvider | null
  readonly interaction: PendingInteraction | null
  readonly pending: PendingHandle | null
}

/** Records a failed sign-in. For `answer`, see `ProviderFailure`. */
function recordFailure(
  ports: Ports,
  failure: ProviderRequest & Omit<ProviderFailure, 'answer'> & Partial<Pick<ProviderFailure, 'answer'>>,
  context: RequestContext,
): void {
  const { reason, answer = null, mismatch } = failure
  const fields = providerEventFields(ports, failure, answer === null ? {} : { answer })
  const check = mismatch === undefined ? undefined : reasonRow(reason).check
  const checks = check === undefined ? {} : { checks: resultsOfFailure([check], check, mismatch) }
  const event = { name: 'external_sign_in_failed', outcome: 'failure', reason, ...fields, ...checks } as const
  ports.events.record(event, context)
}

function providerEventFields(
  ports: Ports,
  { provider, interaction, pending }: ProviderRequest,
  details: Readonly<Record<string, string>> = {},
) {
  const scheme = provider?.scheme ?? null
  return eventFields(ports, { hints: hintsOf(interaction), pending }, { scheme, ...details })
}

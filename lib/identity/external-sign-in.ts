/**
 * Sign-in with an identity provider. The state of the request is bound to the browser and the provider, and can be used
 * once.
 */
import { clockSkewSeconds } from '#lib/config/limits.ts'
import { findInteraction, type PendingInteraction } from '#lib/core/authorize/pending.ts'
import { resultsOfFailure } from '#lib/errors/checks.ts'
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import { failureOf, type ProviderFailure } from '#lib/errors/provider-failures.ts'
import { reasonRow } from '#lib/errors/reasons.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import { type BrowserHandle, type PendingHandle, parseHandle, type SessionHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import {
  findProvider,
  orProviderError,
  pendingOfUsedState,
  redeemCallback,
  startAuthorization,
  takeAuthState,
} from './external-provider.ts'
import { eventFields, finishSignIn } from './finish-sign-in.ts'
import { allowsProvider, hintsOf } from './interaction.ts'
import { type ReturningSignInOutcome, refused } from './sign-in-outcome.ts'

export type ExternalStart = {
  /** The scheme in the path of the request. */
  readonly scheme: string
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
}

export type ExternalStartOutcome =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'refused'; readonly why: 'unknown_provider' | 'provider_failed' | 'expired' }

/** Stores the request for the comparison with the callback, and returns the URL for the browser, or a refusal. */
export async function startExternalSignIn(
  ports: Ports,
  { scheme, pending, browser }: ExternalStart,
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
    state: ports.random.handle('externalState'),
    boundTo: ports.hashing.digest(browser),
    pending,
    hints: requestHints(interaction),
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

function requestHints(interaction: PendingInteraction | null) {
  const locales = interaction?.uiLocales.join(' ') ?? ''
  return {
    loginHint: interaction?.loginHint ?? null,
    uiLocales: locales === '' ? null : locales,
    ...requestedFreshness(interaction),
  }
}

export type ExternalCallback = {
  /** The scheme in the path of the callback, which must name the provider of the authorization request. */
  readonly scheme: string
  /** The parameters of the query or form, unchanged. */
  readonly parameters: Readonly<Record<string, string>>
  readonly browser: BrowserHandle | null
  readonly previous: SessionHandle | null
}

/**
 * Completes a sign-in that was started in this browser. Reading the state consumes it. Provider, client and pending
 * request are read again: if one of them was disabled, or no longer allows the sign-in, it is not completed.
 */
export async function completeExternalSignIn(
  ports: Ports,
  { scheme, parameters, browser, previous }: ExternalCallback,
  context: RequestContext,
): Promise<ReturningSignInOutcome> {
  if (browser === null) return expired(ports, null, context)
  const state = parseHandle('externalState', parameters.state)
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
  const redeemed = await orProviderError(
    redeemCallback(ports, provider, authState, parameters).then(({ identity, idToken }) => ({
      identity,
      idToken,
      authenticatedAt: providerSignInTime(provider, identity.authenticatedAt, interaction, ports.clock.now()),
    })),
  )
  if (isOauthError(redeemed)) {
    recordFailure(ports, { ...request, provider, ...failureOf(redeemed) }, context)
    return { ...refused(refusalOf(redeemed)), scheme: provider.scheme, pending }
  }
  const { identity, idToken, authenticatedAt } = redeemed
  const hints = hintsOf(interaction)
  const authentication = await ports.userService.authenticateExternal(identity, hints)
  const signInContext = {
    idp: provider.scheme,
    remember: false,
    authenticatedAt,
    hints,
    provider: { claims: identity.claims, idToken: neededIdToken(provider, idToken) },
    pending,
    browser,
    previous,
    credential: { kind: 'provider' } as const,
  }
  return { ...(await finishSignIn(ports, authentication, signInContext, context)), pending }
}

/** The longest ID token to store, in characters: servers should accept URLs of at least 8,000 (RFC 9110 4.1). */
const longestProviderHint = 7500

/** Returns the ID token if the sign-out at the provider needs it and a URL can contain it; otherwise `null`. */
function neededIdToken({ signOutAtProvider }: IdentityProvider, idToken: string): string | null {
  return signOutAtProvider && idToken.length <= longestProviderHint ? idToken : null
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

/** Returns the reason for the user: after `access_denied` (RFC 6749 4.1.2.1), that the user canceled. */
function refusalOf({ reason, evidence }: OauthError): 'provider_failed' | 'provider_cancelled' {
  const isCanceled = reason === 'provider_answered' && evidence?.sent === 'access_denied'
  return isCanceled ? 'provider_cancelled' : 'provider_failed'
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

/**
 * Returns the freshness to request from the provider. If the client requires a new sign-in, `max_age` is 0: with only
 * `prompt=login`, the provider need not report the time of the sign-in.
 */
function requestedFreshness(interaction: PendingInteraction | null) {
  const forceLogin = forcesLogin(interaction)
  return { forceLogin, maxAgeSeconds: forceLogin ? 0 : (interaction?.request.maxAgeSeconds ?? null) }
}

/**
 * Returns the time for `auth_time`: the one that the provider reports, but not later than now; without a report, the
 * current time. If the client limited the age of the sign-in (MF-06), a provider with the setting `auth_time` must
 * report a time, and a reported time must be recent enough, or that of a sign-in for this request, which counts as not
 * earlier than the request.
 * @throws OauthError `provider_failed`
 */
function providerSignInTime(
  { reauthentication }: IdentityProvider,
  reported: Date | null,
  interaction: PendingInteraction | null,
  now: Date,
): Date {
  const { maxAgeSeconds } = requestedFreshness(interaction)
  const at = reported !== null && reported < now ? reported : now
  if (interaction === null || maxAgeSeconds === null) return at
  if (reported === null && reauthentication === 'auth_time') throw new OauthError('auth_time_missing')
  if (!forcesLogin(interaction) && secondsBetween(at, now) <= maxAgeSeconds) return at
  // A sign-in for this request counts as later than the request, whatever the provider's clock shows. Otherwise the
  // pending request would require another sign-in, in an endless loop
  const isForThis = secondsBetween(at, interaction.opened.createdAt) <= toleranceSeconds(interaction)
  if (!isForThis) throw new OauthError('auth_time_too_old')
  return at > interaction.opened.createdAt ? at : interaction.opened.createdAt
}

function forcesLogin(interaction: PendingInteraction | null): boolean {
  if (interaction === null) return false
  return interaction.request.prompts.includes('login') || interaction.request.maxAgeSeconds === 0
}

/**
 * Returns how many seconds before the request a sign-in for it may be reported: the possible difference of the
 * provider's clock if the client requires a new sign-in, otherwise one, because `auth_time` has whole seconds.
 */
function toleranceSeconds(interaction: PendingInteraction): number {
  return forcesLogin(interaction) ? clockSkewSeconds : 1
}

function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000
}

/** Signing in at another OpenID provider: out with a state bound to browser and provider, back exactly once. */
import { isOauthError, type OauthError } from '#lib/errors/oauth-error.ts'
import type { IdentityProvider } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { ExternalIdentity } from '#lib/ports/users.ts'
import { type BrowserHandle, type PendingHandle, parseHandle, type SessionHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import {
  type Departure,
  newDeparture,
  type Return,
  storeDeparture,
  takeDeparture,
} from './external-departure.ts'
import { about, callbackUri, findProvider, orProviderError, recordFailure } from './external-provider.ts'
import { finishSignIn } from './finish-sign-in.ts'
import { type FindInteraction, hintsOf, type Interaction } from './interaction.ts'
import { freshnessWishes, providerSignInTime } from './provider-sign-in-time.ts'
import { type ReturningSignInOutcome, refused } from './sign-in-outcome.ts'

export type ExternalStart = {
  /** From the path of the request. */
  readonly scheme: string
  readonly pending: PendingHandle | null
  /** What the waiting request says; `null` with a `pending` means that it is gone. */
  readonly interaction: Interaction | null
  readonly browser: BrowserHandle | null
}

export type ExternalStartOutcome =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'refused'; readonly why: 'unknown_provider' | 'provider_failed' | 'expired' }

/** Stores what the return will be compared with, and says where the browser must go. */
export async function startExternalSignIn(
  ports: Ports,
  { scheme, pending, interaction, browser }: ExternalStart,
  context: RequestContext,
): Promise<ExternalStartOutcome> {
  const nowhere = { provider: null, interaction, pending }
  if (browser === null || (pending !== null && interaction === null)) {
    recordFailure(ports, { ...nowhere, reason: 'request_expired' }, context)
    return { kind: 'refused', why: 'expired' }
  }
  const provider = await findProvider(ports, scheme, interaction)
  if (provider === null) {
    recordFailure(ports, { ...nowhere, reason: 'provider_not_open' }, context)
    return { kind: 'refused', why: 'unknown_provider' }
  }
  const departure = newDeparture(ports, ports.random.handle('externalState'))
  const url = await orProviderError(
    ports.upstream.authorizationUrl(provider, {
      ...departure,
      ...wishesOf(interaction),
      redirectUri: callbackUri(ports, provider),
    }),
  )
  if (isOauthError(url)) {
    recordFailure(ports, { provider, interaction, pending, ...causeOf(url) }, context)
    return { kind: 'refused', why: 'provider_failed' }
  }
  await storeDeparture(ports, departure, { provider, traveller: ports.hashing.digest(browser), pending })
  ports.events.record(
    {
      name: 'external_sign_in_started',
      outcome: 'success',
      ...about(ports, { provider, interaction, pending }),
    },
    context,
  )
  return { kind: 'redirect', url }
}

function wishesOf(interaction: Interaction | null) {
  const locales = interaction?.uiLocales.join(' ') ?? ''
  return {
    loginHint: interaction?.loginHint ?? null,
    uiLocales: locales === '' ? null : locales,
    ...freshnessWishes(interaction),
  }
}

export type ExternalReturn = {
  /** From the path of the callback; must be the provider that the sign-in went out to. */
  readonly scheme: string
  /** Query or form, as it came. */
  readonly parameters: Readonly<Record<string, string>>
  readonly browser: BrowserHandle | null
  readonly previous: SessionHandle | null
  readonly findInteraction: FindInteraction
}

/** A return that nobody here went out for, or too late; also what a forged one looks like. */
function expired(ports: Ports, pending: PendingHandle | null, context: RequestContext) {
  recordFailure(ports, { provider: null, interaction: null, pending, reason: 'departure_unknown' }, context)
  return { kind: 'expired', pending: null } as const
}

/**
 * Finishes a sign-in that went out from this very browser. The state is spent by the first look at it. Provider,
 * client and waiting request are all read again: what was disabled or forbidden meanwhile cannot finish.
 */
export async function completeExternalSignIn(
  ports: Ports,
  input: ExternalReturn,
  context: RequestContext,
): Promise<ReturningSignInOutcome> {
  const { browser, parameters, previous } = input
  if (browser === null) return expired(ports, null, context)
  const state = parseHandle('externalState', parameters.state)
  const returned = await takeDeparture(ports, { state, traveller: ports.hashing.digest(browser) })
  if (returned === null) return expired(ports, null, context)
  const { pending } = returned
  const interaction = pending === null ? null : await input.findInteraction(pending, browser)
  if (pending !== null && interaction === null) return expired(ports, pending, context)
  const provider =
    returned.scheme === input.scheme ? await findProvider(ports, input.scheme, interaction) : null
  if (provider === null) {
    recordFailure(ports, { provider, interaction, pending, reason: 'provider_not_open' }, context)
    return { ...refused('not_allowed'), pending }
  }
  const answer = await redeem(ports, { provider, returned, interaction, parameters })
  if (isOauthError(answer)) {
    recordFailure(ports, { provider, interaction, pending, ...causeOf(answer) }, context)
    return { ...refused(whyNot(answer)), scheme: provider.scheme, pending }
  }
  const { identity, authenticatedAt } = answer
  const authentication = await ports.userService.authenticateExternal(identity, hintsOf(interaction))
  const clientId = interaction?.hints.client?.clientId ?? null
  const way = { pending, browser, previous, provenHash: null }
  const arrival = { idp: provider.scheme, remember: false, authenticatedAt, clientId, ...way }
  return { ...(await finishSignIn(ports, authentication, arrival, context)), pending }
}

/** OpenID Connect Core 3.1.2.6: the answer of a provider where the person said no. */
function whyNot({ reason, evidence }: OauthError): 'provider_failed' | 'provider_cancelled' {
  return reason === 'provider_answered' && evidence?.sent === 'access_denied'
    ? 'provider_cancelled'
    : 'provider_failed'
}

function causeOf({ reason, evidence }: OauthError) {
  return { reason, answer: evidence?.sent }
}

type Answer = {
  readonly provider: IdentityProvider
  readonly returned: Return
  readonly interaction: Interaction | null
  readonly parameters: Readonly<Record<string, string>>
}

type Redeemed = { readonly identity: ExternalIdentity; readonly authenticatedAt: Date }

function redeem(ports: Ports, answer: Answer): Promise<Redeemed | OauthError> {
  const { state, nonce, codeVerifier }: Departure = answer.returned
  const { provider, interaction, parameters } = answer
  const redirectUri = callbackUri(ports, provider)
  const conversation = async () => {
    const callback = { parameters, redirectUri, state, nonce, codeVerifier }
    const identity = await ports.upstream.redeem(provider, callback)
    const { authenticatedAt: said } = identity
    return { identity, authenticatedAt: providerSignInTime(said, interaction, ports.clock.now()) }
  }
  return orProviderError(conversation())
}

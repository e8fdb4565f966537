/**
 * Trying a provider out: the real way there and back, so that an admin sees what it says of a person. It signs nobody in
 * and links nothing, and works while the provider is disabled.
 */
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { failureOf, type ProviderFailure } from '#lib/errors/provider-failures.ts'
import type { IdentityProvider } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { ExternalIdentity } from '#lib/ports/users.ts'
import { type Digest, parseHandle, providerSchemeSchema } from '#lib/protocol/ids.ts'
import { newDeparture, storeDeparture, takeDeparture } from './external-departure.ts'
import { callbackUri, orProviderError } from './external-provider.ts'

export type TrialStart = {
  readonly scheme: string
  /** The digest of the visit that tries: nobody else can finish it. */
  readonly visit: Digest
}

export type TrialStarted =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'unknown_provider' }
  | { readonly kind: 'failed'; readonly failure: ProviderFailure }

export async function startTrial(ports: Ports, { scheme, visit }: TrialStart): Promise<TrialStarted> {
  const provider = await findAny(ports, scheme)
  if (provider === null) return { kind: 'unknown_provider' }
  const departure = newDeparture(ports, ports.random.handle('trialState'))
  const wishes = { loginHint: null, uiLocales: null, forceLogin: false, maxAgeSeconds: null }
  const url = await orProviderError(
    ports.upstream.authorizationUrl(provider, {
      ...departure,
      ...wishes,
      redirectUri: callbackUri(ports, provider),
    }),
  )
  if (isOauthError(url)) return { kind: 'failed', failure: failureOf(url) }
  await storeDeparture(ports, departure, { provider, traveller: visit, pending: null })
  return { kind: 'redirect', url }
}

export type TrialReturn = TrialStart & {
  /** The parameters of the callback, as they came. */
  readonly parameters: Readonly<Record<string, string>>
}

export type TrialOutcome =
  | { readonly kind: 'identity'; readonly identity: ExternalIdentity }
  /** Not begun in this visit, too old, or finished already. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'failed'; readonly failure: ProviderFailure }

export async function finishTrial(
  ports: Ports,
  { scheme, visit, parameters }: TrialReturn,
): Promise<TrialOutcome> {
  const state = parseHandle('trialState', parameters.state)
  const returned = await takeDeparture(ports, { state, traveller: visit })
  const provider = returned?.scheme === scheme ? await findAny(ports, scheme) : null
  if (returned === null || provider === null) return { kind: 'expired' }
  const { nonce, codeVerifier } = returned
  const callback = { parameters, redirectUri: callbackUri(ports, provider), nonce, codeVerifier }
  const identity = await orProviderError(
    ports.upstream.redeem(provider, { ...callback, state: returned.state }),
  )
  return isOauthError(identity)
    ? { kind: 'failed', failure: failureOf(identity) }
    : { kind: 'identity', identity }
}

async function findAny(
  { providers }: Pick<Ports, 'providers'>,
  scheme: string,
): Promise<IdentityProvider | null> {
  const parsed = providerSchemeSchema.safeParse(scheme)
  return parsed.success ? providers.find(parsed.data) : null
}

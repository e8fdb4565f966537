/**
 * A test sign-in with a provider, with the same requests to the provider as a real one, so that an admin sees the
 * claims that the provider sends. It creates no session and no account, and also works for a disabled provider.
 */
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { failureOf, type ProviderFailure } from '#lib/errors/provider-failures.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { ExternalIdentity } from '#lib/ports/users.ts'
import { type Digest, parseHandle } from '#lib/protocol/ids.ts'
import {
  findProvider,
  orProviderError,
  redeemCallback,
  startAuthorization,
  takeAuthState,
} from './external-provider.ts'

type ProviderTestStart = {
  readonly scheme: string
  /** The digest of the admin session that started the test; no other session can complete it. */
  readonly adminSession: Digest
}

type ProviderTestStarted =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'unknown_provider' }
  | { readonly kind: 'failed'; readonly failure: ProviderFailure }

const noHints = { loginHint: null, uiLocales: null, forceLogin: false, maxAgeSeconds: null }

export async function startProviderTest(
  ports: Ports,
  { scheme, adminSession }: ProviderTestStart,
): Promise<ProviderTestStarted> {
  const provider = await findProvider(ports, scheme)
  if (provider === null) return { kind: 'unknown_provider' }
  const state = ports.random.handle('providerTestState')
  const request = { provider, state, boundTo: adminSession, pending: null, hints: noHints }
  const url = await startAuthorization(ports, request)
  return isOauthError(url) ? { kind: 'failed', failure: failureOf(url) } : { kind: 'redirect', url }
}

type ProviderTestReturn = ProviderTestStart & {
  /** The parameters of the callback, unchanged. */
  readonly parameters: Readonly<Record<string, string>>
}

type ProviderTestOutcome =
  | { readonly kind: 'identity'; readonly identity: ExternalIdentity }
  /**
   * The test was not started in this admin session for this provider, is too old, or is already completed; or the
   * provider was deleted.
   */
  | { readonly kind: 'expired' }
  | { readonly kind: 'failed'; readonly failure: ProviderFailure }

export async function finishProviderTest(
  ports: Ports,
  { scheme, adminSession, parameters }: ProviderTestReturn,
): Promise<ProviderTestOutcome> {
  const state = parseHandle('providerTestState', parameters.state)
  const authState = await takeAuthState(ports, { state, boundTo: adminSession })
  const provider = authState?.scheme === scheme ? await findProvider(ports, scheme) : null
  if (authState === null || provider === null) return { kind: 'expired' }
  const redeemed = await orProviderError(redeemCallback(ports, provider, authState, parameters))
  return isOauthError(redeemed)
    ? { kind: 'failed', failure: failureOf(redeemed) }
    : { kind: 'identity', identity: redeemed.identity }
}

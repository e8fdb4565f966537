/**
 * Links an identity at an identity provider to the account of a signed-in user, who proves both: the account by a fresh
 * sign-in, the identity by a sign-in at the provider in the same browser session. Then the user is asked.
 */
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { failureOf, isCanceledByUser } from '#lib/errors/provider-failures.ts'
import type { NamedIdentity } from '#lib/ports/account-links.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import { type Handle, parseHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import {
  type ExternalAuthState,
  findProvider,
  orProviderError,
  redeemCallback,
  startAuthorization,
  takeAuthState,
} from '../external-provider.ts'
import { providerSignInTime, requestedFreshness } from '../provider-sign-in-time.ts'
import { recordLinkRefusal } from './add-link.ts'
import { linkBinding, storeProof } from './link-proof.ts'
import { namedIdentity } from './named-identity.ts'

/** The user must sign in at the provider again, so that an open session of another user there is not linked. */
const cause = { interaction: null, isConfirmation: true } as const

/** Returns the provider if an identity there can be linked now. */
export async function linkableProvider(ports: Ports, scheme: string): Promise<IdentityProvider | null> {
  if (ports.userService.links === undefined) return null
  const provider = await findProvider(ports, scheme)
  return provider?.enabled === true ? provider : null
}

/** Returns the URL of the sign-in at the provider; `null` if the provider fails. */
export async function startLink(
  ports: Ports,
  { session, provider }: { readonly session: Session; readonly provider: IdentityProvider },
  context: RequestContext,
): Promise<string | null> {
  const url = await startAuthorization(ports, {
    provider,
    state: ports.random.handle('externalLinkState'),
    boundTo: linkBinding(ports, session),
    pending: null,
    hints: { loginHint: null, uiLocales: null, ...requestedFreshness(cause) },
  })
  if (!isOauthError(url)) return url
  recordLinkRefusal(ports, { session, scheme: provider.scheme, reason: failureOf(url).reason }, context)
  return null
}

export type LinkCallback = {
  readonly session: Session
  /** The scheme in the path of the callback. */
  readonly scheme: string
  readonly parameters: Readonly<Record<string, string>>
}

export type LinkCallbackOutcome =
  | { readonly kind: 'proven'; readonly proof: Handle<'linkProof'> }
  | { readonly kind: 'expired' | 'failed' | 'canceled' | 'not_allowed' }

/** Completes the sign-in at the provider. Nothing is linked yet: the proof works once, in this session. */
export async function completeLink(
  ports: Ports,
  { session, scheme, parameters }: LinkCallback,
  context: RequestContext,
): Promise<LinkCallbackOutcome> {
  const state = parseHandle('externalLinkState', parameters.state)
  const authState = await takeAuthState(ports, { state, boundTo: linkBinding(ports, session) })
  const refusal = { session, scheme: authState?.scheme ?? null }
  if (authState === null) {
    recordLinkRefusal(ports, { ...refusal, reason: 'external_state_unknown' }, context)
    return { kind: 'expired' }
  }
  const provider = authState.scheme === scheme ? await linkableProvider(ports, scheme) : null
  if (provider === null) {
    recordLinkRefusal(ports, { ...refusal, reason: 'provider_not_allowed' }, context)
    return { kind: 'not_allowed' }
  }
  const identity = await orProviderError(redeemIdentity(ports, provider, authState, parameters))
  if (isOauthError(identity)) {
    const { reason } = failureOf(identity)
    recordLinkRefusal(ports, { ...refusal, reason }, context)
    return { kind: isCanceledByUser(identity) ? 'canceled' : 'failed' }
  }
  return { kind: 'proven', proof: await storeProof(ports, session, identity) }
}

async function redeemIdentity(
  ports: Ports,
  provider: IdentityProvider,
  authState: ExternalAuthState,
  parameters: LinkCallback['parameters'],
): Promise<NamedIdentity> {
  const { identity } = await redeemCallback(ports, provider, authState, parameters)
  providerSignInTime(provider, identity.authenticatedAt, cause, ports.clock.now())
  return namedIdentity(identity)
}

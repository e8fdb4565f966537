/**
 * Sign-out at the identity provider of a session that has just ended (OpenID Connect RP-Initiated Logout 1.0). The
 * address where the user continues is stored here, bound to the browser and the provider, and used once. A user who
 * does not return is still signed out here.
 */

import { lifetimeSeconds } from '#lib/config/limits.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { type BrowserHandle, parseHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { providerLogoutUri } from '#lib/protocol/wire/own-addresses.ts'
import { findProvider, orProviderError } from './external-provider.ts'
import { idTokenPlace } from './stored-id-token.ts'

export type ExternalSignOut = {
  /** The session that has ended. */
  readonly session: Session
  readonly browser: BrowserHandle
  /**
   * The address where the user continues after the return: a registered URI of the client, or a path of this server.
   */
  readonly next: string
}

/** Returns the URL for the browser; `null`: the user is not signed out at a provider. */
export async function startExternalSignOut(
  ports: Ports,
  { session, browser, next }: ExternalSignOut,
  context: RequestContext,
): Promise<string | null> {
  const provider = session.idp === localProvider ? null : await findProvider(ports, session.idp)
  if (provider === null || !provider.enabled || !provider.signOutAtProvider) return null
  const { scheme } = provider
  const state = ports.random.handle('externalSignOutState')
  const redirectUri = providerLogoutUri(ports.settings.issuer, scheme)
  const request = { idToken: openIdToken(ports, session), redirectUri, state }
  const url = await orProviderError(ports.upstream.signOutUrl(provider, request))
  if (isOauthError(url)) {
    const { reason } = url
    const { subject } = session
    const event = { name: 'external_sign_out_failed', outcome: 'failure', reason, subject } as const
    ports.events.record({ ...event, details: { scheme } }, context)
    return null
  }
  if (url === null) return null
  const digest = ports.hashing.digest(state)
  await ports.externalSignIns.create({
    state: digest,
    browser: ports.hashing.digest(browser),
    scheme,
    sealedPending: ports.sealing.seal(next, nextPlace(digest)),
    nonce: '',
    sealedCodeVerifier: '',
    expiresAt: secondsAfter(ports.clock.now(), lifetimeSeconds.externalSignIn),
  })
  return url
}

/** Opens the ID token; `null` if none is stored, or if it cannot be opened, for example with a new master key. */
function openIdToken({ sealing }: Ports, { subject, details: { sealedIdToken } }: Session): string | null {
  if (sealedIdToken === undefined) return null
  try {
    return sealing.open(sealedIdToken, idTokenPlace(subject))
  } catch {
    // The hint is optional: without it the provider may ask the user
    return null
  }
}

export type ExternalSignOutReturn = {
  /** The scheme in the path of the return. */
  readonly scheme: string
  readonly state: string | undefined
  readonly browser: BrowserHandle | null
}

/**
 * Returns the address where the user continues. `null` if the state is unknown, expired, used, of another browser or of
 * another provider.
 */
export async function finishExternalSignOut(
  ports: Ports,
  { scheme, state: sent, browser }: ExternalSignOutReturn,
): Promise<string | null> {
  const state = parseHandle('externalSignOutState', sent)
  if (state === null || browser === null) return null
  const digest = ports.hashing.digest(state)
  const stored = await ports.externalSignIns.take(digest, ports.hashing.digest(browser), ports.clock.now())
  if (stored === null || stored.sealedPending === null || stored.scheme !== scheme) return null
  return ports.sealing.open(stored.sealedPending, nextPlace(digest))
}

function nextPlace(state: string): string {
  return `external_sign_outs:next:${state}`
}

/** Identity providers: the look-up by scheme and by email domain, and the request and callback of sign-ins with one. */

import { lifetimeSeconds } from '#lib/config/limits.ts'
import { isOauthError, type OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { IdentityProvider, RedeemedSignIn, UpstreamRequest } from '#lib/ports/upstream.ts'
import {
  type Digest,
  type Handle,
  type PendingHandle,
  type ProviderScheme,
  providerSchemeSchema,
} from '#lib/protocol/ids.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { providerRedirectUri } from '#lib/protocol/wire/own-addresses.ts'
import { openPending, sealPending } from './interaction.ts'

/** Returns the provider with this scheme, enabled or not. */
export async function findProvider(
  { providers }: Pick<Ports, 'providers'>,
  scheme: string,
): Promise<IdentityProvider | null> {
  const parsed = providerSchemeSchema.safeParse(scheme)
  return parsed.success ? providers.find(parsed.data) : null
}

export async function enabledProviders({
  providers,
}: Pick<Ports, 'providers'>): Promise<readonly IdentityProvider[]> {
  return (await providers.all()).filter(({ enabled }) => enabled)
}

/**
 * Returns the display name of an enabled provider; `null` for passwords of this server, and for a disabled or unknown
 * provider.
 */
export async function providerName(ports: Pick<Ports, 'providers'>, scheme: string): Promise<string | null> {
  const provider = (await enabledProviders(ports)).find(each => each.scheme === scheme)
  return provider === undefined ? null : displayName(provider.displayName, provider.scheme)
}

type State =
  | Handle<'externalState'>
  | Handle<'externalConfirmState'>
  | Handle<'externalLinkState'>
  | Handle<'providerTestState'>

/** An authorization request to a provider, stored for the comparison with its callback. */
export type ExternalAuthState = {
  readonly state: State
  readonly nonce: string
  readonly codeVerifier: string
  readonly scheme: ProviderScheme
  readonly pending: PendingHandle | null
}

type AuthorizationRequest = {
  readonly provider: IdentityProvider
  readonly state: State
  /** The digest of the handle of the browser, or of the admin session, in which the callback must arrive. */
  readonly boundTo: Digest
  readonly pending: PendingHandle | null
  readonly hints: Omit<UpstreamRequest, 'state' | 'nonce' | 'codeVerifier' | 'redirectUri'>
}

/** Stores the request for the comparison with the callback. Returns the URL for the browser, or the provider's failure. */
export async function startAuthorization(
  ports: Ports,
  { provider, state, boundTo, pending, hints }: AuthorizationRequest,
): Promise<string | OauthError> {
  // RFC 7636 4.1: a verifier has at least 43 characters; two IDs contain 256 bits
  const secrets = { nonce: ports.random.id(), codeVerifier: ports.random.id() + ports.random.id() }
  const redirectUri = providerRedirectUri(ports.settings.issuer, provider.scheme)
  const request = { ...hints, ...secrets, state, redirectUri }
  const url = await orProviderError(ports.upstream.authorizationUrl(provider, request))
  if (isOauthError(url)) return url
  const digest = ports.hashing.digest(state)
  await ports.externalSignIns.create({
    state: digest,
    browser: boundTo,
    scheme: provider.scheme,
    sealedPending: sealPending(ports, pending, pendingContext(digest)),
    nonce: secrets.nonce,
    sealedCodeVerifier: ports.sealing.seal(secrets.codeVerifier, verifierContext(digest)),
    expiresAt: secondsAfter(ports.clock.now(), lifetimeSeconds.externalSignIn),
  })
  return url
}

/** Consumes the state of a callback. Returns `null` if it is unknown, used, expired or not bound to `boundTo`. */
export async function takeAuthState(
  ports: Ports,
  { state, boundTo }: { readonly state: State | null; readonly boundTo: Digest },
): Promise<ExternalAuthState | null> {
  if (state === null) return null
  const digest = ports.hashing.digest(state)
  const stored = await ports.externalSignIns.take(digest, boundTo, ports.clock.now())
  if (stored === null) return null
  return {
    state,
    nonce: stored.nonce,
    scheme: stored.scheme,
    codeVerifier: ports.sealing.open(stored.sealedCodeVerifier, verifierContext(digest)),
    pending: openPending(ports, stored.sealedPending, pendingContext(digest)),
  }
}

/**
 * Returns the pending request with which the user of a repeated or late callback continues: `undefined` for an unknown
 * state or one of another browser, `null` if no client is waiting.
 */
export async function pendingOfUsedState(
  ports: Ports,
  { state, boundTo }: { readonly state: State | null; readonly boundTo: Digest },
): Promise<PendingHandle | null | undefined> {
  if (state === null) return undefined
  const digest = ports.hashing.digest(state)
  const stored = await ports.externalSignIns.findUsed(digest, boundTo)
  return stored === null ? undefined : openPending(ports, stored.sealedPending, pendingContext(digest))
}

/**
 * Redeems the callback. Returns the user as described by the provider, and the ID token.
 * @throws OauthError `provider_failed`
 */
export function redeemCallback(
  ports: Ports,
  provider: IdentityProvider,
  { state, nonce, codeVerifier }: ExternalAuthState,
  parameters: Readonly<Record<string, string>>,
): Promise<RedeemedSignIn> {
  const redirectUri = providerRedirectUri(ports.settings.issuer, provider.scheme)
  return ports.upstream.redeem(provider, { parameters, redirectUri, state, nonce, codeVerifier })
}

/** Returns the provider's failure as a value; any other error is rethrown. */
export async function orProviderError<T>(conversation: Promise<T>): Promise<T | OauthError> {
  try {
    return await conversation
  } catch (error) {
    if (isOauthError(error) && error.code === 'provider_failed') return error
    throw error
  }
}

function pendingContext(state: string): string {
  return `external_sign_ins:pending:${state}`
}

function verifierContext(state: string): string {
  return `external_sign_ins:code_verifier:${state}`
}

const emailCharacters = 254

/**
 * Home realm discovery: returns the first enabled provider that owns the domain of the address, or `null`. The result
 * does not depend on whether the user has an account, so that it does not reveal this.
 */
export function providerForEmail(
  providers: readonly IdentityProvider[],
  email: string,
): IdentityProvider | null {
  const domain = emailDomain(email)
  if (domain === null) return null
  const ownsDomain = (provider: IdentityProvider) =>
    provider.enabled && provider.domains.some(owned => toAscii(owned) === domain)
  return providers.find(ownsDomain) ?? null
}

/**
 * Returns the domain of an email address with one `@`, without spaces, separators or control characters; `null` for
 * other texts, for more than 254 characters, and for a domain that is not a host name. Unicode is folded first: `＠` is
 * also an at sign.
 */
function emailDomain(email: string): string | null {
  if (email.trim().length > emailCharacters) return null
  const folded = email.normalize('NFKC').trim()
  if (folded.length > emailCharacters) return null
  const domain = /^[^\s@,;<>\p{Cc}]+@([^\s@,;<>\p{Cc}]+)$/u.exec(folded)?.[1]
  return domain === undefined ? null : toAscii(domain)
}

/** Converts a domain to the form for comparisons: lower case, Punycode, without the final dot; `null` if it is not one. */
function toAscii(domain: string): string | null {
  if (/[/\\?#:%[\]]/.test(domain)) return null
  const host = URL.parse(`https://${domain}`)?.hostname ?? ''
  return host.replace(/\.$/, '') || null
}

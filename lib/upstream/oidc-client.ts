/** Latchkey as the relying party of another OpenID provider: authorization code flow with PKCE, state and nonce. */

import type { AuthorizationServer } from 'oauth4webapi'
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { claimLimits, clockSkewSeconds, lifetimeSeconds } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type {
  IdentityProvider,
  RedeemedSignIn,
  Upstream,
  UpstreamCallback,
  UpstreamRequest,
  UpstreamSignOut,
} from '#lib/ports/upstream.ts'
import type { ExternalIdentity } from '#lib/ports/users.ts'
import { claimsProblem, reservedClaims } from '#lib/protocol/claims.ts'
import { isLoopbackHost } from '#lib/protocol/text/addresses.ts'
import type { Reauthentication } from '#lib/protocol/vocabulary.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import { previewProvider } from './preview.ts'
import { createSignatureCheck, type VerifySignature } from './provider-keys.ts'
import {
  asProviderFailure,
  issuerMismatch,
  type Network,
  type RequestOptions,
  requestOptions,
} from './provider-requests.ts'

type Dependencies = Network & { readonly clock: Clock }

/**
 * The parameters of requests to one provider: its metadata, our registration with it, and the options of the library.
 */
type Conversation = {
  readonly server: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly options: RequestOptions
}

export function createUpstream(dependencies: Dependencies): Upstream {
  const findMetadata = createMetadataCache(dependencies.clock)
  const verifySignature = createSignatureCheck(dependencies.clock)
  const converse = (provider: IdentityProvider) => openConversation(provider, findMetadata, dependencies)
  return {
    authorizationUrl: (provider, request) =>
      asProviderFailure(async () => authorizationUrl(await converse(provider), provider, request)),
    redeem: (provider, callback) =>
      asProviderFailure(async () =>
        redeem({ ...(await converse(provider)), verifySignature }, provider, callback),
      ),
    signOutUrl: (provider, request) =>
      asProviderFailure(async () => signOutUrl(await converse(provider), request)),
    preview: issuer => previewProvider(issuer, dependencies),
  }
}

async function openConversation(
  provider: IdentityProvider,
  findMetadata: FindMetadata,
  { clock, ...network }: Dependencies,
): Promise<Conversation> {
  const options = requestOptions(provider, network)
  const skew = Math.round((clock.now().getTime() - Date.now()) / 1000)
  const client = {
    client_id: provider.clientId,
    [oauth.clockSkew]: skew,
    [oauth.clockTolerance]: clockSkewSeconds,
  }
  return { server: await findMetadata(provider.issuer, options), client, options }
}

/**
 * Builds the authorization request (OpenID Connect Core 3.1.2.1). The challenge is S256 regardless of the provider's
 * metadata.
 */
async function authorizationUrl(
  { server, client, options }: Conversation,
  { reauthentication, scope }: IdentityProvider,
  request: UpstreamRequest,
): Promise<string> {
  const url = endpointUrl(server.authorization_endpoint ?? '', options)
  const parameters = {
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: request.redirectUri,
    scope,
    state: request.state,
    nonce: request.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(request.codeVerifier),
    code_challenge_method: 'S256',
    ...(request.loginHint === null ? {} : { login_hint: request.loginHint }),
    ...(request.uiLocales === null ? {} : { ui_locales: request.uiLocales }),
    ...freshness(reauthentication, request),
  }
  return withParameters(url, parameters)
}

/** Requires https, or http to a loopback address in development: users go there, so `safeFetch` does not check it. */
function endpointUrl(address: string, options: RequestOptions): URL {
  const url = new URL(address)
  const isAllowed = options[oauth.allowInsecureRequests] === true && isLoopbackHost(url.hostname)
  oauth.checkProtocol(url, url.protocol === 'http:' && !isAllowed)
  return url
}

function withParameters(url: URL, parameters: Readonly<Record<string, string>>): string {
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

function freshness(
  reauthentication: Reauthentication,
  { forceLogin, maxAgeSeconds }: UpstreamRequest,
): Readonly<Record<string, string>> {
  if (reauthentication === 'select_account') return maxAgeSeconds === null ? {} : { prompt: 'select_account' }
  return {
    ...(forceLogin ? { prompt: 'login' } : {}),
    ...(maxAgeSeconds === null ? {} : { max_age: String(maxAgeSeconds) }),
  }
}

/**
 * Builds the sign-out request (OpenID Connect RP-Initiated Logout 1.0, 2). The client ID is for providers that do not
 * read it from the hint. Returns `null` if the provider has no end session endpoint.
 */
function signOutUrl(
  { server, client, options }: Conversation,
  { idToken, redirectUri, state }: UpstreamSignOut,
): string | null {
  if (server.end_session_endpoint === undefined) return null
  return withParameters(endpointUrl(server.end_session_endpoint, options), {
    client_id: client.client_id,
    ...(idToken === null ? {} : { id_token_hint: idToken }),
    post_logout_redirect_uri: redirectUri,
    state,
  })
}

/**
 * Checks the response (`state`, RFC 9207 `iss`), redeems the code, and validates the ID token completely: issuer,
 * audience, times, nonce, and also the signature, although TLS would be sufficient (OpenID Connect Core 3.1.3.7). Then
 * requests userinfo.
 */
async function redeem(
  conversation: Conversation & { readonly verifySignature: VerifySignature },
  provider: IdentityProvider,
  callback: UpstreamCallback,
): Promise<RedeemedSignIn> {
  const { server, client, options } = conversation
  const parameters = new URLSearchParams({ ...callback.parameters })
  const answer = oauth.validateAuthResponse(server, client, parameters, callback.state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    clientAuthentication(server, provider),
    answer,
    callback.redirectUri,
    callback.codeVerifier,
    options,
  )
  const check = { expectedNonce: callback.nonce, requireIdToken: true }
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, check)
  await conversation.verifySignature(conversation, response)
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (claims === undefined || tokens.id_token === undefined) throw new OauthError('id_token_missing')
  const profile = await userinfo(conversation, claims.sub, tokens.access_token)
  const { amr, acr } = methodsSchema.parse(claims)
  const methods = acr === null ? amr : [...amr, acr]
  return { identity: identityFrom(provider, claims, profile), idToken: tokens.id_token, methods }
}

function clientAuthentication(
  server: oauth.AuthorizationServer,
  provider: IdentityProvider,
): oauth.ClientAuth {
  if (provider.clientSecret === null) return oauth.None()
  // OpenID Connect Discovery 3: without a list, the method is Basic
  const offered = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const isPostOnly = offered.includes('client_secret_post') && !offered.includes('client_secret_basic')
  return isPostOnly
    ? oauth.ClientSecretPost(provider.clientSecret)
    : oauth.ClientSecretBasic(provider.clientSecret)
}

/**
 * Requests userinfo; `null` if the provider has no such endpoint. OpenID Connect Core 5.3.2: a response about a
 * different subject must not be used; the library refuses it.
 */
async function userinfo(
  { server, client, options }: Conversation,
  subject: string,
  accessToken: string,
): Promise<oauth.UserInfoResponse | null> {
  if (server.userinfo_endpoint === undefined) return null
  const response = await oauth.userInfoRequest(server, client, accessToken, options)
  return oauth.processUserInfoResponse(server, client, subject, response)
}

type FindMetadata = (issuer: string, request: RequestOptions) => Promise<AuthorizationServer>

/**
 * Caches discovery documents of providers for a short time; concurrent callers share one fetch. Failures are not
 * cached: the next sign-in fetches again.
 */
function createMetadataCache(clock: Clock): FindMetadata {
  const entries = new Map<
    string,
    { readonly server: Promise<AuthorizationServer>; readonly expiresAt: number }
  >()
  return async (issuer, request) => {
    const now = clock.now().getTime()
    const known = entries.get(issuer)
    if (known !== undefined && known.expiresAt > now) return known.server
    const server = discover(issuer, request)
    entries.set(issuer, { server, expiresAt: now + lifetimeSeconds.providerMetadata * 1000 })
    server.catch(() => entries.delete(issuer))
    return server
  }
}

/** Fetches the metadata. Fails unless it belongs to exactly this issuer. */
async function discover(issuer: string, request: RequestOptions): Promise<AuthorizationServer> {
  const address = new URL(issuer)
  const server = await oauth.processDiscoveryResponse(address, await oauth.discoveryRequest(address, request))
  // OpenID Connect Discovery 4.3: the issuer must be identical to the requested one, byte for byte
  if (server.issuer !== issuer) throw issuerMismatch('issuer_differs', server.issuer, issuer)
  return server
}

/** OpenID Connect Core 2: `sub` has at most 255 ASCII characters. */
const subjectSchema = z.string().regex(/^[\x20-\x7e]{1,255}$/)
/** Seconds since 1970, up to the latest time that a `Date` can represent. */
const timeSchema = z.number().min(0).max(8_640_000_000_000).nullable().default(null)
/** The `amr` and `acr` of an ID token. Values of another type are left out. */
const methodsSchema = z.object({ amr: z.array(z.string()).catch([]), acr: z.string().nullable().catch(null) })
const claimsSchema = z.object({ sub: subjectSchema, auth_time: timeSchema }).catchall(z.json())

/**
 * Merges the claims of the ID token and of userinfo; those of userinfo take precedence. Claims about the token itself
 * are dropped; the subject and the time of the sign-in come only from the ID token. Throws `provider_failed` for a
 * subject or a time that cannot be stored, and for claims beyond the limits of a user, which are the same for local
 * users.
 */
function identityFrom(
  { scheme, issuer, scope }: IdentityProvider,
  idToken: unknown,
  profile: object | null,
): ExternalIdentity {
  const token = claimsSchema.safeParse(idToken)
  const merged = claimsSchema.safeParse({ ...token.data, ...profile, auth_time: null })
  if (!token.success || !merged.success) throw new OauthError('claims_malformed')
  const { sub: subject, auth_time: seconds } = token.data
  const claims = Object.fromEntries(Object.entries(merged.data).filter(([name]) => !reservedClaims.has(name)))
  if (claimsProblem(claims, claimLimits.userBytes) !== null) throw new OauthError('provider_claims_too_large')
  const authenticatedAt = seconds === null ? null : new Date(seconds * 1000)
  return { scheme, issuer, subject, scopes: scopeWords(scope), authenticatedAt, claims }
}

/** Latchkey as the relying party of another OpenID provider: authorization code flow with PKCE, state and nonce. */

import type { AuthorizationServer } from 'oauth4webapi'
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { clockSkewSeconds, lifetimeSeconds } from '#lib/config/limits.ts'
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
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { providerPresets } from '#lib/protocol/registration/provider-presets.ts'
import { codeParameters, endpointUrl, sentVerifier, withParameters } from './authorization-url.ts'
import { isPlainOauth, oauthAuthorizationUrl, oauthEndpoints, redeemOauth } from './oauth-client.ts'
import { previewProvider } from './preview.ts'
import { identityFrom } from './provider-claims.ts'
import { createSignatureCheck, type VerifySignature } from './provider-keys.ts'
import {
  asProviderFailure,
  issuerMismatch,
  type Network,
  type RequestOptions,
  requestOptions,
} from './provider-requests.ts'
import { createSignedSecrets, type SignedSecrets } from './signed-secrets.ts'
import { expectedIssuer, keyCheck, ofTenant, requireAllowedTenant, unverifiedClaims } from './tenants.ts'

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
  const { clock, ...network } = dependencies
  const findMetadata = createMetadataCache(clock)
  const checks = { verifySignature: createSignatureCheck(clock), signedSecret: createSignedSecrets(clock) }
  const converse = (provider: IdentityProvider) => openConversation(provider, findMetadata, dependencies)
  const oauthOptions = (provider: IdentityProvider) =>
    requestOptions(Object.values(oauthEndpoints(provider)), network, provider.scheme)
  return {
    authorizationUrl: (provider, request) =>
      asProviderFailure(async () =>
        isPlainOauth(provider)
          ? oauthAuthorizationUrl(provider, request, oauthOptions(provider))
          : authorizationUrl(await converse(provider), provider, request),
      ),
    redeem: (provider, callback) =>
      asProviderFailure(async () =>
        isPlainOauth(provider)
          ? redeemOauth(provider, callback, oauthOptions(provider))
          : redeem({ ...(await converse(provider)), ...checks }, provider, callback),
      ),
    signOutUrl: (provider, request) =>
      asProviderFailure(async () =>
        isPlainOauth(provider) ? null : signOutUrl(await converse(provider), request),
      ),
    preview: issuer => previewProvider(issuer, dependencies),
  }
}

async function openConversation(
  provider: IdentityProvider,
  findMetadata: FindMetadata,
  { clock, ...network }: Dependencies,
): Promise<Conversation> {
  const options = requestOptions([provider.issuer], network, provider.scheme)
  const skew = Math.round((clock.now().getTime() - Date.now()) / 1000)
  const client = {
    client_id: provider.clientId,
    [oauth.clockSkew]: skew,
    [oauth.clockTolerance]: clockSkewSeconds,
  }
  return { server: await findMetadata(provider, options), client, options }
}

/** Builds the authorization request (OpenID Connect Core 3.1.2.1). */
async function authorizationUrl(
  { server, options }: Conversation,
  provider: IdentityProvider,
  request: UpstreamRequest,
): Promise<string> {
  const url = endpointUrl(server.authorization_endpoint ?? '', options)
  return withParameters(url, {
    ...(await codeParameters(provider, request)),
    nonce: request.nonce,
    ...(providerPresets[provider.preset].usesFormPost ? { response_mode: 'form_post' } : {}),
    ...(request.loginHint === null ? {} : { login_hint: request.loginHint }),
    ...(request.uiLocales === null ? {} : { ui_locales: request.uiLocales }),
  })
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

type Checks = { readonly verifySignature: VerifySignature; readonly signedSecret: SignedSecrets }

/**
 * Checks the response (`state`, RFC 9207 `iss`), redeems the code, and validates the ID token completely: issuer,
 * audience, times, nonce, and also the signature, although TLS would be sufficient (OpenID Connect Core 3.1.3.7). Then
 * requests userinfo.
 */
async function redeem(
  conversation: Conversation & Checks,
  provider: IdentityProvider,
  callback: UpstreamCallback,
): Promise<RedeemedSignIn> {
  const { server, client, options } = conversation
  const parameters = new URLSearchParams({ ...callback.parameters })
  const answer = oauth.validateAuthResponse(server, client, parameters, callback.state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    clientAuthentication(conversation, provider),
    answer,
    callback.redirectUri,
    sentVerifier(provider, callback.codeVerifier),
    options,
  )
  const issuing = await ofTenant(server, response)
  const allowsKey = await keyCheck(server, issuing, response)
  const tokens = await oauth.processAuthorizationCodeResponse(issuing, client, response, {
    ...(await expectedNonce(provider, callback, response)),
    requireIdToken: true,
  })
  await conversation.verifySignature({ server, options, allowsKey }, response)
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (claims === undefined || tokens.id_token === undefined) throw new OauthError('id_token_missing')
  requireAllowedTenant(provider, claims)
  const profile = await userinfo(conversation, claims.sub, tokens.access_token)
  const { amr, acr } = methodsSchema.parse(claims)
  const methods = acr === null ? amr : [...amr, acr]
  const { issuer } = issuing
  const received = { provider, issuer, token: claims, profile, parameters: callback.parameters }
  return { identity: identityFrom(received), idToken: tokens.id_token, methods }
}

/**
 * Returns the nonce that the ID token must have. A provider whose tokens have none may leave it out; then `state` and the code,
 * which works once and only with the secret, bind the response to this browser.
 */
async function expectedNonce(
  { preset }: IdentityProvider,
  { nonce }: UpstreamCallback,
  response: Response,
): Promise<{ readonly expectedNonce?: string }> {
  if (providerPresets[preset].returnsNonce) return { expectedNonce: nonce }
  const claims = await unverifiedClaims(response)
  return isRecord(claims) && 'nonce' in claims ? { expectedNonce: nonce } : {}
}

function clientAuthentication(
  { server, signedSecret }: Conversation & Checks,
  provider: IdentityProvider,
): oauth.ClientAuth {
  if (provider.clientSecret === null) return oauth.None()
  const { hasSigningKey, secretMethod } = providerPresets[provider.preset]
  const secret = hasSigningKey ? signedSecret(provider) : provider.clientSecret
  // OpenID Connect Discovery 3: without a list, the method is Basic
  const offered = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const isPostOnly = offered.includes('client_secret_post') && !offered.includes('client_secret_basic')
  const isPosted = secretMethod === 'metadata' ? isPostOnly : secretMethod === 'client_secret_post'
  return isPosted ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret)
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

type FindMetadata = (provider: IdentityProvider, request: RequestOptions) => Promise<AuthorizationServer>

/**
 * Caches discovery documents of providers for a short time; concurrent callers share one fetch. Failures are not
 * cached: the next sign-in fetches again.
 */
function createMetadataCache(clock: Clock): FindMetadata {
  const entries = new Map<
    string,
    { readonly server: Promise<AuthorizationServer>; readonly expiresAt: number }
  >()
  return async (provider, request) => {
    const { issuer } = provider
    const expected = expectedIssuer(provider)
    // An address can be that of one issuer, or of several
    const key = JSON.stringify([issuer, expected])
    const now = clock.now().getTime()
    const known = entries.get(key)
    if (known !== undefined && known.expiresAt > now) return known.server
    const server = discover(issuer, expected, request)
    entries.set(key, { server, expiresAt: now + lifetimeSeconds.providerMetadata * 1000 })
    server.catch(() => entries.delete(key))
    return server
  }
}

/** Fetches the metadata at the address of the issuer. Fails unless it belongs to exactly the expected one. */
async function discover(
  issuer: string,
  expected: string,
  request: RequestOptions,
): Promise<AuthorizationServer> {
  const response = await oauth.discoveryRequest(new URL(issuer), request)
  const server = await oauth.processDiscoveryResponse(new URL(expected), response)
  // OpenID Connect Discovery 4.3: the issuer must be identical to the requested one, byte for byte
  if (server.issuer !== expected) throw issuerMismatch('issuer_differs', server.issuer, expected)
  return server
}

/** The `amr` and `acr` of an ID token. Values of another type are left out. */
const methodsSchema = z.object({ amr: z.array(z.string()).catch([]), acr: z.string().nullable().catch(null) })

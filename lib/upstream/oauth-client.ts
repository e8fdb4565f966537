/**
 * Sign-in at providers with OAuth 2.0 but without ID tokens, such as GitHub: the userinfo endpoint identifies the user for the
 * access token, which this server received from the token endpoint itself.
 */
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type {
  IdentityProvider,
  RedeemedSignIn,
  UpstreamCallback,
  UpstreamRequest,
} from '#lib/ports/upstream.ts'
import { type Claims, type JsonValue, jsonValueSchema } from '#lib/protocol/claims.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { type OauthEndpoints, providerPresets } from '#lib/protocol/registration/provider-presets.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import { codeParameters, endpointUrl, sentVerifier, withParameters } from './authorization-url.ts'
import { identityFrom } from './provider-claims.ts'
import { errorCode, type RequestOptions } from './provider-requests.ts'

/** Whether the provider has no ID tokens. */
export function isPlainOauth({ preset }: Pick<IdentityProvider, 'preset'>): boolean {
  return providerPresets[preset].protocol === 'oauth2'
}

/** Returns the endpoints, which are configured or follow from the preset. */
export function oauthEndpoints(provider: IdentityProvider): OauthEndpoints {
  const { authorizationEndpoint, tokenEndpoint, userinfoEndpoint, preset, issuer } = provider
  const known = providerPresets[preset].endpoints?.(issuer)
  if (known !== undefined) return known
  return {
    authorization: authorizationEndpoint ?? '',
    token: tokenEndpoint ?? '',
    userinfo: userinfoEndpoint ?? '',
  }
}

export async function oauthAuthorizationUrl(
  provider: IdentityProvider,
  request: UpstreamRequest,
  options: RequestOptions,
): Promise<string> {
  const url = endpointUrl(oauthEndpoints(provider).authorization, options)
  return withParameters(url, await codeParameters(provider, request))
}

/** Checks the response (`state`, RFC 9207 `iss`), redeems the code, and requests the user. */
export async function redeemOauth(
  provider: IdentityProvider,
  callback: UpstreamCallback,
  options: RequestOptions,
): Promise<RedeemedSignIn> {
  const endpoints = oauthEndpoints(provider)
  const server = { issuer: provider.issuer, token_endpoint: endpoints.token }
  const client = { client_id: provider.clientId }
  const parameters = new URLSearchParams({ ...callback.parameters })
  const answer = oauth.validateAuthResponse(server, client, parameters, callback.state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    secretOf(provider),
    answer,
    callback.redirectUri,
    sentVerifier(provider, callback.codeVerifier),
    options,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, await withoutIdToken(response))
  const claims = await userClaims(provider, endpoints, { accessToken: tokens.access_token, options })
  const { issuer } = provider
  const identity = identityFrom({ provider, issuer, token: claims, profile: null, parameters: {} })
  return { identity, idToken: null, methods: [] }
}

function secretOf({ preset, clientSecret, clientAuthentication }: IdentityProvider): oauth.ClientAuth {
  if (clientSecret === null) return oauth.None()
  const method = clientAuthentication ?? providerPresets[preset].secretMethod
  return method === 'client_secret_basic'
    ? oauth.ClientSecretBasic(clientSecret)
    : oauth.ClientSecretPost(clientSecret)
}

/**
 * Returns the token response without an ID token, which is not verified here and must not be used. Some providers, such as GitHub,
 * send errors with the status 200.
 */
async function withoutIdToken(response: Response): Promise<Response> {
  if (response.status !== 200) return response
  const body = await jsonOf(response)
  if (!isRecord(body)) throw new OauthError('OAUTH_INVALID_RESPONSE')
  const { id_token: _, ...rest } = body
  if (typeof rest.error === 'string')
    throw new OauthError('token_endpoint_answered', { evidence: { sent: errorCode(rest.error) } })
  return Response.json(rest)
}

type Access = { readonly accessToken: string; readonly options: RequestOptions }

async function userClaims(
  provider: IdentityProvider,
  endpoints: OauthEndpoints,
  access: Access,
): Promise<Claims> {
  const response = await requestWithToken(endpoints.userinfo, access)
  if (response.status !== 200) throw new OauthError('userinfo_refused')
  const user = await jsonOf(response)
  const names = { ...providerPresets[provider.preset].claimNames, ...provider.claimNames }
  const claims = Object.entries(names).flatMap(([claim, path]) => {
    const value = memberAt(user, path.split('.'))
    return value === undefined || value === null
      ? []
      : [[claim, claim === 'sub' ? subject(value) : value] as const]
  })
  return { ...Object.fromEntries(claims), ...(await emailClaims(provider, endpoints, access)) }
}

function requestWithToken(address: string, { accessToken, options }: Access): Promise<Response> {
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${accessToken}`,
    // GitHub refuses requests without it
    'user-agent': 'latchkey',
  }
  return options[oauth.customFetch](address, {
    method: 'GET',
    headers,
    body: undefined,
    redirect: 'manual',
  })
}

/** Parses the body; `null` if it is not JSON. */
async function jsonOf(response: Response): Promise<unknown> {
  return response.json().catch(() => null)
}

/** Returns the member of a member; `undefined` if there is none. */
function memberAt(value: unknown, [name, ...rest]: readonly string[]): JsonValue | undefined {
  if (name === undefined) return jsonValueSchema.safeParse(value).data
  return isRecord(value) && Object.hasOwn(value, name) ? memberAt(value[name], rest) : undefined
}

/** A subject that is a number, as with many providers, becomes its digits. A number that is not exact could be of two users. */
function subject(value: JsonValue): JsonValue {
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
}

const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** Returns the user's primary address in the format of GitHub, if it is verified and the user lets this server read it. */
async function emailClaims(
  { scope }: IdentityProvider,
  { emails }: OauthEndpoints,
  access: Access,
): Promise<Claims> {
  const isAsked = scopeWords(scope).some(word => word === 'user:email' || word === 'user')
  if (emails === undefined || !isAsked) return {}
  const response = await requestWithToken(emails, access)
  // Without permission, GitHub answers 403, and 404 to hide that the address exists
  if (response.status === 403 || response.status === 404) return {}
  if (response.status !== 200) throw new OauthError('userinfo_refused')
  const list = emailsSchema.safeParse(await jsonOf(response))
  const primary = list.data?.find(each => each.primary && each.verified)
  return primary === undefined ? {} : { email: primary.email, email_verified: true }
}

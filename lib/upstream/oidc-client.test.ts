import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { lifetimeSeconds } from '#lib/config/limits.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import type { IdentityProvider } from '#lib/ports/grants.ts'
import type { Upstream, UpstreamRequest } from '#lib/ports/upstream.ts'
import { providerSchemeSchema } from '#lib/protocol/ids.ts'
import { createUpstream } from './oidc-client.ts'
import {
  type Faults,
  startTestProvider,
  type TestProvider,
  testProviderClient,
  testProviderUser,
} from './test-provider.ts'

const request: UpstreamRequest = {
  redirectUri: 'http://127.0.0.1:3000/login/external/partner/callback',
  state: 'ext_state',
  nonce: 'nonce-1',
  codeVerifier: 'v'.repeat(44),
  loginHint: null,
  uiLocales: null,
  forceLogin: false,
}

let mock: TestProvider
let upstream: Upstream
let now: Date

before(async () => {
  mock = await startTestProvider()
})
after(() => mock.close())
beforeEach(() => {
  now = new Date()
  mock.now = now
  mock.faults = {}
  mock.calls.discovery = 0
  upstream = createUpstream({ allowLoopback: true, clock: { now: () => now } })
})

function provider(changes: Partial<IdentityProvider> = {}): IdentityProvider {
  return {
    scheme: providerSchemeSchema.parse('partner'),
    displayName: 'Partner',
    issuer: mock.issuer,
    ...testProviderClient,
    domains: [],
    enabled: true,
    ...changes,
  }
}

type Lie = (parameters: Readonly<Record<string, string>>) => Readonly<Record<string, string>>

/** The whole way out and back. */
async function signIn(faults: Faults, lie: Lie = parameters => parameters) {
  mock.faults = faults
  const url = await upstream.authorizationUrl(provider(), request)
  return upstream.redeem(provider(), { ...request, parameters: lie(mock.approve(url)) })
}

test('FD-02 asks for a code with state, nonce, PKCE and its own redirect address', async () => {
  const wishes = { loginHint: 'una@partner.example', uiLocales: 'de en', forceLogin: true }
  const url = new URL(await upstream.authorizationUrl(provider(), { ...request, ...wishes }))
  assert.equal(url.origin + url.pathname, `${mock.issuer}/authorize`)
  const { code_challenge: challenge, ...rest } = Object.fromEntries(url.searchParams)
  assert.equal(challenge?.length, 43)
  assert.deepEqual(rest, {
    client_id: 'latchkey',
    response_type: 'code',
    redirect_uri: request.redirectUri,
    scope: 'openid profile email',
    state: 'ext_state',
    nonce: 'nonce-1',
    code_challenge_method: 'S256',
    login_hint: 'una@partner.example',
    ui_locales: 'de en',
    prompt: 'login',
  })
})

test('FD-02 an honest provider tells who the person is, without claims about the token', async () => {
  const { sub, ...claims } = testProviderUser
  assert.deepEqual(await signIn({}), { scheme: 'partner', subject: sub, claims })
  assert.match(mock.lastTokenRequest.authorization, /^Basic /)
})

test('claims of the userinfo endpoint are added', async () => {
  const identity = await signIn({
    metadata: honest => ({ ...honest, userinfo_endpoint: `${mock.issuer}/userinfo` }),
    userinfo: { ...testProviderUser, email_verified: true },
  })
  assert.equal(identity.claims.email_verified, true)
})

test('a secret goes into the body only where Basic is not offered; a public client sends none', async () => {
  await signIn({
    metadata: honest => ({ ...honest, token_endpoint_auth_methods_supported: ['client_secret_post'] }),
  })
  assert.equal(mock.lastTokenRequest.form.get('client_secret'), testProviderClient.clientSecret)
  const open = provider({ clientSecret: null })
  const parameters = mock.approve(await upstream.authorizationUrl(open, request))
  await upstream.redeem(open, { ...request, parameters })
  assert.equal(mock.lastTokenRequest.authorization, '')
  assert.equal(mock.lastTokenRequest.form.get('client_secret'), null)
})

test('times are compared with the clock that is given', async () => {
  now = new Date(now.getTime() + 3_600_000)
  await assert.rejects(signIn({}), failsWith('OAUTH_JWT_TIMESTAMP_CHECK_FAILED'))
  mock.now = now
  assert.equal((await signIn({})).subject, testProviderUser.sub)
})

test('FD-10 discovery is fetched once for all who wait, kept for a while, and not when it failed', async () => {
  mock.faults = { answers: { discovery: { status: 500, body: '{}' } } }
  await assert.rejects(upstream.authorizationUrl(provider(), request))
  mock.faults = {}
  await Promise.all(Array.from({ length: 20 }, () => upstream.authorizationUrl(provider(), request)))
  assert.equal(mock.calls.discovery, 2)
  now = new Date(now.getTime() + lifetimeSeconds.providerMetadata * 1000)
  await upstream.authorizationUrl(provider(), request)
  assert.equal(mock.calls.discovery, 3)
})

function failsWith(reason: string) {
  return (error: unknown) => {
    assert.ok(isOauthError(error), String(error))
    assert.deepEqual([error.code, error.reason], ['provider_failed', reason])
    return true
  }
}

async function signedByStranger(claims: Readonly<Record<string, unknown>>): Promise<string> {
  const { privateKey } = await generateKeyPair('RS256')
  return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(privateKey)
}

async function signedWithOurSecret(claims: Readonly<Record<string, unknown>>): Promise<string> {
  const key = new TextEncoder().encode(testProviderClient.clientSecret)
  return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256', kid: 'k1' }).sign(key)
}

function without(name: string) {
  return <T>(honest: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
    Object.fromEntries(Object.entries(honest).filter(([key]) => key !== name))
}

function changed<C>(changes: Readonly<Record<string, C>>) {
  return <T>(honest: Readonly<Record<string, T>>): Readonly<Record<string, T | C>> => ({
    ...honest,
    ...changes,
  })
}

const page = { headers: { 'content-type': 'text/html' }, body: '<script>alert(1)</script>' }
const redirect = { status: 302, headers: { location: 'http://169.254.169.254/' }, body: '{}' }
const comparison = 'OAUTH_JWT_CLAIM_COMPARISON_FAILED'

type Fault = readonly [string, string, () => Faults, Lie?]

/** Each is one lie in the metadata, with the cause that the log gets. */
const metadataFaults: readonly Fault[] = [
  [
    'the metadata is of another issuer',
    'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
    () => ({ metadata: changed({ issuer: 'https://evil.example' }) }),
  ],
  [
    'the issuer differs by a slash',
    'issuer_differs',
    () => ({ metadata: changed({ issuer: `${mock.issuer}/` }) }),
  ],
  ['the metadata is a page', 'content_type_not_json', () => ({ answers: { discovery: page } })],
  ['the metadata redirects', 'redirected', () => ({ answers: { discovery: redirect } })],
  [
    'the metadata is an error',
    'OAUTH_RESPONSE_IS_NOT_CONFORM',
    () => ({ answers: { discovery: { status: 500, body: '{}' } } }),
  ],
  ['the metadata is an array', 'OAUTH_INVALID_RESPONSE', () => ({ answers: { discovery: { body: '[]' } } })],
  [
    'the token endpoint is missing',
    'OAUTH_MISSING_SERVER_METADATA',
    () => ({ metadata: without('token_endpoint') }),
  ],
  [
    'the authorization endpoint is a script',
    'OAUTH_REQUEST_PROTOCOL_FORBIDDEN',
    () => ({ metadata: changed({ authorization_endpoint: 'javascript:alert(1)' }) }),
  ],
  [
    'the token endpoint is inside our network',
    'address_not_allowed',
    () => ({ metadata: changed({ token_endpoint: 'https://169.254.169.254/token' }) }),
  ],
  [
    'the keys are inside our network',
    'address_not_allowed',
    () => ({ metadata: changed({ jwks_uri: 'https://10.0.0.1/keys' }) }),
  ],
]

/** The same for the answer, the tokens and userinfo. */
const answerFaults: readonly Fault[] = [
  ['the state is another one', 'OAUTH_INVALID_RESPONSE', () => ({}), changed({ state: 'ext_other' })],
  ['the state is missing', 'OAUTH_INVALID_RESPONSE', () => ({}), without('state')],
  [
    'the answer is of another issuer',
    'OAUTH_INVALID_RESPONSE',
    () => ({}),
    changed({ iss: 'https://evil.example' }),
  ],
  [
    'the issuer is promised but missing',
    'OAUTH_INVALID_RESPONSE',
    () => ({ metadata: changed({ authorization_response_iss_parameter_supported: true }) }),
  ],
  [
    'the answer is an error',
    'provider_answered:access_denied',
    () => ({}),
    changed({ error: 'access_denied', error_description: '<img src=x onerror=alert(1)>' }),
  ],
  [
    'the error itself is markup',
    'provider_answered:malformed',
    () => ({}),
    changed({ error: '<script>alert(1)</script>' }),
  ],
  [
    'the identity token comes by the front channel',
    'OAUTH_UNSUPPORTED_OPERATION',
    () => ({}),
    changed({ id_token: 'e30.e30.' }),
  ],
  ['the code is missing', 'OAUTH_INVALID_RESPONSE', () => ({}), without('code')],
  [
    'the code is another one',
    'token_endpoint_answered:invalid_grant',
    () => ({}),
    changed({ code: 'stolen' }),
  ],
  ['the token endpoint redirects', 'redirected', () => ({ answers: { token: redirect } })],
  ['the token endpoint answers with a page', 'content_type_not_json', () => ({ answers: { token: page } })],
  ['the identity token is missing', 'OAUTH_INVALID_RESPONSE', () => ({ identityToken: () => undefined })],
  ['the identity token is no token', 'OAUTH_INVALID_RESPONSE', () => ({ identityToken: () => 'abc' })],
  ['iss is another', comparison, () => ({ claims: changed({ iss: 'https://evil.example' }) })],
  ['aud is another', comparison, () => ({ claims: changed({ aud: 'someone-else' }) })],
  ['azp is another', comparison, () => ({ claims: changed({ aud: ['latchkey', 'x'], azp: 'x' }) })],
  ['the nonce is another', comparison, () => ({ claims: changed({ nonce: 'nonce-2' }) })],
  ['the nonce is missing', 'OAUTH_INVALID_RESPONSE', () => ({ claims: without('nonce') })],
  ['sub is missing', 'OAUTH_INVALID_RESPONSE', () => ({ claims: without('sub') })],
  ['sub is too long', 'claims_malformed', () => ({ claims: changed({ sub: 'x'.repeat(256) }) })],
  ['exp is missing', 'OAUTH_INVALID_RESPONSE', () => ({ claims: without('exp') })],
  ['the token is expired', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED', () => ({ claims: changed({ exp: 1 }) })],
  [
    'the token is not valid yet',
    'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
    () => ({ claims: changed({ nbf: 4_000_000_000 }) }),
  ],
  [
    'the token is not signed',
    'OAUTH_INVALID_RESPONSE',
    () => ({ identityToken: claims => new UnsecuredJWT({ ...claims }).encode() }),
  ],
  [
    'the token is signed with our secret',
    'OAUTH_INVALID_RESPONSE',
    () => ({ identityToken: signedWithOurSecret }),
  ],
  [
    'the metadata allows our secret as a key',
    'OAUTH_UNSUPPORTED_OPERATION',
    () => ({
      metadata: changed({ id_token_signing_alg_values_supported: ['HS256'] }),
      identityToken: signedWithOurSecret,
    }),
  ],
  [
    'the metadata allows no signature',
    'OAUTH_UNSUPPORTED_OPERATION',
    () => ({
      metadata: changed({ id_token_signing_alg_values_supported: ['none'] }),
      identityToken: claims => new UnsecuredJWT({ ...claims }).encode(),
    }),
  ],
  ['the signature is a stranger’s', 'OAUTH_INVALID_RESPONSE', () => ({ identityToken: signedByStranger })],
  ['the key is not published', 'OAUTH_KEY_SELECTION_FAILED', () => ({ header: { kid: 'k2' } })],
  ['no keys are published', 'OAUTH_KEY_SELECTION_FAILED', () => ({ keys: [] })],
  [
    'userinfo is about somebody else',
    'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
    () => ({
      metadata: changed({ userinfo_endpoint: `${mock.issuer}/userinfo` }),
      userinfo: { sub: 'victim' },
    }),
  ],
  [
    'userinfo is a page',
    'content_type_not_json',
    () => ({
      metadata: changed({ userinfo_endpoint: `${mock.issuer}/userinfo` }),
      answers: { userinfo: page },
    }),
  ],
]

for (const [what, reason, fault] of metadataFaults) {
  test(`FD-03 refused: ${what}`, () => assert.rejects(signIn(fault()), failsWith(reason)))
}

for (const [what, reason, fault, lie] of answerFaults) {
  test(`FD-02 refused: ${what}`, () => assert.rejects(signIn(fault(), lie), failsWith(reason)))
}

test('FD-07 a provider on a loopback address is refused outside development', async () => {
  const strict = createUpstream({ allowLoopback: false, clock: { now: () => now } })
  await assert.rejects(
    strict.authorizationUrl(provider(), request),
    failsWith('OAUTH_HTTP_REQUEST_FORBIDDEN'),
  )
  const overTls = provider({ issuer: mock.issuer.replace('http:', 'https:') })
  await assert.rejects(strict.authorizationUrl(overTls, request), failsWith('address_not_allowed'))
})

test('FD-10 a provider that is away fails as every other', async () => {
  const away = provider({ issuer: 'http://127.0.0.1:1' })
  await assert.rejects(upstream.authorizationUrl(away, request), failsWith('ECONNREFUSED'))
})

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { lifetimeSeconds, providerKeyLookups } from '#lib/config/limits.ts'
import type { Upstream } from '#lib/ports/upstream.ts'
import { createUpstream } from './oidc-client.ts'
import { failsWith, registered, request, signIn } from './testing/conversation.ts'
import {
  startTestProvider,
  type TestProvider,
  testProviderClient,
  testProviderUser,
} from './testing/provider.ts'

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

test('FD-02 the request has state, nonce, PKCE and the redirect URI of the provider', async () => {
  const wishes = { loginHint: 'una@partner.example', uiLocales: 'de en', forceLogin: true, maxAgeSeconds: 0 }
  const url = new URL(await upstream.authorizationUrl(registered(mock), { ...request, ...wishes }))
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
    max_age: '0',
  })
})

test('a provider is asked for the scopes of its registration', async () => {
  const provider = { ...registered(mock), scope: 'openid groups' }
  const url = new URL(await upstream.authorizationUrl(provider, request))
  assert.equal(url.searchParams.get('scope'), 'openid groups')
})

test('FD-02 a valid response returns the user’s claims, without claims about the token', async () => {
  const { sub, ...claims } = testProviderUser
  const about = {
    scheme: 'partner',
    issuer: mock.issuer,
    authenticatedAt: null,
    scopes: ['openid', 'profile', 'email'],
  }
  assert.deepEqual(await signIn({ mock, upstream }, {}), { ...about, subject: sub, claims })
  assert.match(mock.lastTokenRequest.authorization, /^Basic /)
})

test('MF-06 the time of the sign-in at the provider comes only from the ID token', async () => {
  const faults = {
    metadata: (honest: object) => ({ ...honest, userinfo_endpoint: `${mock.issuer}/userinfo` }),
    claims: (honest: object) => ({ ...honest, auth_time: 1_700_000_000 }),
    userinfo: { ...testProviderUser, auth_time: 1_800_000_000 },
  }
  const { authenticatedAt, claims } = await signIn({ mock, upstream }, faults)
  assert.deepEqual(authenticatedAt, new Date(1_700_000_000_000))
  assert.equal('auth_time' in claims, false)
  const silent = await signIn({ mock, upstream }, { ...faults, claims: honest => honest })
  assert.equal(silent.authenticatedAt, null)
})

test('claims of the userinfo endpoint are added', async () => {
  const identity = await signIn(
    { mock, upstream },
    {
      metadata: honest => ({ ...honest, userinfo_endpoint: `${mock.issuer}/userinfo` }),
      userinfo: { ...testProviderUser, email_verified: true },
    },
  )
  assert.equal(identity.claims.email_verified, true)
})

test('the secret is sent in the body only if the provider does not support Basic, and never by a public client', async () => {
  await signIn(
    { mock, upstream },
    {
      metadata: honest => ({ ...honest, token_endpoint_auth_methods_supported: ['client_secret_post'] }),
    },
  )
  assert.equal(mock.lastTokenRequest.form.get('client_secret'), testProviderClient.clientSecret)
  const open = registered(mock, { clientSecret: null })
  const parameters = mock.approve(await upstream.authorizationUrl(open, request))
  await upstream.redeem(open, { ...request, parameters })
  assert.equal(mock.lastTokenRequest.authorization, '')
  assert.equal(mock.lastTokenRequest.form.get('client_secret'), null)
})

test('times of the ID token are compared with the given clock', async () => {
  now = new Date(now.getTime() + 3_600_000)
  await assert.rejects(signIn({ mock, upstream }, {}), failsWith('OAUTH_JWT_TIMESTAMP_CHECK_FAILED'))
  mock.now = now
  assert.equal((await signIn({ mock, upstream }, {})).subject, testProviderUser.sub)
})

test('FD-10 metadata is fetched once for concurrent callers, cached, and not cached on failure', async () => {
  mock.faults = { answers: { discovery: { status: 500, body: '{}' } } }
  await assert.rejects(upstream.authorizationUrl(registered(mock), request))
  mock.faults = {}
  await Promise.all(Array.from({ length: 20 }, () => upstream.authorizationUrl(registered(mock), request)))
  assert.equal(mock.calls.discovery, 2)
  now = new Date(now.getTime() + lifetimeSeconds.providerMetadata * 1000)
  await upstream.authorizationUrl(registered(mock), request)
  assert.equal(mock.calls.discovery, 3)
})

test('FD-07 a provider on a loopback address is refused outside development', async () => {
  const strict = createUpstream({ allowLoopback: false, clock: { now: () => now } })
  await assert.rejects(
    strict.authorizationUrl(registered(mock), request),
    failsWith('OAUTH_HTTP_REQUEST_FORBIDDEN'),
  )
  const overTls = registered(mock, { issuer: mock.issuer.replace('http:', 'https:') })
  await assert.rejects(strict.authorizationUrl(overTls, request), failsWith('provider_address_not_allowed'))
})

test('FD-07 users are sent over plain HTTP only to loopback addresses, even in development', async () => {
  const refused = failsWith('OAUTH_HTTP_REQUEST_FORBIDDEN')
  mock.faults = {
    metadata: honest => ({ ...honest, authorization_endpoint: 'http://idp.example/authorize' }),
  }
  await assert.rejects(upstream.authorizationUrl(registered(mock), request), refused)
  mock.faults = { metadata: honest => ({ ...honest, end_session_endpoint: 'http://idp.example/logout' }) }
  upstream = createUpstream({ allowLoopback: true, clock: { now: () => now } })
  const signOut = { idToken: null, redirectUri: request.redirectUri, state: 'ext_state' }
  await assert.rejects(upstream.signOutUrl(registered(mock), signOut), refused)
})

test('FD-10 an unreachable provider is a provider failure', async () => {
  const away = registered(mock, { issuer: 'http://127.0.0.1:1' })
  await assert.rejects(upstream.authorizationUrl(away, request), failsWith('ECONNREFUSED'))
})

test('FD-02 a key that the provider has since the last fetch is found immediately, by concurrent sign-ins with one fetch', async t => {
  const rotating = await startTestProvider()
  t.after(() => rotating.close())
  const parties = { mock: rotating, upstream }
  await signIn(parties, {})
  await rotating.rotateKey('k2')
  await Promise.all(Array.from({ length: 5 }, () => signIn(parties, {})))
  assert.equal(rotating.calls.jwks, 2)
})

test('FD-10 a key that the provider does not publish leads to one fetch for each kid in a minute, and to a limited number', async t => {
  const lying = await startTestProvider()
  t.after(() => lying.close())
  const parties = { mock: lying, upstream }
  const attempt = (kid: string) =>
    assert.rejects(signIn(parties, { header: { kid } }), failsWith('OAUTH_KEY_SELECTION_FAILED'))
  await signIn(parties, {})
  await attempt('unknown')
  await attempt('unknown')
  assert.equal(lying.calls.jwks, 2)
  for (let count = 0; count < 20; count += 1) await attempt(`unknown-${count}`)
  assert.equal(lying.calls.jwks, 1 + providerKeyLookups.most)
  now = new Date(now.getTime() + providerKeyLookups.seconds * 1000)
  lying.now = now
  await attempt('unknown')
  assert.equal(lying.calls.jwks, 2 + providerKeyLookups.most)
})

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose'
import { signedSecretSeconds } from '#lib/config/limits.ts'
import type { IdentityProvider, Upstream } from '#lib/ports/upstream.ts'
import { providerPresets } from '#lib/protocol/registration/provider-presets.ts'
import { createUpstream } from './oidc-client.ts'
import { failsWith, type Lie, presetProvider, request, signInAs, withUser } from './testing/conversation.ts'
import { type Faults, startTestProvider, type TestProvider } from './testing/provider.ts'

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
  upstream = createUpstream({ allowLoopback: true, clock: { now: () => now } })
})

describe('Apple', () => {
  const user = {
    sub: '001473.fe6f83bf4b8e4590aacbabdcb8598bd0.2039',
    email: 'x7f2kq@privaterelay.appleid.com',
    email_verified: 'true',
    is_private_email: 'true',
    nonce_supported: true,
    at_hash: 'HK6E_P6Dh8Y93mRNtsDB1Q',
  }
  const keys = generateKeyPair('ES256', { extractable: true })
  const apple = async (changes: Partial<IdentityProvider> = {}) => {
    const clientSecret = await exportPKCS8((await keys).privateKey)
    const ids = { clientId: 'com.house.signin', teamId: 'TEAM123456', keyId: 'KEY1234567' }
    return presetProvider(mock, 'apple', { clientSecret, ...ids, ...changes })
  }
  const signIn = async (lie?: Lie, changes: Partial<IdentityProvider> = {}) => {
    mock.faults = { claims: withUser(user) }
    return signInAs({ mock, upstream }, await apple(changes), lie)
  }
  const sentSecret = () => mock.lastTokenRequest.form.get('client_secret') ?? ''

  test('the request asks for a form post with Apple’s own scopes', async () => {
    const { asked } = await signIn()
    assert.deepEqual([asked.response_mode, asked.scope], ['form_post', 'openid name email'])
  })

  test('the client secret is a JWT for ES256 that the private key signs for Apple only', async () => {
    await signIn()
    const checks = {
      issuer: 'TEAM123456',
      audience: mock.issuer,
      subject: 'com.house.signin',
      currentDate: now,
    }
    const { payload, protectedHeader } = await jwtVerify(sentSecret(), (await keys).publicKey, checks)
    assert.deepEqual(protectedHeader, { alg: 'ES256', kid: 'KEY1234567' })
    assert.equal((payload.exp ?? 0) - (payload.iat ?? 0), signedSecretSeconds.lifetime)
    assert.equal(mock.lastTokenRequest.authorization, '')
  })

  test('a client secret is used again until shortly before its end, and not with other settings', async () => {
    await signIn()
    const first = sentSecret()
    now = new Date(now.getTime() + (signedSecretSeconds.renewedAfter - 1) * 1000)
    mock.now = now
    await signIn()
    assert.equal(sentSecret(), first)
    await signIn(undefined, { keyId: 'KEY7654321' })
    assert.notEqual(sentSecret(), first)
    await signIn()
    now = new Date(now.getTime() + 2000)
    await signIn()
    assert.notEqual(sentSecret(), first)
  })

  test('a private key without line breaks and the lines around it is the same key', async () => {
    const text = await exportPKCS8((await keys).privateKey)
    const clientSecret = text.replaceAll(/-----[A-Z ]+-----|\n/g, '')
    await signIn(undefined, { clientSecret })
    await jwtVerify(sentSecret(), (await keys).publicKey, { currentDate: now })
  })

  test('a private key that cannot be used fails the sign-in, and nothing of it is in the failure', async () => {
    const broken = `MIGTAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBHkw${'A'.repeat(120)}`
    await assert.rejects(signIn(undefined, { clientSecret: broken }), failsWith('signing_key_unusable'))
    await assert.rejects(signIn(undefined, { clientSecret: 'x' }), failsWith('signing_key_unusable'))
  })

  test('the name of the first callback is taken, but never its email address', async () => {
    const sent = { name: { firstName: 'Una', lastName: 'House' }, email: 'victim@house.example' }
    const { claims } = (await signIn(honest => ({ ...honest, user: JSON.stringify(sent) }))).redeemed.identity
    const { name, given_name: given, family_name: family, email, email_verified: isVerified } = claims
    assert.deepEqual([name, given, family], ['Una House', 'Una', 'House'])
    assert.deepEqual([email, isVerified], [user.email, true])
  })

  for (const [name, sent] of [
    ['is missing', null],
    ['is not JSON', '{"name"'],
    ['has another form', '{"name":"Una"}'],
    ['has a name that is too long', JSON.stringify({ name: { firstName: 'x'.repeat(201) } })],
  ] as const)
    test(`a sign-in works if the user of the callback ${name}`, async () => {
      const lie: Lie = honest => (sent === null ? honest : { ...honest, user: sent })
      const { identity } = (await signIn(lie)).redeemed
      assert.deepEqual([identity.subject, identity.claims.name], [user.sub, undefined])
    })
})

describe('LinkedIn', () => {
  const user = {
    sub: '782bbtaQ',
    name: 'Una House',
    given_name: 'Una',
    family_name: 'House',
    picture: 'https://media.licdn-ei.com/dms/image/x',
    locale: 'en_US',
    email: 'una@house.example',
    email_verified: true,
  }
  const withoutNonce: Faults = {
    claims: ({ nonce: _, ...honest }) => ({ ...withUser(user)(honest), nonce: undefined }),
  }

  test('the ID token may lack the nonce, and no request has PKCE', async () => {
    mock.faults = withoutNonce
    const { redeemed, asked } = await signInAs({ mock, upstream }, presetProvider(mock, 'linkedin'))
    assert.equal(redeemed.identity.subject, user.sub)
    assert.equal(asked.code_challenge, undefined)
    const { authorization, form } = mock.lastTokenRequest
    assert.deepEqual(
      [authorization, form.get('code_verifier'), form.get('client_secret')],
      ['', null, 'upstream secret'],
    )
  })

  test('FD-02 a nonce that is there must be that of the request', async () => {
    mock.faults = { claims: honest => ({ ...withUser(user)(honest), nonce: 'another' }) }
    await assert.rejects(
      signInAs({ mock, upstream }, presetProvider(mock, 'linkedin')),
      failsWith('OAUTH_JWT_CLAIM_COMPARISON_FAILED'),
    )
  })

  for (const preset of ['google', 'apple', 'gitlab', 'keycloak', 'openid_connect'] as const)
    test(`FD-02 the nonce is required of ${providerPresets[preset].name}`, async () => {
      mock.faults = withoutNonce
      const { privateKey } = await generateKeyPair('ES256', { extractable: true })
      const clientSecret = await exportPKCS8(privateKey)
      await assert.rejects(
        signInAs({ mock, upstream }, presetProvider(mock, preset, { clientSecret })),
        failsWith('OAUTH_INVALID_RESPONSE'),
      )
    })
})

for (const preset of ['gitlab', 'keycloak'] as const)
  test(`${providerPresets[preset].name} is asked for a new sign-in with prompt and max_age`, async () => {
    const again = { ...request, forceLogin: true, maxAgeSeconds: 0 }
    const url = new URL(await upstream.authorizationUrl(presetProvider(mock, preset), again))
    assert.deepEqual([url.searchParams.get('prompt'), url.searchParams.get('max_age')], ['login', '0'])
  })

/** ID tokens and answers of userinfo as these products send them, with other names. */
const recorded = {
  // Names and groups are only at userinfo; an ID token also has the subject of earlier releases
  gitlab: {
    token: {
      sub: '4711',
      sub_legacy: '0c5a18ff0c4e43d3e3a3b8f0d2a5b46a1a3e1b7d1dbb8aa3cb7aa4e1a3d9f0c2',
      auth_time: 1_772_366_000,
      email: 'una@house.example',
      email_verified: true,
      groups_direct: ['house'],
    },
    userinfo: {
      sub: '4711',
      name: 'Una House',
      nickname: 'una',
      preferred_username: 'una',
      email: 'una@house.example',
      email_verified: true,
      profile: 'https://gitlab.com/una',
      picture: 'https://gitlab.com/uploads/-/system/user/avatar/4711/avatar.png',
      groups: ['house', 'house/keys'],
    },
  },
  // The subject is a UUID, and `acr` a level without a meaning elsewhere
  keycloak: {
    token: {
      sub: 'f2a1ed52-710d-4104-8bd5-0c7b8f1f1c11',
      auth_time: 1_772_366_000,
      jti: '55a4f0d0-3b3f-4d02-9a0e-1f6c1a0a5e2f',
      typ: 'ID',
      azp: 'latchkey',
      sid: '5d3a3a53-6a2a-4d0b-b7c3-3b6d9d7a8a01',
      session_state: '5d3a3a53-6a2a-4d0b-b7c3-3b6d9d7a8a01',
      at_hash: 'HK6E_P6Dh8Y93mRNtsDB1Q',
      acr: '1',
      email_verified: true,
      name: 'Una House',
      preferred_username: 'una',
      given_name: 'Una',
      family_name: 'House',
      email: 'una@house.example',
    },
    userinfo: {
      sub: 'f2a1ed52-710d-4104-8bd5-0c7b8f1f1c11',
      email_verified: true,
      name: 'Una House',
      preferred_username: 'una',
      given_name: 'Una',
      family_name: 'House',
      email: 'una@house.example',
    },
  },
} as const

for (const preset of ['gitlab', 'keycloak'] as const)
  test(`FD-01 a user of ${providerPresets[preset].name} has the subject, the names and the verified address`, async () => {
    const { token, userinfo } = recorded[preset]
    const metadata: Faults['metadata'] = honest => ({
      ...honest,
      userinfo_endpoint: `${mock.issuer}/userinfo`,
    })
    mock.faults = { claims: withUser(token), userinfo, metadata }
    const { redeemed, asked } = await signInAs({ mock, upstream }, presetProvider(mock, preset))
    const { subject, issuer, claims, authenticatedAt } = redeemed.identity
    assert.deepEqual([subject, issuer], [token.sub, mock.issuer])
    assert.deepEqual(authenticatedAt, new Date(token.auth_time * 1000))
    const { name, preferred_username: username, email, email_verified: isVerified } = claims
    assert.deepEqual([name, username, email, isVerified], ['Una House', 'una', 'una@house.example', true])
    for (const ofToken of ['sid', 'acr', 'azp', 'jti', 'at_hash', 'sub'])
      assert.ok(!(ofToken in claims), ofToken)
    assert.deepEqual([asked.scope, asked.code_challenge_method], ['openid profile email', 'S256'])
  })

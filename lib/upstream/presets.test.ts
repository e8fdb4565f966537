import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose'
import { signedSecretSeconds } from '#lib/config/limits.ts'
import type { IdentityProvider, Upstream } from '#lib/ports/upstream.ts'
import { type PresetName, providerPresets } from '#lib/protocol/registration/provider-presets.ts'
import { createUpstream } from './oidc-client.ts'
import { failsWith, type Lie, registered, request, signInAs } from './testing/conversation.ts'
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

type Json = Readonly<Record<string, unknown>>

/** Our registration with the values of the preset, at the test provider. */
function presetProvider(preset: PresetName, changes: Partial<IdentityProvider> = {}): IdentityProvider {
  const { scope, reauthentication } = providerPresets[preset]
  return registered(mock, { preset, scope, reauthentication, ...changes })
}

/** Replaces the claims of the user, and keeps those about the token. */
function withUser(user: Json) {
  return ({ iss, aud, nonce, iat, exp }: Json): Json => ({ iss, aud, nonce, iat, exp, ...user })
}

describe('Google', () => {
  const user = {
    azp: 'latchkey',
    sub: '110169484474386276334',
    hd: 'house.example',
    email: 'una@house.example',
    email_verified: true,
    at_hash: 'HK6E_P6Dh8Y93mRNtsDB1Q',
    name: 'Una House',
    picture: 'https://lh3.googleusercontent.com/a/x=s96-c',
    given_name: 'Una',
    family_name: 'House',
  }
  const signIn = (changes: Partial<IdentityProvider> = {}, claims: Json = user) => {
    mock.faults = { claims: withUser(claims) }
    return signInAs({ mock, upstream }, presetProvider('google', changes))
  }

  test('every account can sign in, and a new sign-in is a choice of the account', async () => {
    const { redeemed, asked } = await signIn()
    assert.equal(redeemed.identity.subject, user.sub)
    assert.equal(asked.hd, undefined)
    const again = { ...request, forceLogin: true, maxAgeSeconds: 0 }
    const url = new URL(await upstream.authorizationUrl(presetProvider('google'), again))
    assert.deepEqual(
      [url.searchParams.get('prompt'), url.searchParams.get('max_age')],
      ['select_account', null],
    )
  })

  test('only accounts of the listed Workspace domains can sign in, whatever their email address is', async () => {
    const { redeemed, asked } = await signIn({ tenants: ['house.example'] })
    assert.deepEqual([redeemed.identity.subject, asked.hd], [user.sub, 'house.example'])
    const both = await signIn({ tenants: ['other.example', 'house.example'] })
    assert.equal(both.asked.hd, '*')
    for (const claims of [
      { ...user, hd: 'other.example' },
      { ...user, hd: undefined },
      { ...user, hd: ['house.example'] },
    ])
      await assert.rejects(signIn({ tenants: ['house.example'] }, claims), failsWith('tenant_not_allowed'))
  })
})

describe('Microsoft Entra', () => {
  const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47'
  const other = '11111111-2222-4333-8444-555555555555'
  const user = {
    sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
    oid: '00000000-0000-0000-66f3-3332eca7ea81',
    tid: tenant,
    ver: '2.0',
    name: 'Una House',
    preferred_username: 'una@house.example',
    email: 'una@house.example',
  }
  const issuerOf = (id: string) => `${mock.issuer}/${id}/v2.0`
  const faultsFor = (claims: Json): Faults => ({
    metadata: honest => ({ ...honest, issuer: issuerOf('{tenantid}') }),
    claims: honest => ({ ...withUser(user)(honest), iss: issuerOf(tenant), ...claims }),
  })
  const signIn = (changes: Partial<IdentityProvider> = {}, claims: Json = {}) => {
    mock.faults = faultsFor(claims)
    const provider = presetProvider('microsoft', { issuer: issuerOf('organizations'), ...changes })
    return signInAs({ mock, upstream }, provider)
  }

  test('FD-01 FD-03 the issuer of a user is that of the tenant, which the metadata has as a template', async () => {
    const { identity } = (await signIn()).redeemed
    assert.deepEqual([identity.issuer, identity.subject], [issuerOf(tenant), user.sub])
  })

  test('FD-02 the issuer of the ID token must be that of the tenant in it', async () => {
    const named = issuerOf(other)
    await assert.rejects(signIn({}, { iss: named }), failsWith(`id_token_issuer_differs:${named}`))
    const template = issuerOf('{tenantid}')
    await assert.rejects(signIn({}, { iss: template }), failsWith(`id_token_issuer_differs:${template}`))
    await assert.rejects(
      signIn({}, { iss: 'https://evil.example/x/v2.0' }),
      failsWith('id_token_issuer_differs:https://evil.example/x/v2.0'),
    )
  })

  for (const [name, tid] of [
    ['no tenant', undefined],
    ['a tenant that is a path', `${tenant}/../x`],
    ['the template as its tenant', '{tenantid}'],
    ['a list of tenants', [tenant]],
  ] as const)
    test(`FD-02 an ID token with ${name} is refused`, async () => {
      await assert.rejects(signIn({}, { tid }), failsWith('tenant_missing'))
    })

  test('FD-02 a key of the provider that belongs to another issuer does not sign for this tenant', async () => {
    const signInWith = async (issuer: string) => {
      const published = await (await fetch(`${mock.issuer}/jwks`)).json()
      const keys = published.keys.map((key: Json) => ({ ...key, issuer }))
      upstream = createUpstream({ allowLoopback: true, clock: { now: () => now } })
      mock.faults = { ...faultsFor({}), keys }
      const provider = presetProvider('microsoft', { issuer: issuerOf('organizations') })
      const { redeemed } = await signInAs({ mock, upstream }, provider)
      mock.faults = {}
      return redeemed.identity.subject
    }
    assert.equal(await signInWith(issuerOf('{tenantid}')), user.sub)
    assert.equal(await signInWith(issuerOf(tenant)), user.sub)
    await assert.rejects(signInWith(issuerOf(other)), failsWith('OAUTH_KEY_SELECTION_FAILED'))
  })

  test('only users of the listed tenants can sign in', async () => {
    assert.equal((await signIn({ tenants: [other, tenant] })).redeemed.identity.subject, user.sub)
    await assert.rejects(signIn({ tenants: [other] }), failsWith('tenant_not_allowed'))
  })

  test('FD-03 metadata of another host, or of a single tenant, is not that of several tenants', async () => {
    for (const issuer of ['https://evil.example/{tenantid}/v2.0', issuerOf(tenant)]) {
      mock.faults = { metadata: honest => ({ ...honest, issuer }) }
      const provider = presetProvider('microsoft', { issuer: issuerOf('organizations') })
      await assert.rejects(
        upstream.authorizationUrl(provider, request),
        failsWith('issuer_differs:{issuer}'.replace('{issuer}', issuer)),
      )
    }
  })

  test('FD-03 the template is the issuer only with the preset', async () => {
    mock.faults = faultsFor({})
    const provider = registered(mock, { issuer: issuerOf('organizations') })
    await assert.rejects(
      upstream.authorizationUrl(provider, request),
      failsWith(`issuer_differs:${issuerOf('{tenantid}')}`),
    )
  })

  test('an app of one tenant has the issuer of that tenant', async () => {
    mock.faults = { ...faultsFor({}), metadata: honest => ({ ...honest, issuer: issuerOf(tenant) }) }
    const provider = presetProvider('microsoft', { issuer: issuerOf(tenant), tenants: [tenant] })
    const { identity } = (await signInAs({ mock, upstream }, provider)).redeemed
    assert.equal(identity.issuer, issuerOf(tenant))
  })

  test('an email address counts as verified only if Microsoft confirms the domain of its tenant', async () => {
    const verified = async (claims: Json) =>
      (await signIn({}, claims)).redeemed.identity.claims.email_verified
    assert.equal(await verified({}), false)
    assert.equal(await verified({ email_verified: true }), false)
    assert.equal(await verified({ xms_edov: false }), false)
    assert.equal(await verified({ xms_edov: true }), true)
    assert.equal(await verified({ xms_edov: '1' }), true)
  })

  test('errors of the token endpoint are reported as such, not as a missing tenant', async () => {
    const body = JSON.stringify({
      error: 'invalid_client',
      error_description: 'AADSTS7000215',
      error_codes: [7000215],
    })
    mock.faults = { ...faultsFor({}), answers: { token: { status: 401, body } } }
    const provider = presetProvider('microsoft', { issuer: issuerOf('organizations') })
    await assert.rejects(
      signInAs({ mock, upstream }, provider),
      failsWith('token_endpoint_answered:invalid_client'),
    )
  })
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
    return presetProvider('apple', { clientSecret, ...ids, ...changes })
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
    const { redeemed, asked } = await signInAs({ mock, upstream }, presetProvider('linkedin'))
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
      signInAs({ mock, upstream }, presetProvider('linkedin')),
      failsWith('OAUTH_JWT_CLAIM_COMPARISON_FAILED'),
    )
  })

  for (const preset of ['google', 'apple', 'gitlab', 'keycloak', 'openid_connect'] as const)
    test(`FD-02 the nonce is required of ${providerPresets[preset].name}`, async () => {
      mock.faults = withoutNonce
      const { privateKey } = await generateKeyPair('ES256', { extractable: true })
      const clientSecret = await exportPKCS8(privateKey)
      await assert.rejects(
        signInAs({ mock, upstream }, presetProvider(preset, { clientSecret })),
        failsWith('OAUTH_INVALID_RESPONSE'),
      )
    })
})

for (const preset of ['gitlab', 'keycloak'] as const)
  test(`${providerPresets[preset].name} is asked for a new sign-in with prompt and max_age`, async () => {
    const again = { ...request, forceLogin: true, maxAgeSeconds: 0 }
    const url = new URL(await upstream.authorizationUrl(presetProvider(preset), again))
    assert.deepEqual([url.searchParams.get('prompt'), url.searchParams.get('max_age')], ['login', '0'])
  })

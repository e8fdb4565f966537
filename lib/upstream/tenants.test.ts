import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { IdentityProvider, Upstream } from '#lib/ports/upstream.ts'
import { createUpstream } from './oidc-client.ts'
import {
  failsWith,
  type Json,
  presetProvider,
  registered,
  request,
  signInAs,
  withUser,
} from './testing/conversation.ts'
import { type Faults, startTestProvider, type TestProvider } from './testing/provider.ts'

let mock: TestProvider
let upstream: Upstream

before(async () => {
  mock = await startTestProvider()
})
after(() => mock.close())
beforeEach(() => {
  mock.faults = {}
  upstream = createUpstream({ allowLoopback: true, clock: { now: () => new Date() } })
})

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
    return signInAs({ mock, upstream }, presetProvider(mock, 'google', changes))
  }

  test('every account can sign in, and a new sign-in is a choice of the account', async () => {
    const { redeemed, asked } = await signIn()
    assert.equal(redeemed.identity.subject, user.sub)
    assert.equal(asked.hd, undefined)
    const again = { ...request, forceLogin: true, maxAgeSeconds: 0 }
    const url = new URL(await upstream.authorizationUrl(presetProvider(mock, 'google'), again))
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
    const provider = presetProvider(mock, 'microsoft', { issuer: issuerOf('organizations'), ...changes })
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
      upstream = createUpstream({ allowLoopback: true, clock: { now: () => new Date() } })
      mock.faults = { ...faultsFor({}), keys }
      const provider = presetProvider(mock, 'microsoft', { issuer: issuerOf('organizations') })
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
      const provider = presetProvider(mock, 'microsoft', { issuer: issuerOf('organizations') })
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
    const provider = presetProvider(mock, 'microsoft', { issuer: issuerOf(tenant), tenants: [tenant] })
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
    const provider = presetProvider(mock, 'microsoft', { issuer: issuerOf('organizations') })
    await assert.rejects(
      signInAs({ mock, upstream }, provider),
      failsWith('token_endpoint_answered:invalid_client'),
    )
  })
})

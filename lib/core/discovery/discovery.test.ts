import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CustomGrant } from '#lib/ports/extensions.ts'
import { type EndpointName, endpointNames } from '#lib/protocol/vocabulary.ts'
import { issuer, openTestPorts, type TestPorts } from '../testing/ports.ts'
import { discovery, keySet } from './discovery.ts'

const customGrant: CustomGrant = {
  grantType: 'urn:example:grant',
  validate: async () => ({ kind: 'refused', description: null }),
}

let t: TestPorts
before(async () => {
  t = await openTestPorts({ customGrants: [customGrant] })
})
after(() => t.close())

test('AZ-12 the metadata has the exact issuer, and states that every response contains iss', async () => {
  const metadata = await discovery(t.ports, 'openid')
  assert.equal(metadata.issuer, issuer)
  assert.equal(metadata.authorization_response_iss_parameter_supported, true)
})

test('the metadata contains only what the server supports', async () => {
  const metadata = await discovery(t.ports, 'openid')
  assert.deepEqual(metadata.scopes_supported, [
    'openid',
    'profile',
    'roles',
    'api',
    'api.write',
    'offline_access',
  ])
  assert.deepEqual(metadata.claims_supported, ['sub', 'name', 'given_name', 'family_name', 'role'])
  assert.deepEqual(metadata.response_types_supported, [
    'code',
    'token',
    'id_token',
    'id_token token',
    'code id_token',
    'code token',
    'code id_token token',
    'none',
  ])
  assert.ok(Array.isArray(metadata.grant_types_supported))
  assert.ok(metadata.grant_types_supported.includes('urn:example:grant'))
  assert.deepEqual(metadata.prompt_values_supported, ['none', 'login', 'consent', 'select_account'])
  assert.deepEqual(
    [metadata.request_parameter_supported, metadata.request_uri_parameter_supported],
    [false, false],
  )
  assert.equal('request_object_signing_alg_values_supported' in metadata, false)
  assert.deepEqual(metadata.introspection_endpoint_auth_methods_supported, [
    'client_secret_basic',
    'client_secret_post',
  ])
  assert.ok(Object.values(metadata).every(value => value !== null))
})

test('MF-06 the metadata has the levels of assurance in ascending order, and no class that needs an attestation', async () => {
  const { acr_values_supported: values } = await discovery(t.ports, 'openid')
  assert.deepEqual(values, ['urn:latchkey:pwd', 'urn:latchkey:mfa', 'urn:latchkey:passkey', 'phr'])
})

test('MF-06 where there are no passkeys, the metadata has no level that needs one', async () => {
  const settings = { ...t.ports.settings, relyingParty: { kind: 'off', why: 'ip_address' } as const }
  const { acr_values_supported: values } = await discovery({ ...t.ports, settings }, 'openid')
  assert.deepEqual(values, ['urn:latchkey:pwd', 'urn:latchkey:mfa'])
})

test('CD-08 the metadata has the PKCE methods', async () => {
  const metadata = await discovery(t.ports, 'oauth')
  assert.deepEqual(metadata.code_challenge_methods_supported, ['plain', 'S256'])
})

test('every address in the metadata is below the issuer', async () => {
  const metadata = await discovery(t.ports, 'openid')
  const addresses = Object.entries(metadata).filter(([name]) => /_(endpoint|uri)$/.test(name))
  assert.equal(addresses.length, 7)
  for (const [, address] of addresses) assert.ok(String(address).startsWith(`${issuer}/`))
})

test('the OAuth metadata has no members of OpenID Connect', async () => {
  const metadata = await discovery(t.ports, 'oauth')
  for (const name of [
    'userinfo_endpoint',
    'subject_types_supported',
    'id_token_signing_alg_values_supported',
  ]) {
    assert.equal(name in metadata, false)
  }
})

test('JW-11 the key set contains only public keys, each with its own kid', async () => {
  const { keys } = await keySet(t.ports)
  assert.ok(Array.isArray(keys) && keys.length >= 3)
  assert.doesNotMatch(JSON.stringify(keys), /"(d|p|q|dp|dq|qi|k)":/)
  assert.equal(new Set(keys.map(key => key.kid)).size, keys.length)
})

const switches: ReadonlyArray<
  readonly [off: EndpointName, absent: readonly string[], grants: readonly string[], types: readonly string[]]
> = [
  [
    'authorize',
    ['authorization_endpoint', 'response_modes_supported', 'code_challenge_methods_supported'],
    ['client_credentials', 'password', 'refresh_token', 'urn:example:grant'],
    [],
  ],
  [
    'token',
    ['token_endpoint', 'token_endpoint_auth_methods_supported', 'code_challenge_methods_supported'],
    ['implicit'],
    ['token', 'id_token', 'id_token token'],
  ],
]
for (const [off, absent, grants, types] of switches) {
  test(`without the ${off} endpoint the metadata has no member that needs it`, async () => {
    const enabledEndpoints = new Set(endpointNames.filter(name => name !== off))
    const settings = { ...t.ports.settings, enabledEndpoints }
    const metadata = await discovery({ ...t.ports, settings }, 'openid')
    for (const member of absent) assert.equal(member in metadata, false, member)
    assert.deepEqual(metadata.grant_types_supported, grants)
    assert.deepEqual(metadata.response_types_supported, types)
  })
}

test('without local sign-in the password grant is not offered', async () => {
  const settings = { ...t.ports.settings, localLogin: false }
  const { grant_types_supported: grants } = await discovery({ ...t.ports, settings }, 'openid')
  assert.ok(Array.isArray(grants) && !grants.includes('password') && grants.includes('refresh_token'))
})

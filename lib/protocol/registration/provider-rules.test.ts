import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { plainMessage } from './configuration-problems.ts'
import { presetNames, providerPresets } from './provider-presets.ts'
import { withPresetDefaults } from './provider-rules.ts'
import { providerRecordSchema, providerRegistrationSchema } from './records.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = String(privateKey.export({ format: 'pem', type: 'pkcs8' }))
const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47'
const endpoints = {
  authorization_endpoint: 'https://house.example/authorize',
  token_endpoint: 'https://house.example/token',
  userinfo_endpoint: 'https://api.house.example/me',
}
const apple = { preset: 'apple', team_id: 'TEAM123456', key_id: 'KEY1234567', client_secret: pem }

function problems(provider: object, schema = providerRecordSchema): readonly string[] {
  const read = schema.safeParse(
    { scheme: 'house', client_id: 'latchkey', ...provider },
    { error: plainMessage },
  )
  return read.error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []
}

const accepted: readonly (readonly [string, object])[] = [
  ['a provider as before presets existed', { issuer: 'https://house.example' }],
  ['Google with only its credentials', { preset: 'google', client_secret: 'secret' }],
  ['Google for domains of Workspace', { preset: 'google', tenants: ['house.example'] }],
  ['Microsoft for every organization', { preset: 'microsoft' }],
  ['Microsoft for some tenants', { preset: 'microsoft', tenants: [tenant, tenant.replace('72', '73')] }],
  ['GitHub', { preset: 'github' }],
  ['GitHub Enterprise', { preset: 'github', issuer: 'https://github.house.example' }],
  ['LinkedIn', { preset: 'linkedin' }],
  ['GitLab', { preset: 'gitlab' }],
  ['Keycloak', { preset: 'keycloak', issuer: 'https://house.example/realms/house' }],
  ['Apple', apple],
  ['OAuth 2.0', { preset: 'oauth2', ...endpoints, claim_names: { sub: 'id', name: 'profile.name' } }],
]
for (const [name, provider] of accepted)
  test(`accepts ${name}`, () => assert.deepEqual(problems(provider), []))

const refused: readonly (readonly [string, object, readonly string[]])[] = [
  ['a provider without an issuer', {}, ['issuer is missing']],
  ['Keycloak without an issuer', { preset: 'keycloak' }, ['issuer is missing']],
  [
    'OAuth 2.0 without endpoints',
    { preset: 'oauth2' },
    Object.keys(endpoints).map(field => `${field} is missing`),
  ],
  [
    'an endpoint that is not https',
    { preset: 'oauth2', ...endpoints, token_endpoint: 'http://house.example/token' },
    ['token_endpoint must be an https address without fragment (http for loopback addresses only)'],
  ],
  [
    'endpoints of an OpenID provider, whose metadata names them',
    { issuer: 'https://house.example', token_endpoint: endpoints.token_endpoint },
    ['token_endpoint is not used with "openid_connect"'],
  ],
  ['scopes without openid', { preset: 'google', scope: 'email' }, ['scope must contain openid']],
  [
    'a report of auth_time without ID tokens',
    { preset: 'github', reauthentication: 'auth_time' },
    ['reauthentication must be "prompt" or "select_account": without ID tokens there is no auth_time'],
  ],
  [
    'a tenant of Microsoft that is not an ID',
    { preset: 'microsoft', tenants: ['house.example'] },
    ['tenants.0 must be a directory (tenant) ID'],
  ],
  [
    'an issuer of Microsoft without a tenant',
    { preset: 'microsoft', issuer: 'https://login.microsoftonline.com' },
    ['issuer must end with /<tenant>/v2.0, such as https://login.microsoftonline.com/organizations/v2.0'],
  ],
  ['tenants of GitHub', { preset: 'github', tenants: ['house'] }, ['tenants is not used with "github"']],
  [
    'Apple without its key',
    { preset: 'apple' },
    ['team_id is missing', 'key_id is missing', 'client_secret is missing: the content of the .p8 file'],
  ],
  [
    'a password as the key of Apple',
    { ...apple, client_secret: 'a password' },
    ['client_secret must be the content of the .p8 file: a private key for ES256'],
  ],
  [
    'a key of another curve',
    {
      ...apple,
      client_secret: String(
        generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({
          format: 'pem',
          type: 'pkcs8',
        }),
      ),
    },
    ['client_secret must be the content of the .p8 file: a private key for ES256'],
  ],
  [
    'a claim that this server sets',
    { preset: 'oauth2', ...endpoints, claim_names: { amr: 'methods' } },
    ['claim_names.amr is set by this server'],
  ],
  ['an unknown preset', { preset: 'gogle' }, ['preset "gogle" is not known; did you mean "google"?']],
]
for (const [name, provider, expected] of refused)
  test(`refuses ${name}`, () => assert.deepEqual(problems(provider), expected))

test('an admin may apply Apple without its key, which is stored', () => {
  const { client_secret: _, ...stored } = apple
  assert.deepEqual(problems(stored, providerRegistrationSchema('may_be_stored')), [])
})

test('the issuer follows from the preset, from a single tenant, or from the endpoint that identifies users', () => {
  const issuer = (settings: Parameters<typeof withPresetDefaults>[0]) => withPresetDefaults(settings).issuer
  assert.equal(issuer({ preset: 'google' }), 'https://accounts.google.com')
  assert.equal(issuer({ preset: 'microsoft' }), 'https://login.microsoftonline.com/organizations/v2.0')
  const one = issuer({ preset: 'microsoft', tenants: [tenant.toUpperCase()] })
  assert.equal(one, `https://login.microsoftonline.com/${tenant}/v2.0`)
  assert.equal(issuer({ preset: 'oauth2', ...endpoints }), 'https://api.house.example')
  assert.equal(
    issuer({ preset: 'oauth2', ...endpoints, issuer: 'https://house.example' }),
    'https://house.example',
  )
})

test('every preset with metadata asks for openid, and links its documents over https', () => {
  for (const name of presetNames) {
    const { protocol, scope, documents, registration } = providerPresets[name]
    assert.equal(protocol === 'openid', scope.split(' ').includes('openid'), name)
    assert.match(documents ?? 'https://', /^https:\/\//)
    assert.match(registration, /\.$/)
  }
})

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Upstream } from '#lib/ports/upstream.ts'
import { createUpstream } from './oidc-client.ts'
import { type Faults, startTestProvider, type TestProvider } from './testing/provider.ts'

let mock: TestProvider
let upstream: Upstream
const clock = { now: () => new Date() }

before(async () => {
  mock = await startTestProvider()
  upstream = createUpstream({ allowLoopback: true, clock })
})
after(() => mock.close())
beforeEach(() => {
  mock.faults = {}
})

test('the preview returns the metadata of the provider', async () => {
  const said = {
    scopes_supported: ['openid', 'profile', 'email'],
    userinfo_endpoint: `${mock.issuer}/userinfo`,
  }
  mock.faults = { metadata: honest => ({ ...honest, ...said }) }
  assert.deepEqual(await upstream.preview(mock.issuer), {
    kind: 'found',
    issuer: mock.issuer,
    endpoints: {
      authorization: `${mock.issuer}/authorize`,
      token: `${mock.issuer}/token`,
      userinfo: `${mock.issuer}/userinfo`,
      jwks: `${mock.issuer}/jwks`,
    },
    scopes: ['openid', 'profile', 'email'],
    claims: null,
    signingAlgorithms: null,
    clientAuthentication: null,
    problems: [],
  })
})

test('the preview fetches the metadata each time', async () => {
  await upstream.preview(mock.issuer)
  const before = mock.calls.discovery
  await upstream.preview(mock.issuer)
  assert.equal(mock.calls.discovery, before + 1)
})

const problems: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>, RegExp, boolean]> = [
  ['no token endpoint', { token_endpoint: undefined }, /no token endpoint/, true],
  ['no key set', { jwks_uri: undefined }, /no key set/, true],
  ['no code flow', { response_types_supported: ['id_token'] }, /authorization code flow/, true],
  [
    'symmetric signatures only',
    { id_token_signing_alg_values_supported: ['HS256', 'none'] },
    /public-key signature/,
    true,
  ],
  [
    'key-based client authentication only',
    { token_endpoint_auth_methods_supported: ['private_key_jwt'] },
    /neither by Basic/,
    true,
  ],
  ['an address of another kind', { token_endpoint: 'file:///etc/passwd' }, /never called/, true],
  ['plain HTTP to another host', { token_endpoint: 'http://idp.example/token' }, /never called/, true],
  ['no PKCE', { code_challenge_methods_supported: ['plain'] }, /PKCE/, false],
  ['no email scope', { scopes_supported: ['openid', 'profile'] }, /"email"/, false],
]

for (const [what, metadata, expected, isFatal] of problems) {
  test(`the preview warns about a provider with ${what}`, async () => {
    mock.faults = { metadata: honest => ({ ...honest, userinfo_endpoint: `${mock.issuer}/u`, ...metadata }) }
    const preview = await upstream.preview(mock.issuer)
    assert.ok(preview.kind === 'found', JSON.stringify(preview))
    assert.equal(preview.problems.length, 1, JSON.stringify(preview.problems))
    assert.match(preview.problems[0]?.sentence ?? '', expected)
    assert.equal(preview.problems[0]?.isFatal, isFatal)
  })
}

const failures: ReadonlyArray<readonly [string, Faults, RegExp]> = [
  [
    'a page',
    { answers: { discovery: { headers: { 'content-type': 'text/html' }, body: '<p>' } } },
    /not answer with JSON/,
  ],
  [
    'a redirect',
    { answers: { discovery: { status: 302, headers: { location: '/x' }, body: '{}' } } },
    /redirect/,
  ],
  ['not found', { answers: { discovery: { status: 404, body: '{}' } } }, /no metadata/],
  ['broken JSON', { answers: { discovery: { body: '{' } } }, /not JSON/],
]

for (const [what, faults, expected] of failures) {
  test(`the preview explains that the response was ${what}`, async () => {
    mock.faults = faults
    const preview = await upstream.preview(mock.issuer)
    assert.ok(preview.kind === 'failed', JSON.stringify(preview))
    assert.match(preview.sentence, expected)
  })
}

test('the preview reports the issuer of the metadata', async () => {
  mock.faults = { metadata: honest => ({ ...honest, issuer: `${mock.issuer}/` }) }
  const preview = await upstream.preview(mock.issuer)
  assert.ok(preview.kind === 'failed')
  assert.equal(preview.namedIssuer, `${mock.issuer}/`)
})

test('FD-07 the preview refuses private addresses and other schemes', async () => {
  const strict = createUpstream({ allowLoopback: false, clock })
  const addresses = ['https://127.0.0.1', 'https://169.254.169.254', 'https://[::1]', 'https://10.0.0.1']
  for (const issuer of addresses) {
    const preview = await strict.preview(issuer)
    assert.ok(preview.kind === 'failed')
    assert.match(preview.sentence, /private network/, issuer)
  }
  for (const issuer of ['http://evil.example', 'file:///etc/passwd', 'https://a.example?x=1', 'nonsense']) {
    const preview = await strict.preview(issuer)
    assert.ok(preview.kind === 'failed')
    assert.match(preview.sentence, /^An issuer is/, issuer)
  }
})

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { failureOf, providerFailureSentence } from '#lib/errors/provider-failures.ts'
import type { Upstream } from '#lib/ports/upstream.ts'
import { createUpstream } from './oidc-client.ts'
import { failsWith, type Lie, signIn } from './testing/conversation.ts'
import { type Faults, startTestProvider, type TestProvider, testProviderClient } from './testing/provider.ts'

let mock: TestProvider
let upstream: Upstream

before(async () => {
  mock = await startTestProvider()
})
after(() => mock.close())
beforeEach(() => {
  upstream = createUpstream({ allowLoopback: true, clock: { now: () => new Date() } })
})

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

/** Faults in the metadata, one per row, with the reason in the log. */
const metadataFaults: readonly Fault[] = [
  [
    'the metadata is of another issuer',
    'issuer_differs:https://evil.example',
    () => ({ metadata: changed({ issuer: 'https://evil.example' }) }),
  ],
  [
    'the issuer differs by a slash',
    'issuer_differs:{issuer}/',
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
    'provider_address_not_allowed',
    () => ({ metadata: changed({ token_endpoint: 'https://169.254.169.254/token' }) }),
  ],
  [
    'the keys are inside our network',
    'provider_address_not_allowed',
    () => ({ metadata: changed({ jwks_uri: 'https://10.0.0.1/keys' }) }),
  ],
]

/** Faults in the response, the tokens and userinfo, one per row, with the reason in the log. */
const answerFaults: readonly Fault[] = [
  ['the state differs', 'OAUTH_INVALID_RESPONSE', () => ({}), changed({ state: 'ext_other' })],
  ['the state is missing', 'OAUTH_INVALID_RESPONSE', () => ({}), without('state')],
  [
    'the answer is of another issuer',
    'response_issuer_differs:https://evil.example',
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
    'the ID token is in the front channel',
    'OAUTH_UNSUPPORTED_OPERATION',
    () => ({}),
    changed({ id_token: 'e30.e30.' }),
  ],
  ['the code is missing', 'OAUTH_INVALID_RESPONSE', () => ({}), without('code')],
  ['the code differs', 'token_endpoint_answered:invalid_grant', () => ({}), changed({ code: 'stolen' })],
  ['the token endpoint redirects', 'redirected', () => ({ answers: { token: redirect } })],
  ['the token endpoint answers with a page', 'content_type_not_json', () => ({ answers: { token: page } })],
  ['the ID token is missing', 'OAUTH_INVALID_RESPONSE', () => ({ idToken: () => undefined })],
  ['the ID token is not a JWT', 'OAUTH_INVALID_RESPONSE', () => ({ idToken: () => 'abc' })],
  [
    'iss is another',
    'id_token_issuer_differs:https://evil.example',
    () => ({ claims: changed({ iss: 'https://evil.example' }) }),
  ],
  ['aud is another', comparison, () => ({ claims: changed({ aud: 'someone-else' }) })],
  ['azp is another', comparison, () => ({ claims: changed({ aud: ['latchkey', 'x'], azp: 'x' }) })],
  ['the nonce is another', comparison, () => ({ claims: changed({ nonce: 'nonce-2' }) })],
  ['the nonce is missing', 'OAUTH_INVALID_RESPONSE', () => ({ claims: without('nonce') })],
  ['sub is missing', 'OAUTH_INVALID_RESPONSE', () => ({ claims: without('sub') })],
  [
    'there are too many claims',
    'provider_claims_too_large',
    () => ({
      claims: changed(Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`claim_${index}`, 1]))),
    }),
  ],
  [
    'a claim is too long for tokens',
    'provider_claims_too_large',
    () => ({ claims: changed({ name: 'x'.repeat(6144) }) }),
  ],
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
    () => ({ idToken: claims => new UnsecuredJWT({ ...claims }).encode() }),
  ],
  ['the token is signed with our secret', 'OAUTH_INVALID_RESPONSE', () => ({ idToken: signedWithOurSecret })],
  [
    'the metadata allows our secret as a key',
    'OAUTH_UNSUPPORTED_OPERATION',
    () => ({
      metadata: changed({ id_token_signing_alg_values_supported: ['HS256'] }),
      idToken: signedWithOurSecret,
    }),
  ],
  [
    'the metadata allows no signature',
    'OAUTH_UNSUPPORTED_OPERATION',
    () => ({
      metadata: changed({ id_token_signing_alg_values_supported: ['none'] }),
      idToken: claims => new UnsecuredJWT({ ...claims }).encode(),
    }),
  ],
  ['the signature is a stranger’s', 'OAUTH_INVALID_RESPONSE', () => ({ idToken: signedByStranger })],
  ['the key is not published', 'OAUTH_KEY_SELECTION_FAILED', () => ({ header: { kid: 'k2' } })],
  ['no keys are published', 'OAUTH_KEY_SELECTION_FAILED', () => ({ keys: [] })],
  [
    'userinfo is about a different user',
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
  test(`FD-03 refuses metadata: ${what}`, () =>
    assert.rejects(signIn({ mock, upstream }, fault()), failsWith(reason.replace('{issuer}', mock.issuer))))
}

for (const [what, reason, fault, lie] of answerFaults) {
  test(`FD-02 refuses a response: ${what}`, () =>
    assert.rejects(signIn({ mock, upstream }, fault(), lie), failsWith(reason)))
}

for (const [where, faults, lie] of [
  ['metadata', { metadata: changed({ issuer: 'https://evil.example' }) }],
  ['response', {}, changed({ iss: 'https://evil.example' })],
  ['ID token', { claims: changed({ iss: 'https://evil.example' }) }],
] as readonly (readonly [string, Faults, Lie?])[]) {
  test(`FD-03 another issuer in the ${where} is reported with both values`, async () => {
    const error = await signIn({ mock, upstream }, faults, lie).then(
      () => assert.fail(),
      (thrown: unknown) => thrown,
    )
    assert.ok(isOauthError(error))
    const [registered = ''] = error.evidence?.expected ?? []
    assert.equal(registered.replace(/\/$/, ''), mock.issuer)
    const sentence = providerFailureSentence(failureOf(error))
    assert.ok(sentence.endsWith(`It names https://evil.example; registered is ${registered}.`), sentence)
  })
}

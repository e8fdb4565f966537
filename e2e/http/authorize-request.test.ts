/**
 * Tests that a refusal is sent to the client if its ID and redirect URI are valid, in the requested response mode or the
 * default one of the response type.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formFields, sentToClient } from '../fixtures/requests/authorization-response.ts'
import { codeRequest, newProof, type Parameters } from '../fixtures/requests/code-flow.ts'
import { send, withQuery } from '../fixtures/requests/http-client.ts'
import { app, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const request = (changes: Parameters = {}) => codeRequest(app, newProof(), changes)
const open = (parameters: Parameters) => send(latchkey.issuer, withQuery('/connect/authorize', parameters))
const implicit = {
  client_id: 'spa',
  response_type: 'id_token token',
  scope: 'openid api',
  code_challenge: '',
  code_challenge_method: '',
}

type Row = readonly [name: string, changes: Parameters, error: string]

const refusals: readonly Row[] = [
  ['no response_type', { response_type: '' }, 'invalid_request|unsupported_response_type'],
  ['unknown response_type', { response_type: 'nonsense' }, 'unsupported_response_type'],
  ['hybrid response_type the client may not use', { response_type: 'code id_token' }, 'unauthorized_client'],
  ['response_type the client may not use', { response_type: 'token' }, 'unauthorized_client'],
  ['unknown response_mode', { response_mode: 'nonsense' }, 'invalid_request'],
  ['no scope', { scope: '' }, 'invalid_scope'],
  ['unknown scope', { scope: 'openid nonsense' }, 'invalid_scope'],
  ['scope of another client', { scope: 'openid hidden' }, 'invalid_scope'],
  ['identity scope without openid', { scope: 'profile' }, 'invalid_scope'],
  ['no code_challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
  ['CD-10 challenge too short', { code_challenge: 'a'.repeat(42) }, 'invalid_request'],
  ['CD-10 S256 challenge too long', { code_challenge: 'a'.repeat(44) }, 'invalid_request'],
  ['CD-10 challenge with other characters', { code_challenge: `${'a'.repeat(42)}+` }, 'invalid_request'],
  ['CD-10 unknown challenge method', { code_challenge_method: 'S512' }, 'invalid_request'],
  ['CD-10 challenge method in another case', { code_challenge_method: 's256' }, 'invalid_request'],
  ['CD-08 plain where S256 is required', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['CD-08 absent method means plain', { code_challenge_method: '' }, 'invalid_request'],
  ['AZ-16 unknown prompt', { prompt: 'nonsense' }, 'invalid_request'],
  ['AZ-16 none with another prompt', { prompt: 'none login' }, 'invalid_request'],
  ['AZ-16 none after another prompt', { prompt: 'consent none' }, 'invalid_request'],
  ['AZ-16 none without a session', { prompt: 'none' }, 'login_required'],
  ['AZ-18 negative max_age', { max_age: '-1' }, 'invalid_request'],
  ['AZ-18 fractional max_age', { max_age: '1.5' }, 'invalid_request'],
  ['AZ-18 max_age in words', { max_age: 'ten' }, 'invalid_request'],
  ['AZ-18 max_age in exponents', { max_age: '1e3' }, 'invalid_request'],
  ['request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
  ['request_uri', { request_uri: 'https://app.example.org/request' }, 'request_uri_not_supported'],
  ['registration', { registration: '{}' }, 'registration_not_supported'],
]

describe('AZ-04 AZ-12 a refusal reaches the client with error, state and iss', () => {
  for (const [name, changes, error] of refusals) {
    test(`${name} is reported to the client`, async () => {
      const parameters = request(changes)
      // If a response type with tokens was requested, the error is in the fragment, as the tokens would be
      const separator = /token/.test(changes.response_type ?? '') ? '#' : '?'
      const fields = sentToClient(await open(parameters), separator)
      assert.match(fields.get('error') ?? '', new RegExp(`^(${error})$`))
      assert.equal(fields.get('state'), parameters.state)
      assert.equal(fields.get('iss'), latchkey.issuer)
      assert.match(fields.get('error_description') ?? '', /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/)
    })
  }
})

test('the refusal of an unsigned request object uses its response_mode and state', async () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { response_mode: 'form_post', state: 'state-of-the-object' }
  const object = `${encode({ alg: 'none' })}.${encode(claims)}.`
  const fields = formFields(await open(request({ request: object, state: '' })))
  assert.deepEqual([fields.get('error'), fields.get('state')], ['request_not_supported', claims.state])
})

describe('AZ-09 combinations of response_type and response_mode', () => {
  const modes = ['query', 'fragment', 'form_post'] as const
  const types = [
    ['code', {}],
    ['token', { ...implicit, response_type: 'token', scope: 'api' }],
    ['id_token', { ...implicit, response_type: 'id_token', scope: 'openid' }],
    ['id_token token', implicit],
  ] as const
  for (const [type, changes] of types) {
    for (const mode of modes) {
      const isRefused = mode === 'query' && type !== 'code'
      test(`AZ-09 ${isRefused ? 'refuses' : 'accepts'} response_type ${type} with response_mode ${mode}`, async () => {
        const answer = await open(request({ ...changes, response_mode: mode, prompt: 'none' }))
        const fields =
          mode === 'form_post'
            ? formFields(answer)
            : sentToClient(answer, isRefused || mode === 'fragment' ? '#' : '?')
        assert.equal(fields.get('error'), isRefused ? 'invalid_request' : 'login_required')
        assert.equal(fields.get('iss'), latchkey.issuer)
        assert.equal(fields.get('state'), 'state-of-the-test')
      })
    }
  }
  const defaults: readonly Row[] = [
    ['implicit without nonce', { ...implicit, nonce: '' }, 'invalid_request'],
    ['token with only openid', { ...implicit, response_type: 'token', scope: 'openid' }, 'invalid_scope'],
    [
      'id_token with a resource scope',
      { ...implicit, response_type: 'id_token', scope: 'openid api' },
      'invalid_scope',
    ],
    [
      'id_token without openid',
      { ...implicit, response_type: 'id_token', scope: 'profile' },
      'invalid_scope|invalid_request',
    ],
    [
      'words in the other order',
      { ...implicit, response_type: 'token id_token', prompt: 'none' },
      'login_required',
    ],
    ['code for an implicit client', { client_id: 'spa', scope: 'openid' }, 'unauthorized_client'],
  ]
  for (const [name, changes, error] of defaults) {
    test(`${name} is reported to the client`, async () => {
      const answer = await open(request(changes))
      const separator = changes.response_type === undefined ? '?' : '#'
      assert.match(sentToClient(answer, separator).get('error') ?? '', new RegExp(`^(${error})$`))
    })
  }
})

describe('AZ-04 state is returned byte for byte', () => {
  const states = [
    'a b+c%20d&e=f',
    '"><script>alert(1)</script>',
    '&#;<>',
    '\u00fcml\u00e4ut \u4f60\u597d \ud83d\udd11',
    '%00',
    'x'.repeat(2048),
    'line\r\nbreak',
  ]
  for (const state of states) {
    for (const mode of ['query', 'form_post']) {
      test(`AZ-04 ${mode} returns the state ${JSON.stringify(state.slice(0, 30))} unchanged`, async () => {
        const answer = await open(request({ state, prompt: 'none', response_mode: mode }))
        const fields = mode === 'form_post' ? formFields(answer) : sentToClient(answer, '?')
        assert.equal(fields.get('state'), state)
      })
    }
  }
})

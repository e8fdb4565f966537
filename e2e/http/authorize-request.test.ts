/** Every refusal of an authorization request whose client and address are proven goes to the client, in the right place. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codeRequest, newProof, type Parameters } from '../fixtures/flow.ts'
import { type Answer, send, withQuery } from '../fixtures/http-client.ts'
import { app, latchkeySuite } from '../fixtures/suite.ts'

const latchkey = latchkeySuite()
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
  ['hybrid response_type', { response_type: 'code id_token' }, 'unsupported_response_type'],
  ['response_type the client may not use', { response_type: 'token' }, 'unauthorized_client'],
  ['unknown response_mode', { response_mode: 'nonsense' }, 'invalid_request'],
  ['no scope', { scope: '' }, 'invalid_scope|invalid_request'],
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
  ['AZ-16 none twice over with consent', { prompt: 'consent none' }, 'invalid_request'],
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
    test(name, async () => {
      const parameters = request(changes)
      // What a response type with tokens would have used, once that is what was asked for.
      const separator = /token/.test(changes.response_type ?? '') ? '#' : '?'
      const fields = sentToClient(await open(parameters), separator)
      assert.match(fields.get('error') ?? '', new RegExp(`^(${error})$`))
      assert.equal(fields.get('state'), parameters.state)
      assert.equal(fields.get('iss'), latchkey.issuer)
      assert.match(fields.get('error_description') ?? '', /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/)
    })
  }
})

describe('AZ-09 response_type and response_mode fit each other', () => {
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
      test(`${type} by ${mode} is ${isRefused ? 'refused' : 'understood'}`, async () => {
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
    ['token with openid alone', { ...implicit, response_type: 'token', scope: 'openid' }, 'invalid_scope'],
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
    test(name, async () => {
      const answer = await open(request(changes))
      const separator = changes.response_type === undefined ? '?' : '#'
      assert.match(sentToClient(answer, separator).get('error') ?? '', new RegExp(`^(${error})$`))
    })
  }
})

describe('AZ-04 state comes back byte for byte', () => {
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
      test(`${mode} ${JSON.stringify(state.slice(0, 30))}`, async () => {
        const answer = await open(request({ state, prompt: 'none', response_mode: mode }))
        const fields = mode === 'form_post' ? formFields(answer) : sentToClient(answer, '?')
        assert.equal(fields.get('state'), state)
      })
    }
  }
})

describe('AZ-06 repeated, empty and unknown parameters', () => {
  const repeated = [
    'client_id',
    'redirect_uri',
    'response_type',
    'scope',
    'state',
    'nonce',
    'response_mode',
    'prompt',
    'max_age',
    'code_challenge',
    'code_challenge_method',
    'login_hint',
    'ui_locales',
    'acr_values',
    'display',
    'id_token_hint',
  ]
  for (const name of repeated) {
    test(`${name} twice is refused`, async () => {
      const query = new URLSearchParams(request())
      const value = query.get(name) ?? 'x'
      query.set(name, value)
      query.append(name, value)
      const answer = await send(latchkey.issuer, `/connect/authorize?${query}`)
      const said = answer.headers.location ?? answer.text
      assert.ok(answer.status === 400 || /error=invalid_request/.test(said), `${answer.status} ${said}`)
      assert.ok(!/[?&]code=/.test(said))
      if (name === 'client_id' || name === 'redirect_uri') assert.equal(answer.headers.location, undefined)
    })
  }
  const ignored: readonly (readonly [string, Parameters])[] = [
    ['unknown parameter', { extra: 'foobar' }],
    ['array syntax', { 'scope[]': 'nonsense' }],
    ['another letter case', { PROMPT: 'nonsense', Scope: 'nonsense' }],
    [
      'display, claims_locales and claims',
      { display: 'popup', claims_locales: 'se', claims: '{"userinfo":{"name":{"essential":true}}}' },
    ],
    ['ui_locales nobody speaks', { ui_locales: 'se ../../etc/passwd' }],
  ]
  for (const [name, changes] of ignored) {
    test(`${name} is ignored`, async () => {
      const fields = sentToClient(await open(request({ ...changes, prompt: 'none' })), '?')
      assert.equal(fields.get('error'), 'login_required')
    })
  }
  test('an empty value counts as absent', async () => {
    const query = new URLSearchParams({
      ...request({ prompt: 'none' }),
      response_mode: '',
      max_age: '',
      ui_locales: '',
    })
    assert.equal(
      sentToClient(await send(latchkey.issuer, `/connect/authorize?${query}`), '?').get('error'),
      'login_required',
    )
  })
})

describe('AZ-24 an oversized field is refused on our own page', () => {
  const limits: readonly (readonly [string, number])[] = [
    ['state', 4096],
    ['nonce', 512],
    ['login_hint', 255],
    ['acr_values', 300],
    ['ui_locales', 100],
    ['scope', 1000],
    ['redirect_uri', 2000],
    ['id_token_hint', 8192],
    ['unknown', 8192],
  ]
  for (const [name, limit] of limits) {
    for (const length of [limit + 1, limit * 10]) {
      test(`${name} of ${length} characters`, async () => {
        const answer = await send(latchkey.issuer, '/connect/authorize', {
          form: request({ [name]: 'x'.repeat(length) }),
        })
        assert.ok([400, 413].includes(answer.status), String(answer.status))
        assert.equal(answer.headers.location, undefined)
      })
    }
  }
  for (const name of ['state', 'nonce', 'login_hint']) {
    const limit = limits.find(row => row[0] === name)?.[1] ?? 0
    test(`${name} at its limit is fine`, async () => {
      const answer = await open(request({ [name]: 'x'.repeat(limit), prompt: 'none' }))
      assert.equal(sentToClient(answer, '?').get('error'), 'login_required')
    })
  }
})

describe('AZ-24 oversized and broken queries', () => {
  test('a query of a megabyte is refused and the server lives', async () => {
    const answer = await send(latchkey.issuer, `/connect/authorize?x=${'a'.repeat(20_000)}`)
    assert.ok([400, 414, 431].includes(answer.status), String(answer.status))
    assert.equal((await send(latchkey.issuer, '/healthz')).status, 200)
  })
  for (const query of [
    '%',
    '%zz',
    'client_id=%ff%fe',
    'client_id=%c0%af',
    '&&&=&',
    '=%00',
    'a'.repeat(1000),
  ]) {
    test(`broken query ${query.slice(0, 20)} is 400`, async () => {
      assert.equal((await send(latchkey.issuer, `/connect/authorize?${query}`)).status, 400)
    })
  }
})

describe('authorization by POST', () => {
  test('answers like GET', async () => {
    const answer = await send(latchkey.issuer, '/connect/authorize', { form: request({ prompt: 'none' }) })
    assert.equal(answer.status, 303)
    const target = new URL(answer.headers.location ?? '', latchkey.issuer)
    const last =
      target.origin === latchkey.issuer
        ? await send(latchkey.issuer, target.pathname + target.search)
        : answer
    assert.equal(sentToClient(last, '?').get('error'), 'login_required')
  })
  for (const [name, headers] of [
    ['JSON', { 'content-type': 'application/json' }],
    ['multipart', { 'content-type': 'multipart/form-data; boundary=x' }],
  ] as const) {
    test(`${name} is refused`, async () => {
      const answer = await send(latchkey.issuer, '/connect/authorize', { body: '{}', headers })
      assert.ok([400, 415].includes(answer.status), String(answer.status))
      assert.equal(answer.headers.location, undefined)
    })
  }
})

test('AZ-22 no CORS on the authorization endpoint', async () => {
  const headers = { origin: app, 'access-control-request-method': 'GET' }
  for (const method of ['GET', 'OPTIONS']) {
    const answer = await send(latchkey.issuer, '/connect/authorize', { method, headers })
    assert.equal(answer.headers['access-control-allow-origin'], undefined)
  }
})

function sentToClient(answer: Answer, separator: '?' | '#'): URLSearchParams {
  const location = answer.headers.location ?? ''
  assert.ok([302, 303].includes(answer.status), `${answer.status} ${answer.text.slice(0, 500)}`)
  assert.ok(location.startsWith(`${app}/callback${separator}`), location)
  assert.match(answer.headers['cache-control'] ?? '', /no-store/)
  return new URLSearchParams(location.slice(location.indexOf(separator) + 1))
}

function formFields(answer: Answer): URLSearchParams {
  assert.equal(answer.status, 200, answer.headers.location)
  assert.match(answer.text, new RegExp(`action="${app}/callback"`))
  const inputs = [...answer.text.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)].map(match => match[0])
  return new URLSearchParams(inputs.map(input => [text(input, 'name'), text(input, 'value')]))
}

function text(input: string, name: string): string {
  const raw = new RegExp(`\\s${name}="([^"]*)"`).exec(input)?.[1] ?? ''
  return raw
    .replace(/&#(x?)([0-9a-f]+);/gi, (_, hex, digits) =>
      String.fromCodePoint(Number.parseInt(digits, hex === '' ? 10 : 16)),
    )
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

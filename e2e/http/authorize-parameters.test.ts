/** Tests parameters that are repeated, empty, unknown, too large or malformed, and authorization requests by POST. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formFields, sentToClient } from '../fixtures/requests/authorization-response.ts'
import { codeRequest, newProof, type Parameters } from '../fixtures/requests/code-flow.ts'
import { forwardIn } from '../fixtures/requests/http-browser.ts'
import { type Answer, send, withQuery } from '../fixtures/requests/http-client.ts'
import { app, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const request = (changes: Parameters = {}) => codeRequest(app, newProof(), changes)
const open = (parameters: Parameters) => send(latchkey.issuer, withQuery('/connect/authorize', parameters))

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
    test(`AZ-06 refuses a repeated ${name}`, async () => {
      const query = new URLSearchParams(request())
      const value = query.get(name) ?? 'x'
      query.set(name, value)
      query.append(name, value)
      assertRefused(await send(latchkey.issuer, `/connect/authorize?${query}`), name)
    })
  }
  const ignored: readonly (readonly [string, Parameters])[] = [
    ['an unknown parameter', { extra: 'foobar' }],
    ['array syntax', { 'scope[]': 'nonsense' }],
    ['another letter case', { PROMPT: 'nonsense', Scope: 'nonsense' }],
    [
      'display, claims_locales and claims',
      { display: 'popup', claims_locales: 'se', claims: '{"userinfo":{"name":{"essential":true}}}' },
    ],
    ['an unknown ui_locales', { ui_locales: 'se ../../etc/passwd' }],
  ]
  for (const [name, changes] of ignored) {
    test(`AZ-06 ignores ${name}`, async () => {
      const fields = sentToClient(await open(request({ ...changes, prompt: 'none' })), '?')
      assert.equal(fields.get('error'), 'login_required')
    })
  }
  test('AZ-06 an empty parameter counts as absent', async () => {
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

describe('AZ-04 AZ-24 an oversized parameter is reported to the client', () => {
  const limits: readonly (readonly [string, number])[] = [
    ['state', 4096],
    ['nonce', 512],
    ['login_hint', 255],
    ['acr_values', 300],
    ['ui_locales', 100],
    ['scope', 1000],
    ['code_challenge', 128],
    ['response_type', 100],
    ['response_mode', 100],
    ['redirect_uri', 2000],
    ['unknown', 8192],
  ]
  for (const [name, limit] of limits) {
    const long = request({ [name]: 'x'.repeat(limit + 1), prompt: 'none' })
    test(`AZ-24 refuses ${name} of ${limit + 1} characters`, async () =>
      assertRefused(await open(long), name, long.state))
    test(`AZ-24 refuses ${name} of ${limit + 1} characters by POST`, async () => {
      const answer = await send(latchkey.issuer, '/connect/authorize', { form: long })
      const next = answer.headers.location ?? forwardIn(answer) ?? ''
      assertRefused(await send(latchkey.issuer, next), name, long.state)
    })
  }
  test('LIM-02 a form longer than the query limit is refused on an error page', async () => {
    const form = request({ state: 'x'.repeat(29_000) })
    const answer = await send(latchkey.issuer, '/connect/authorize', { form })
    assert.equal(answer.status, 413)
    assert.equal(answer.headers.location, undefined)
  })
  for (const name of ['state', 'nonce', 'login_hint']) {
    const limit = limits.find(row => row[0] === name)?.[1] ?? 0
    test(`AZ-24 accepts ${name} at its limit`, async () => {
      const answer = await open(request({ [name]: 'x'.repeat(limit), prompt: 'none' }))
      assert.equal(sentToClient(answer, '?').get('error'), 'login_required')
    })
  }
})

test('AZ-04 an answer with a state that is long when it is encoded continues from a page, with a head below 8 kB', async () => {
  const state = '€'.repeat(1500)
  const answer = await open(request({ state, prompt: 'none' }))
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.location, undefined)
  const head = Object.entries(answer.headers).reduce(
    (sum, [name, value]) => sum + `${name}: ${value}\r\n`.length,
    0,
  )
  assert.ok(head < 8192, `${head}`)
  const [, href = ''] = /<a class="btn primary wide" href="([^"]*)"/.exec(answer.text) ?? []
  const link = href.replaceAll('&amp;', '&')
  assert.ok(answer.text.includes(`content="0;url=${href}"`))
  const { searchParams } = new URL(link)
  assert.deepEqual([searchParams.get('error'), searchParams.get('state')], ['login_required', state])
})

describe('AZ-04 a parameter with an invalid encoding is reported to the client', () => {
  for (const [name, broken] of [
    ['nonce', 'nonce=%zz'],
    ['login_hint', 'login_hint=%00'],
    ['state', 'state=%c3'],
    ['a name', '%zz'],
  ] as const) {
    test(`AZ-04 reports the invalid encoding of ${broken} to the client`, async () => {
      const { [name]: _, ...others } = request({ prompt: 'none' })
      const query = `${new URLSearchParams(others)}&${broken}`
      assertRefused(await send(latchkey.issuer, `/connect/authorize?${query}`), name)
    })
  }
  test('AZ-04 the error uses the requested response_mode', async () => {
    const query = new URLSearchParams(request({ response_mode: 'form_post' }))
    const answer = await send(latchkey.issuer, `/connect/authorize?${query}&nonce=%zz`)
    assert.equal(formFields(answer).get('error'), 'invalid_request')
  })
})

describe('AZ-24 oversized and broken queries', () => {
  test('AZ-24 a query of 20,000 characters is refused, and the server keeps running', async () => {
    const answer = await send(latchkey.issuer, `/connect/authorize?x=${'a'.repeat(20_000)}`)
    assert.equal(answer.status, 400)
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
    test(`AZ-24 answers 400 to the query ${query.slice(0, 20)}`, async () => {
      assert.equal((await send(latchkey.issuer, `/connect/authorize?${query}`)).status, 400)
    })
  }
})

describe('authorization request by POST', () => {
  test('an authorization request by POST works like GET', async () => {
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
    test(`refuses an authorization request by POST with ${name}`, async () => {
      const answer = await send(latchkey.issuer, '/connect/authorize', { body: '{}', headers })
      assert.equal(answer.status, 415)
      assert.equal(answer.headers.location, undefined)
    })
  }
})

test('AZ-22 the authorization endpoint does not allow CORS', async () => {
  const headers = { origin: app, 'access-control-request-method': 'GET' }
  for (const method of ['GET', 'OPTIONS']) {
    const answer = await send(latchkey.issuer, '/connect/authorize', { method, headers })
    assert.equal(answer.headers['access-control-allow-origin'], undefined)
  }
})

/**
 * Checks the error `invalid_request`. It is sent to the client, unless `client_id` or `redirect_uri` is at fault. `state` is
 * the value that the response must repeat; if it is left out, the response must have any `state`, or none if `state` is at
 * fault.
 */
function assertRefused(answer: Answer, faulty: string, state?: string): void {
  if (faulty === 'client_id' || faulty === 'redirect_uri') {
    assert.equal(answer.status, 400)
    assert.equal(answer.headers.location, undefined)
    return
  }
  const fields = sentToClient(answer, '?')
  assert.equal(fields.get('error'), 'invalid_request')
  assert.equal(fields.get('iss'), latchkey.issuer)
  if (state === undefined) assert.equal(fields.has('state'), faulty !== 'state')
  else assert.equal(fields.get('state'), state)
  assert.equal(fields.has('code'), false)
}

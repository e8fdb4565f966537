/** Tests which clients may use the token endpoint, with which grants and parameters. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Parameters } from '../fixtures/requests/code-flow.ts'
import { type Answer, basic, type Sent, send } from '../fixtures/requests/http-client.ts'
import { decode } from '../fixtures/requests/jwt.ts'
import { alice, canary, clientSecret } from '../fixtures/server/configuration.ts'
import { sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const post = (sent: Sent) => send(latchkey.issuer, '/connect/token', sent)
const machine = { grant_type: 'client_credentials', scope: 'api' }
const byBasic = (form: Parameters, clientId = 'machine', secret = clientSecret) =>
  post({ form, headers: basic(clientId, secret) })

describe('the client_credentials grant', () => {
  test('TK-11 client_credentials returns a JWT with the client as subject, without refresh token and ID token', async () => {
    const body = (await byBasic(machine)).json()
    assert.deepEqual(
      Object.keys(body).toSorted(),
      ['access_token', 'expires_in', 'scope', 'token_type'].toSorted(),
    )
    const { header, payload } = decode(String(body.access_token))
    assert.equal(header.typ, 'at+jwt')
    assert.equal(payload.sub, 'machine')
    assert.equal(payload.client_id, 'machine')
    assert.equal(payload.iss, latchkey.issuer)
    assert.equal(payload.aud, `${latchkey.issuer}/resources`)
    assert.equal(payload.scope, 'api')
  })
  test('client_credentials returns a reference token to a client with that access token type', async () => {
    const body = (await byBasic(machine, 'machine-reference')).json()
    assert.match(String(body.access_token), /^at_[\w-]{43}$/)
  })
  test('TK-11 client_credentials refuses identity scopes and offline_access', async () => {
    for (const scope of ['openid', 'profile', 'offline_access', 'api openid'])
      refused(await byBasic({ ...machine, scope }), 400, 'invalid_scope')
  })
  test('TK-09 client_credentials refuses scopes that the client lacks', async () => {
    for (const scope of ['hidden', 'nonsense', 'api hidden'])
      refused(await byBasic({ ...machine, scope }), 400, 'invalid_scope')
  })
  test('TK-11 client_credentials refuses a public client', async () => {
    refused(
      await post({ form: { ...machine, client_id: 'public' } }),
      400,
      'unauthorized_client|invalid_client',
    )
  })
})

describe('TK-01 the token endpoint accepts only form bodies by POST', () => {
  const body = 'grant_type=client_credentials&scope=api'
  const types: readonly (readonly [string, Sent])[] = [
    ['JSON', { body: JSON.stringify(machine), headers: { 'content-type': 'application/json' } }],
    ['multipart', { body: '--x\r\n--x--', headers: { 'content-type': 'multipart/form-data; boundary=x' } }],
    ['text', { body, headers: { 'content-type': 'text/plain' } }],
    ['an empty content type', { body, headers: { 'content-type': '' } }],
    ['no content type', { body }],
    [
      'a content type with the same beginning',
      { body, headers: { 'content-type': 'application/x-www-form-urlencodedx' } },
    ],
  ]
  for (const [name, sent] of types) {
    test(`TK-01 refuses a body of ${name}`, async () => {
      const answer = await post({ ...sent, headers: { ...sent.headers, ...basic('machine', clientSecret) } })
      refused(answer, 415, 'invalid_request')
    })
  }
  test('TK-01 accepts a content type with a charset', async () => {
    const headers = {
      ...basic('machine', clientSecret),
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
    }
    assert.equal((await post({ body, headers })).status, 200)
  })
  test('AZ-24 refuses a parameter that is longer than its limit, whatever the grant type', async () => {
    for (const [name, length] of [
      ['grant_type', 201],
      ['code', 101],
      ['password', 1025],
      ['unknown', 10_001],
    ] as const) {
      const answer = await byBasic({ ...machine, [name]: 'x'.repeat(length) })
      refused(answer, 400, 'invalid_request')
    }
  })
  const bodies = [
    '',
    '&',
    '%',
    'grant_type=%',
    'grant_type=%zz&scope=api',
    'grant_type=%ff',
    'grant_type=\u0000',
    '=',
    'grant_type',
    '\u0000\u0001\u0002',
    '{"grant_type":"x"}',
  ]
  for (const broken of bodies) {
    test(`TK-01 refuses the malformed body ${JSON.stringify(broken)}`, async () => {
      const headers = {
        ...basic('machine', clientSecret),
        'content-type': 'application/x-www-form-urlencoded',
      }
      const answer = await post({ body: broken, headers, method: 'POST' })
      refused(answer, 400, 'invalid_request|unsupported_grant_type')
    })
  }
  for (const chunked of [true, false]) {
    test(`TK-01 refuses a ${chunked ? 'chunked' : 'declared'} body of two megabytes`, async () => {
      const headers = {
        ...basic('machine', clientSecret),
        'content-type': 'application/x-www-form-urlencoded',
      }
      assert.equal((await post({ body: `x=${'a'.repeat(2_000_000)}`, headers, chunked })).status, 413)
      assert.equal((await byBasic(machine)).status, 200, 'and the server lives')
    })
  }
  test('AZ-06 the token endpoint refuses a repeated parameter', async () => {
    for (const name of ['grant_type', 'scope', 'code']) {
      const form = [
        ['grant_type', 'client_credentials'],
        ['scope', 'api'],
        ['code', 'x'],
        [name, 'x'],
      ] as const
      refused(await post({ form, headers: basic('machine', clientSecret) }), 400, 'invalid_request')
    }
  })
})

describe('TK-08 grant types', () => {
  const cases: readonly (readonly [string, string, Parameters, string])[] = [
    ['no grant_type', 'machine', { grant_type: '' }, 'invalid_request|unsupported_grant_type'],
    ['unknown grant_type', 'machine', { grant_type: 'nonsense' }, 'unsupported_grant_type'],
    [
      'custom grant by an unregistered name',
      'machine',
      { grant_type: 'urn:example:custom' },
      'unsupported_grant_type',
    ],
    [
      'a grant in another letter case',
      'machine',
      { grant_type: 'Client_Credentials' },
      'unsupported_grant_type',
    ],
    ['__proto__', 'machine', { grant_type: '__proto__' }, 'unsupported_grant_type'],
    ['constructor', 'machine', { grant_type: 'constructor' }, 'unsupported_grant_type'],
    ['implicit', 'machine', { grant_type: 'implicit' }, 'unsupported_grant_type|unauthorized_client'],
    [
      'password for a client without it',
      'machine',
      { grant_type: 'password', username: 'alice', password: 'x', scope: 'api' },
      'unauthorized_client',
    ],
    ['client_credentials for a web app', 'trusted', machine, 'unauthorized_client'],
    [
      'refresh_token for a client without it',
      'machine',
      { grant_type: 'refresh_token', refresh_token: `rt_${'a'.repeat(43)}` },
      'unauthorized_client',
    ],
    [
      'grant_type over its limit',
      'machine',
      { grant_type: 'g'.repeat(201) },
      'invalid_request|unsupported_grant_type',
    ],
    [
      'scope over its limit',
      'machine',
      { ...machine, scope: 's'.repeat(1001) },
      'invalid_request|invalid_scope',
    ],
  ]
  for (const [name, clientId, form, error] of cases) {
    test(`TK-08 refuses ${name}`, async () => refused(await byBasic(form, clientId), 400, error))
  }
})

describe('the password grant', () => {
  const form = {
    grant_type: 'password',
    scope: 'openid profile offline_access',
    username: alice.username,
    password: alice.password,
  }
  test('the password grant returns a token for a user name and password', async () => {
    const body = (await byBasic(form, 'password')).json()
    assert.equal(decode(String(body.access_token)).payload.sub, alice.sub)
    assert.match(String(body.refresh_token), /^rt_/)
  })
  test('AU-07 right passwords are not refused for being parallel', async () => {
    const parallel = Array.from({ length: 12 }, () => byBasic(form, 'password'))
    const answers = await Promise.all(parallel)
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  })
  test('TK-16 AU-05 unknown user, wrong password and locked account get the same response', async () => {
    const answers = await Promise.all([
      byBasic({ ...form, password: 'wrong' }, 'password'),
      byBasic({ ...form, username: 'unknown' }, 'password'),
      byBasic({ ...form, username: 'mallory', password: `${canary} mallory is locked out` }, 'password'),
    ])
    for (const answer of answers) {
      refused(answer, 400, 'invalid_grant')
      assert.equal(answer.text, answers[0]?.text)
    }
  })
  for (const missing of ['username', 'password', 'scope']) {
    test(`the password grant requires ${missing}`, async () => {
      const rest = Object.fromEntries(Object.entries(form).filter(([name]) => name !== missing))
      refused(await byBasic(rest, 'password'), 400, 'invalid_request|invalid_scope')
    })
  }
})

test('TK-18 error responses never contain the sent values', async () => {
  const sent = {
    code: `${canary}-code`,
    refresh_token: `${canary}-refresh`,
    password: `${canary}-password`,
    code_verifier: canary.repeat(8),
    scope: `${canary}-scope`,
    username: `${canary}-name`,
  }
  for (const grant_type of [
    'authorization_code',
    'refresh_token',
    'password',
    'client_credentials',
    `${canary}-grant`,
  ]) {
    for (const clientId of ['trusted', 'password', 'machine']) {
      const answer = await byBasic({ ...sent, grant_type, redirect_uri: 'x' }, clientId)
      assert.ok(answer.status >= 400)
      assert.ok(!answer.text.includes(canary), answer.text)
    }
  }
})

test('TK-15 CORS is allowed only for registered origins, never with credentials', async () => {
  const preflight = (origin: string) =>
    send(latchkey.issuer, '/connect/token', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
  assert.equal(
    (await preflight('https://app.example.org')).headers['access-control-allow-origin'],
    'https://app.example.org',
  )
  for (const origin of [
    'https://evil.test',
    'null',
    'https://app.example.org.evil.test',
    'http://app.example.org',
  ]) {
    assert.equal((await preflight(origin)).headers['access-control-allow-origin'], undefined, origin)
  }
  assert.equal(
    (await preflight('https://app.example.org')).headers['access-control-allow-credentials'],
    undefined,
  )
})

function refused(answer: Answer, status: number, error: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.match(String(answer.json().error), new RegExp(`^(${error})$`))
  assert.match(String(answer.json().error_description ?? ''), /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/)
}

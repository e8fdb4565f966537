/** Tests which methods, targets and bodies the server accepts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Sent, send } from '../fixtures/requests/http-client.ts'
import { registrationPaths } from '../fixtures/requests/registration-paths.ts'
import { app, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()

const endpoints: readonly (readonly [path: string, allowed: readonly string[]])[] = [
  ['/connect/authorize', ['GET', 'POST']],
  ['/connect/token', ['POST']],
  ['/connect/userinfo', ['GET', 'POST']],
  ['/connect/identitytokenvalidation', ['GET', 'POST']],
  ['/connect/accesstokenvalidation', ['GET', 'POST']],
  ['/connect/introspect', ['POST']],
  ['/connect/revocation', ['POST']],
  ['/connect/endsession', ['GET', 'POST']],
  ['/.well-known/openid-configuration', ['GET']],
  ['/.well-known/oauth-authorization-server', ['GET']],
  ['/.well-known/jwks', ['GET']],
  ['/healthz', ['GET']],
  ['/readyz', ['GET']],
]

describe('AZ-23 each endpoint accepts only its methods, HEAD in addition to GET, and OPTIONS', () => {
  for (const [path, allowed] of endpoints) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'HEAD', 'OPTIONS']) {
      if (
        allowed.includes(method) ||
        (method === 'HEAD' && allowed.includes('GET')) ||
        method === 'OPTIONS'
      ) {
        test(`AZ-23 accepts ${method} ${path}`, async () => {
          const { status } = await send(latchkey.issuer, path, { method })
          assert.ok(status < 500 && status !== 405, String(status))
        })
        continue
      }
      // RFC 9110 15.6.2: the server does not know the method at all
      const isUnknown = ['TRACE', 'PROPFIND'].includes(method)
      test(`AZ-23 answers ${isUnknown ? '501' : '405 with Allow'} to ${method} ${path}`, async () => {
        const answer = await send(latchkey.issuer, path, { method })
        if (isUnknown) return assert.equal(answer.status, 501)
        assert.equal(answer.status, 405)
        const allow = String(answer.headers.allow)
        for (const name of allowed) assert.match(allow, new RegExp(`\\b${name}\\b`))
        assert.doesNotMatch(allow, new RegExp(`\\b${method}\\b`))
      })
    }
  }
})

test('a path under /connect is found in any letter case, a page only in its own', async () => {
  const answer = await send(latchkey.issuer, '/connect/Token')
  assert.deepEqual([answer.status, answer.headers.allow], [405, 'POST, OPTIONS'])
  for (const method of ['GET', 'POST', 'PUT'])
    assert.equal((await send(latchkey.issuer, '/Login', { method })).status, 404, method)
})

test('a 405 names the methods to use', async () => {
  const described = async (path: string, method: string) => {
    const answer = await send(latchkey.issuer, path, { method })
    return (answer.json() as { readonly error_description?: string }).error_description
  }
  const text = 'This method is not allowed here.'
  assert.equal(await described('/connect/token', 'GET'), `${text} Use POST.`)
  assert.equal(await described('/connect/userinfo', 'DELETE'), `${text} Use GET or POST.`)
})

describe('an address without an endpoint', () => {
  const guessed = '/oauth/token-hunter2'
  const expected = {
    error: 'invalid_request',
    error_description:
      'There is nothing at this address. /.well-known/openid-configuration lists the endpoints.',
  }
  const programs: ReadonlyArray<readonly [name: string, path: string, sent: Sent]> = [
    ['a token request', guessed, { form: { grant_type: 'client_credentials' } }],
    ['a POST of JSON', guessed, { method: 'POST', headers: { 'content-type': 'application/json' } }],
    ['a GET that accepts JSON', guessed, { headers: { accept: 'application/json, */*' } }],
    ['a POST under /connect', '/connect/tokens-hunter2', { form: { grant_type: 'client_credentials' } }],
  ]
  for (const [name, path, sent] of programs) {
    test(`answers ${name} with JSON that names the discovery document`, async () => {
      const answer = await send(latchkey.issuer, path, sent)
      assert.equal(answer.status, 404)
      assert.match(String(answer.headers['content-type']), /^application\/json/)
      assert.deepEqual(answer.json(), expected)
    })
  }
  for (const method of ['GET', 'POST']) {
    test(`answers a ${method} of a browser with a page`, async () => {
      const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
      const answer = await send(latchkey.issuer, guessed, { method, headers })
      assert.equal(answer.status, 404)
      assert.match(answer.text, /^<!DOCTYPE html>/i)
      assert.doesNotMatch(answer.text, /hunter2.*<\/main>/s)
    })
  }
})

describe('an early refusal of an address that programs call is JSON, with CORS for registered origins', () => {
  const long = 'x'.repeat(20_000)
  const table: ReadonlyArray<readonly [rule: string, path: string, sent: Sent, status: number]> = [
    ['an unknown Expect', '/connect/token', { headers: { expect: 'tea' } }, 417],
    ['a long address', `/connect/userinfo?${long}${long}`, {}, 414],
    ['many parameters', `/connect/introspect?${'&'.repeat(200)}`, {}, 400],
    ['long cookies', '/connect/Token', { headers: { cookie: long } }, 431],
    ['an unknown method', '/connect/revocation', { method: 'PROPFIND' }, 501],
  ]
  for (const [rule, path, sent, status] of table) {
    test(`${rule} is ${status}`, async () => {
      const headers = { ...sent.headers, origin: app }
      const answer = await send(latchkey.issuer, path, { method: 'POST', ...sent, headers })
      assert.equal(answer.status, status)
      assert.equal(answer.headers['access-control-allow-origin'], app)
      assert.deepEqual(Object.keys(answer.json()), ['error', 'error_description'])
    })
  }
  test('the validation endpoints have their own form', async () => {
    const answer = await send(latchkey.issuer, '/connect/accesstokenvalidation', {
      headers: { expect: 'tea' },
    })
    assert.deepEqual(Object.keys(answer.json()), ['Message', 'error'])
  })
  test('another origin gets no CORS', async () => {
    const headers = { origin: 'https://evil.example.org', expect: 'tea' }
    const answer = await send(latchkey.issuer, '/connect/token', { method: 'POST', headers })
    assert.equal(answer.headers['access-control-allow-origin'], undefined)
    assert.equal(answer.headers.vary, 'Origin')
  })
  test('where users go it is a page', async () => {
    for (const path of ['/connect/authorize?x=y', '/connect/endsession']) {
      const answer = await send(latchkey.issuer, path, { headers: { expect: 'tea', origin: app } })
      assert.equal(answer.status, 417)
      assert.match(answer.headers['content-type'] ?? '', /^text\/html/)
    }
  })
  test('a slash at the end leads to the endpoint, and a post stays one', async () => {
    for (const path of ['/connect/token/', '/connect//token', '/connect/Token//']) {
      const answer = await send(latchkey.issuer, `${path}?a=b`, {
        form: { a: 'b' },
        headers: { origin: app },
      })
      assert.deepEqual([answer.status, answer.headers.location], [308, '/connect/token?a=b'])
      assert.equal(answer.headers['access-control-allow-origin'], app)
    }
  })
})

test('an unknown address under /connect answers in JSON, with CORS for registered origins', async () => {
  for (const path of ['/connect/nothing', '/connect/token/nothing']) {
    const headers = { origin: app }
    const answer = await send(latchkey.issuer, path, { method: 'POST', headers })
    assert.equal(answer.status, 404, path)
    assert.equal(answer.json().error, 'invalid_request')
    assert.equal(answer.headers['access-control-allow-origin'], app)
  }
})

test('HEAD requests are answered like GET, without a body', async () => {
  for (const path of ['/.well-known/openid-configuration', '/.well-known/jwks', '/login']) {
    const [head, get] = [
      await send(latchkey.issuer, path, { method: 'HEAD' }),
      await send(latchkey.issuer, path),
    ]
    assert.equal(head.status, get.status, path)
    assert.equal(head.text, '')
  }
})

describe('malformed request targets', () => {
  const targets = [
    'http://evil.test/',
    '//evil.test/connect/token',
    '\\evil',
    '*',
    'connect/token',
    '/connect//token',
    '/connect/token/',
    '/Connect/Token',
    '/connect/token%00',
    '/connect/%2e%2e/token',
    '/%',
    '/\u00e4',
  ]
  for (const target of targets) {
    test(`answers the request target ${JSON.stringify(target)} without a 5xx`, async () => {
      const sent = send(latchkey.issuer, target, { method: target === '*' ? 'OPTIONS' : 'GET' })
      const answer = await sent.catch((error: NodeJS.ErrnoException) => {
        assert.equal(error.code, 'ERR_UNESCAPED_CHARACTERS')
        return null
      })
      if (answer === null) return
      assert.ok(answer.status < 500, String(answer.status))
      assert.doesNotMatch(answer.headers.location ?? '', /^(https?:)?\/\/evil|^\\/)
    })
  }
})

test('/healthz and /readyz report only liveness and readiness', async () => {
  for (const path of ['/healthz', '/readyz']) {
    const answer = await send(latchkey.issuer, path)
    assert.equal(answer.status, 200)
    assert.ok(answer.text.length < 300)
    assert.doesNotMatch(answer.text, /postgres|sqlite|\/tmp/i)
  }
})

describe('LIM-02 routes that read a body refuse one over the limit, and most of them one of another type', () => {
  const sent = (type: string) => ({
    'content-type': type,
    origin: latchkey.issuer,
    'sec-fetch-site': 'same-origin',
  })
  for (const path of [
    '/connect/authorize',
    '/connect/userinfo',
    '/connect/introspect',
    '/connect/revocation',
    '/connect/endsession',
    '/connect/accesstokenvalidation',
    '/login',
    '/login/new-password',
    '/login/forgot',
    '/login/forgot/sent',
    '/login/forgot/password',
    '/login/not-me',
    ...registrationPaths,
    '/login/confirm',
    '/login/link',
    '/login/second-factor',
    '/login/second-factor/recovery-code',
    '/login/enroll',
    '/login/enroll/passkey',
    '/account/authenticator',
    '/account/links/add',
    '/account/links/confirm',
    '/account/links/remove',
    '/account/recovery-codes',
    '/account/password',
    '/account/profile',
    '/account/data',
    '/account/delete',
    '/account/delete/keep',
    '/login/keep-account',
    '/account/email',
    '/account/email/sent',
    '/account/email/confirm',
    '/account/lost-passkeys',
    '/account/passkeys/add',
    '/login/passkey-offer',
    '/consent',
    '/logout',
  ]) {
    test(`LIM-02 ${path} refuses a body over the limit`, async () => {
      const headers = sent('application/x-www-form-urlencoded')
      const body = `x=${'a'.repeat(1_000_000)}`
      assert.equal((await send(latchkey.issuer, path, { body, headers })).status, 413)
      assert.equal((await send(latchkey.issuer, '/healthz')).status, 200)
    })
    // RFC 6750 2.2: userinfo ignores a body that is not a form
    if (path === '/connect/userinfo') continue
    test(`${path} answers 415 to JSON`, async () => {
      const answer = await send(latchkey.issuer, path, { body: '{}', headers: sent('application/json') })
      assert.equal(answer.status, 415)
    })
  }
})

test('refuses oversized request headers', async () => {
  const answer = await send(latchkey.issuer, '/login', {
    headers: { cookie: `x=${'a'.repeat(100_000)}` },
  })
  assert.equal(answer.status, 431)
})

test('the access token validation endpoint limits the length of the query', async () => {
  const answer = await send(latchkey.issuer, `/connect/accesstokenvalidation?token=${'a'.repeat(9000)}`)
  assert.ok([400, 414].includes(answer.status), String(answer.status))
})

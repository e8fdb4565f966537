import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Event } from '#lib/ports/events.ts'
import { type EndpointOptions, endpoint } from './endpoint.ts'
import { refuseWithPage } from './error-page.ts'
import type { EndpointServices } from './exchange.ts'
import { jsonReply } from './reply.ts'
import { refuseWithChallenge, refuseWithJson, refuseWithMessage, validationEndpoint } from './respond-json.ts'

const secret = 'hunter2-canary'

function harness(
  options: Partial<EndpointOptions<EndpointServices>> = {},
  issuer = 'https://id.example.org',
) {
  const lines: unknown[] = []
  const failures: unknown[] = []
  const events: Event[] = []
  const services: EndpointServices = {
    config: { issuer, siteName: 'Test', isLoopback: issuer.startsWith('http:') },
    log: { request: line => lines.push(line), failure: error => failures.push(error) },
    allowsOrigin: async origin => origin === 'https://app.test',
    events: { record: event => events.push(event) },
  }
  const handlers = endpoint(async () => services, {
    pattern: '/x',
    writeRefusal: refuseWithJson,
    GET: () => jsonReply(200, { ok: true }),
    ...options,
  })
  const ask = (method = 'GET', headers: Record<string, string> = {}) =>
    handlers.GET(new Request(`${issuer}/x?token=${secret}`, { method, headers }), {})
  return { ask, lines, failures, events }
}

function throwing(error: unknown): Partial<EndpointOptions<EndpointServices>> {
  return {
    GET: () => {
      throw error
    },
  }
}

test('WF-03 every response has the security headers, a request ID and no-store', async () => {
  const answers = [
    harness(),
    harness(throwing(new Error('x'))),
    harness({ writeRefusal: refuseWithPage, ...throwing(1) }),
  ]
  for (const { ask } of answers) {
    const { headers } = await ask()
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.match(headers.get('strict-transport-security') ?? '', /max-age=63072000; includeSubDomains/)
    assert.match(headers.get('x-reference-id') ?? '', /^\w{4}-\w{4}$/)
  }
})

test('WF-03 there is no HSTS with an http issuer', async () => {
  const { headers } = await harness({}, 'http://localhost:3000').ask()
  assert.equal(headers.get('strict-transport-security'), null)
})

describe('AZ-23 methods of an endpoint', () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    test(`AZ-23 ${method} without a handler is 405 with Allow`, async () => {
      const answer = await harness().ask(method)
      assert.equal(answer.status, 405)
      assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS')
    })
  }
  test('AZ-23 HEAD is GET without a body', async () => {
    const answer = await harness().ask('HEAD')
    assert.equal(answer.status, 200)
    assert.equal(await answer.text(), '')
  })
  test('AZ-23 HEAD does not run a GET handler that changes state', async () => {
    const answer = await harness({ getChangesState: true, ...throwing(new Error('ran')) }).ask('HEAD')
    assert.equal(answer.status, 200)
  })
  test('AZ-22 OPTIONS lists the methods and allows no origin', async () => {
    const answer = await harness().ask('OPTIONS', {
      origin: 'https://app.test',
      'access-control-request-method': 'GET',
    })
    assert.equal(answer.status, 204)
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS')
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
  })
  test('TK-15 a preflight of a registered origin is answered if the endpoint allows CORS', async () => {
    const preflight = { origin: 'https://app.test', 'access-control-request-method': 'POST' }
    const { headers } = await harness({ cors: true }).ask('OPTIONS', preflight)
    assert.equal(headers.get('access-control-allow-origin'), 'https://app.test')
    assert.match(headers.get('access-control-allow-headers') ?? '', /Authorization/)
    assert.equal(headers.get('access-control-allow-credentials'), null)
  })
})

test('TK-15 a registered origin can also read error responses', async () => {
  const { ask } = harness({ cors: true, ...throwing(new OauthError('code_expired')) })
  const answer = await ask('GET', { origin: 'https://app.test' })
  assert.equal(answer.headers.get('access-control-allow-origin'), 'https://app.test')
})

test('AZ-28 a prefetch does not reach a handler that changes state', async () => {
  const { ask, failures } = harness({ getChangesState: true, ...throwing(new Error('ran')) })
  assert.equal((await ask('GET', { 'sec-purpose': 'prefetch' })).status, 400)
  assert.equal(failures.length, 0)
})

describe('refusals of an endpoint', () => {
  test('a refusal has the status of the catalog and is not logged as a failure', async () => {
    const { ask, failures, lines } = harness(throwing(new OauthError('wrong_credentials')))
    const answer = await ask()
    assert.equal(answer.status, 401)
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic /)
    assert.deepEqual(await answer.json(), {
      error: 'invalid_client',
      error_description: 'Client authentication failed.',
    })
    assert.equal(failures.length, 0)
    assert.deepEqual(
      Object.entries(lines[0] ?? {}).find(([name]) => name === 'reason'),
      ['reason', 'wrong_credentials'],
    )
  })
  test('LG-05 an unexpected error is a 500 without details', async () => {
    const { ask, failures } = harness(throwing(new Error(`database password ${secret}`)))
    const answer = await ask()
    assert.equal(answer.status, 500)
    const text = await answer.text()
    assert.ok(!text.includes(secret) && text.includes('server_error'))
    assert.equal(failures.length, 1)
  })
  test('an unavailable database is 503 with Retry-After', async () => {
    const answer = await harness(throwing(new OauthError('database_timeout', { retryAfterSeconds: 2 }))).ask()
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('retry-after'), '2')
  })
  test('TK-10 JSON errors have registered codes', async () => {
    const answer = await harness(throwing(new OauthError('body_too_large'))).ask()
    assert.equal(answer.status, 413)
    assert.equal((await answer.json()).error, 'invalid_request')
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  })
  test('validation endpoints return the error in Message', async () => {
    const answer = await harness({
      writeRefusal: refuseWithMessage,
      ...throwing(new OauthError('invalid_request', { description: 'No.' })),
    }).ask()
    assert.deepEqual(await answer.json(), { Message: 'No.', error: 'invalid_request' })
  })
  test('a token in a query, where that is not allowed, is a 405 that names POST', async () => {
    const config = { issuer: 'https://id.example.org', siteName: 'Test', isLoopback: false }
    const handlers = endpoint(
      async () => ({
        config: { ...config, allowTokenInQuery: false },
        log: { request: () => {}, failure: () => {} },
        allowsOrigin: async () => false,
        events: { record: () => {} },
      }),
      { pattern: '/x', ...validationEndpoint(() => () => assert.fail('the token is not read')) },
    )
    const answer = await handlers.GET(new Request(`${config.issuer}/x?token=${secret}`), {})
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST'])
  })
  test('VE-02 userinfo returns the error in a challenge', async () => {
    const refused = new OauthError('invalid_request', { description: 'Say "no"\\' })
    const answer = await harness({ writeRefusal: refuseWithChallenge, ...throwing(refused) }).ask()
    assert.equal(answer.status, 400)
    const expected = 'Bearer realm="Latchkey", error="invalid_request", error_description="Say ?no??"'
    assert.equal(answer.headers.get('www-authenticate'), expected)
  })
})

test('LG-05 a failed start of the services is a 503 with a request ID', async () => {
  const handlers = endpoint(() => Promise.reject(new Error('closed')), {
    pattern: '/x',
    writeRefusal: refuseWithJson,
  })
  const warned = new Promise(resolve => process.once('warning', resolve))
  const answer = await handlers.GET(new Request('https://id.example.org/x'), {})
  assert.equal(answer.status, 503)
  assert.ok(answer.headers.get('x-reference-id'))
  await warned
})

test('FW-09 one line per request, with the pattern and never the query', async () => {
  const { ask, lines } = harness()
  const answer = await ask()
  assert.equal(lines.length, 1)
  const text = JSON.stringify(lines[0])
  assert.ok(text.includes('"pattern":"/x"') && text.includes(String(answer.headers.get('x-reference-id'))))
  assert.ok(!text.includes(secret))
})

describe('LG-01 a refusal before the core runs is recorded as an event', () => {
  const twice = new OauthError('parameter_repeated')
  const away = new OauthError('database_unreachable')
  const rows = [
    ['at any other endpoint', undefined, twice, 'request_refused', 'parameter_repeated', undefined],
    [
      'at the authorization endpoint',
      'authorize_refused',
      twice,
      'authorize_refused',
      'parameter_repeated',
      'request_read',
    ],
    ['at the token endpoint', 'token_refused', twice, 'token_refused', 'parameter_repeated', 'request_read'],
    ['caused by the database', 'token_refused', away, 'request_refused', 'database_unreachable', undefined],
    [
      'caused by an unexpected error',
      'token_refused',
      new Error(secret),
      'request_refused',
      'unexpected',
      undefined,
    ],
  ] as const
  for (const [title, refusalEvent, error, name, reason, failed] of rows) {
    test(`LG-01 records a refusal ${title}`, async () => {
      const { ask, events } = harness({
        ...(refusalEvent === undefined ? {} : { refusalEvent }),
        ...throwing(error),
      })
      await ask()
      assert.equal(events.length, 1)
      const [event] = events
      assert.deepEqual([event?.name, event?.reason, event?.outcome], [name, reason, 'failure'])
      assert.equal(event?.checks?.find(({ result }) => result === 'failed')?.check, failed)
      assert.ok(!JSON.stringify(event).includes(secret))
    })
  }
  test('LG-01 does not record a refused admin operation again, which the use case recorded', async () => {
    const { ask, events } = harness(throwing(new OauthError('admin_not_allowed')))
    await ask()
    assert.deepEqual(events, [])
  })
})

/** Tests wrong input, addresses, methods and bodies of the admin API. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Admin } from '../fixtures/dashboard/administrator.ts'
import type { Api } from '../fixtures/dashboard/administrators-by-role.ts'
import { assertProblem } from '../fixtures/dashboard/problem.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { bearer, send } from '../fixtures/requests/http-client.ts'

let owner: Admin
let api: Api
const latchkey = sharedStaff(({ all, apis }) => {
  owner = all.owner
  api = apis.owner
})

describe('problem details name the invalid input', () => {
  const rows: ReadonlyArray<readonly [string, string, unknown, string]> = [
    ['POST', '/clients', { kind: 'kettle', metadata: { client_name: 'X' } }, '#/kind'],
    ['POST', '/clients', { kind: 'web', metadata: {} }, '#/metadata/client_name'],
    [
      'POST',
      '/clients',
      { kind: 'web', metadata: { client_name: 'X', redirect_uris: ['https://x.example/#a'] } },
      '#/metadata/redirect_uris/0',
    ],
    [
      'POST',
      '/clients',
      { kind: 'web', metadata: { client_name: 'X', redirect_uris: 'https://x.example/' } },
      '#/metadata/redirect_uris',
    ],
    ['POST', '/scopes', { metadata: { name: 'two words' } }, '#/metadata/name'],
    ['POST', '/users', { username: '' }, '#/username'],
    ['POST', '/users', { username: 'zoe', claims: { sub: 'alice-0001' } }, '#/claims/sub'],
    ['POST', '/administrators/invitations', { role: 'king' }, '#/role'],
    ['POST', '/revoke-everything', { confirm: 'me' }, '#/confirm'],
    ['POST', '/keys/rotations', {}, '#/algorithm'],
    ['POST', '/configuration/compare', { document: '{"clients": [' }, '#/document'],
  ]
  for (const [method, path, body, pointer] of rows) {
    test(`names the invalid fields of ${method} ${path} with ${JSON.stringify(body)}`, async () => {
      const problem = await assertProblem(owner, await api.call(method, path, { body }), 400, 'invalid')
      const errors: ReadonlyArray<{ pointer: string; detail: string }> = Object(problem.errors)
      const pointers = errors.map(error => error.pointer)
      assert.ok(pointers.includes(pointer), String(pointers))
      for (const { detail } of errors) assert.match(detail, /^\S.*\.$/s)
    })
  }
  for (const query of ['kind=', 'limit=', 'enabled=', 'bogus=x', 'version=1']) {
    test(`GET /clients?${query} is refused: the description does not allow it`, async () => {
      const problem = await assertProblem(owner, await api.call('GET', `/clients?${query}`), 400, 'invalid')
      assert.match(JSON.stringify(problem.errors), new RegExp(`"#/${query.split('=')[0]}"`))
    })
  }
  for (const path of ['/users?foo=1', '/events?until=', '/scopes?q=x', '/clients/web?q=x']) {
    test(`GET ${path} is refused instead of listing everything`, async () => {
      await assertProblem(owner, await api.call('GET', path), 400, 'invalid')
    })
  }
  for (const [path, body] of [
    ['/clients/desk/secrets/none/expire', 'null'],
    ['/clients/desk/secrets/none/rotate', '{"overlap_hours":null}'],
    ['/clients/desk/secrets/none/rotate', '{"overlap_hours":"1"}'],
    ['/clients/desk/enabled', '{"enabled":null}'],
    ['/users', '{"username":"half \\ud83d","claims":{}}'],
    ['/users', '{"username":"whole","claims":{"name":"half \\ud83d"}}'],
    ['/users', '{"username":"whole","claims":{"name":"no \\u0000"}}'],
    ['/clients', '{"kind":"machine","metadata":{"client_name":"half \\udc00"}}'],
    [
      '/clients',
      '{"kind":"web","metadata":{"client_name":"X","redirect_uris":["https://x.example/?code=1"]}}',
    ],
  ] as const) {
    test(`POST ${path} ${body} is refused: the description does not allow it`, async () => {
      const headers = { ...bearer(api.token), 'content-type': 'application/json' }
      const answer = await send(latchkey.issuer, `/api/admin${path}`, { method: 'POST', body, headers })
      await assertProblem(owner, answer, 400, 'invalid')
    })
  }
  test('claims that would not fit into a token are refused with a sentence', async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`c${index}`, 1]))
    for (const claims of [many, { name: 'x'.repeat(7000) }]) {
      const answer = await api.call('POST', '/users', { body: { username: 'stuffed', claims } })
      const problem = await assertProblem(owner, answer, 400, 'invalid')
      assert.match(JSON.stringify(problem.errors), /"#\/claims".*at most/)
    }
  })
  for (const query of ['kind=kettle', 'limit=0', 'limit=100000', 'enabled=maybe', `q=${'x'.repeat(300)}`]) {
    test(`refuses GET /clients?${query.slice(0, 20)}`, async () => {
      const problem = await assertProblem(owner, await api.call('GET', `/clients?${query}`), 400, 'invalid')
      assert.match(JSON.stringify(problem.errors), new RegExp(`"#/${query.split('=')[0]}"`))
    })
  }
  for (const [path, pointer] of [
    ['/sessions?client_id=web', '#/client_id'],
    ['/grants?username=alice', '#/username'],
    ['/consents?sub=two%20words', '#/sub'],
    ['/events?outcome=maybe', '#/outcome'],
    ['/events?from=yesterday', '#/from'],
    ['/changes?from=yesterday', '#/from'],
    ['/changes?target_kind=planet', '#/target_kind'],
    ['/changes?who=olivia', '#/who'],
  ] as const) {
    test(`names the invalid parameter of GET ${path}`, async () => {
      const problem = await assertProblem(owner, await api.call('GET', path), 400, 'invalid')
      assert.equal(Object(problem.errors)[0].pointer, pointer)
    })
  }
})

describe('addresses, methods and bodies of the admin API', () => {
  for (const path of [
    '',
    '/',
    '/nowhere',
    '/clients/',
    '/clients/web/',
    '/clients//secrets',
    '/clients/.env',
    '/clients/web/nowhere',
    '/Clients',
    '/openapi.yaml',
    '/%2e%2e/clients',
  ]) {
    test(`answers 404 at ${JSON.stringify(path)}`, async () => {
      const answer = await api.call('GET', path)
      assert.equal(answer.status, 404, answer.text)
      assert.match(String(answer.headers['content-type']), /^application\/problem\+json/)
    })
  }

  test('answers 400 at an address with an invalid encoding', async () => {
    const answer = await api.call('GET', '/clients/%E0%A4%A')
    assert.equal(answer.status, 400, answer.text)
    assert.match(String(answer.headers['content-type']), /^application\/problem\+json/)
  })

  for (const [method, path, allow] of [
    ['PATCH', '/clients', 'GET, HEAD, POST'],
    ['POST', '/clients/web', 'GET, HEAD, PUT, DELETE'],
    ['PATCH', '/clients/web', 'GET, HEAD, PUT, DELETE'],
    ['GET', '/revoke-everything', 'POST'],
    ['HEAD', '/revoke-everything', 'POST'],
    ['DELETE', '/keys', 'GET, HEAD'],
    ['POST', '/openapi.json', 'GET, HEAD'],
  ] as const) {
    test(`answers 405 to ${method} ${path} with Allow: ${allow}`, async () => {
      const answer = await api.call(method, path)
      assert.equal(answer.headers.allow, allow)
      if (method === 'HEAD') assert.equal(answer.status, 405)
      else await assertProblem(owner, answer, 405, 'method-not-allowed')
    })
  }

  for (const [path, allow] of [
    ['/clients', 'GET, HEAD, POST'],
    ['/clients/web', 'GET, HEAD, PUT, DELETE'],
  ] as const) {
    test(`TRACE ${path} is 405, and Allow lists ${allow}`, async () => {
      const answer = await api.call('TRACE', path)
      assert.equal(answer.status, 405, answer.text)
      assert.equal(answer.headers.allow, allow)
      assert.equal(answer.json().type, 'urn:latchkey:problem:method-not-allowed')
    })
  }

  test('answers HEAD like GET, without a body', async () => {
    const [head, get] = [await api.call('HEAD', '/clients/web'), await api.call('GET', '/clients/web')]
    assert.deepEqual([head.status, head.headers.etag, head.text], [200, get.headers.etag, ''])
  })

  const otherBodies: ReadonlyArray<Readonly<Record<string, string>>> = [
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': 'application/jsonp' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  ]
  for (const headers of otherBodies) {
    test(`answers 415 to a body with ${Object.values(headers).join(', ')}`, async () => {
      const answer = await api.call('POST', '/users', { body: { username: 'simple' }, headers })
      await assertProblem(owner, answer, 415, 'unsupported-media-type')
    })
  }

  const bodies: ReadonlyArray<readonly [string, string]> = [
    ['{"username":', 'invalid-request'],
    ['{"username":"a","username":"b"}', 'invalid-request'],
    ['[]', 'invalid'],
    ['"text"', 'invalid'],
    ['null', 'invalid'],
    ['7', 'invalid'],
  ]
  for (const [body, type] of bodies) {
    test(`answers 400 to the body ${body}`, async () => {
      const headers = { ...bearer(api.token), 'content-type': 'application/json' }
      const answer = await send(latchkey.issuer, '/api/admin/users', { body, headers })
      await assertProblem(owner, answer, 400, type)
    })
  }

  test('answers 413 to a body over the limit, with and without Content-Length', async () => {
    const headers = { ...bearer(api.token), 'content-type': 'application/json' }
    const body = JSON.stringify({ username: 'a'.repeat(4_300_000) })
    const path = '/api/admin/users'
    for (const chunked of [false, true]) {
      const answer = await send(latchkey.issuer, path, { body, headers, chunked })
      await assertProblem(owner, answer, 413, 'content-too-large')
    }
    assert.equal((await api.call('GET', '/keys')).status, 200)
  })
})

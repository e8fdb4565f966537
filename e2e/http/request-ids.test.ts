/** Tests that request IDs on pages and in errors lead to a request trace, or are in the log and the dashboard says so. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Api, Staff } from '../fixtures/dashboard/administrators-by-role.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { basic, bearer, type Sent, send } from '../fixtures/requests/http-client.ts'
import { alice, clientSecret } from '../fixtures/server/configuration.ts'
import { logged } from '../fixtures/server/latchkey.ts'

let all: Staff
let api: Api
const latchkey = sharedStaff(opened => {
  all = opened.all
  api = opened.apis.owner
})

const cookie = `x=${'y'.repeat(40_000)}`
const form = { name: 'value' }
/** Requests of many kinds without a session, most of them refused. */
const refusals: ReadonlyArray<readonly [what: string, target: string, sent?: Sent]> = [
  ['a method that a page does not have', '/login', { method: 'DELETE' }],
  ['a method that an endpoint does not have', '/connect/token'],
  ['a method that no address has', '/login', { method: 'TRACE' }],
  ['a method that the dashboard does not have', '/admin/clients', { method: 'PUT' }],
  ['a target that cannot be decoded', '/%ff'],
  ['a target with a NUL', '/admin/users?q=%00'],
  ['cookies that are too long', '/login', { headers: { cookie } }],
  ['an unknown expectation', '/login', { headers: { expect: 'the unexpected' } }],
  ['a server action', '/admin', { headers: { 'next-action': 'x' } }],
  ['a prefetch', '/logout', { headers: { 'sec-purpose': 'prefetch' } }],
  ['an authorization request of an unknown client', '/connect/authorize?client_id=none'],
  ['a sign-out with a broken hint', '/connect/endsession?id_token_hint=x'],
  [
    'a sign-out with an address that is not registered',
    '/connect/endsession?client_id=web&post_logout_redirect_uri=https://evil.example',
  ],
  ['a sign-out with a long form', '/connect/endsession', { form: { state: 'x'.repeat(20_000) } }],
  ['a sign-in that never began', '/login?pending=none'],
  ['a consent that never began', '/consent?pending=none'],
  ['a choice of accounts that never began', '/select-account?pending=none'],
  ['a sign-in at an unknown provider', '/login/external/none/start?pending=none'],
  ['a callback without a sign-in', '/login/external/upstream/callback?state=x&code=y'],
  ['a form of another site', '/login', { form, headers: { origin: 'https://evil.example' } }],
  [
    'a body that is not a form',
    '/login',
    { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } },
  ],
  ['a large form', '/login', { form: { name: 'x'.repeat(200_000) } }],
  ['a callback of the dashboard', '/admin/callback?code=x&state=y'],
  ['a spent link of the setup', '/admin/setup?token=spent'],
  ['the API without a token', '/api/admin/clients'],
  ['the API with a wrong token', '/api/admin/clients', { headers: bearer('none') }],
  ['a method that the description of the API does not have', '/api/admin/openapi.json', { method: 'PUT' }],
  ['a method that no address of the API has', '/api/admin/clients', { method: 'TRACE' }],
  [
    'a wrong secret',
    '/connect/token',
    { form: { grant_type: 'client_credentials' }, headers: basic('machine', 'x') },
  ],
  [
    'a token request without a grant type',
    '/connect/token',
    { form, headers: basic('machine', clientSecret) },
  ],
  ['userinfo with a wrong token', '/connect/userinfo', { headers: bearer('none') }],
]

for (const [what, target, sent] of refusals) {
  test(`the request ID of the answer to ${what} is not shown or has a trace`, async () => {
    await assertTraced(await send(latchkey.issuer, target, sent))
  })
}

test('the request IDs of refusals in the dashboard have a trace', async () => {
  for (const target of [
    '/admin/nonsense',
    '/admin/clients/none',
    '/admin/users/none',
    '/admin/clients/web/x',
  ])
    await assertTraced(await all.owner.get(target))
  await assertTraced(await all.auditor.get('/admin/users/new'))
  await assertTraced(await all.owner.post('no.such.action', {}))
  await assertTraced(await all.owner.post('clients.set_enabled', { client_id: 'none', enabled: 'true' }))
  await assertTraced(await all.auditor.post('clients.set_enabled', { client_id: 'web', enabled: 'true' }))
})

test('the request IDs of problems of the API have a trace', async () => {
  for (const [method, path, call] of [
    ['GET', '/nothing', {}],
    ['PUT', '/clients', {}],
    ['GET', '/clients/none', {}],
    ['GET', '/clients?limit=nonsense', {}],
    ['POST', '/clients', { body: {} }],
    ['PUT', `/users/${alice.sub}`, { body: {} }],
    ['DELETE', `/users/${alice.sub}`, { headers: { 'if-match': '"999"' } }],
  ] as const)
    await assertTraced(await api.call(method, path, call))
})

test('the page of a sign-out that does not lead back shows a request ID, whose trace has both addresses', async () => {
  const uri = 'https://evil.example/signed-out'
  const query = new URLSearchParams({ client_id: 'web', post_logout_redirect_uri: uri })
  const {
    answer: { text },
  } = await newBrowser(latchkey.issuer).follow(`/connect/endsession?${query}`)
  const [, requestId = ''] = /class="reference">([^<]+)</.exec(text) ?? []
  const trace = await all.owner.get(`/admin/events/requests/${requestId.replace('-', '').toLowerCase()}`)
  assert.equal(trace.status, 200)
  assert.match(trace.text, /sent a post_logout_redirect_uri that isn’t registered/)
  assert.match(trace.text, /<dt>Sent<\/dt>.*evil\.example.*<dt>Registered<\/dt>.*\/signed-out/s)
  assert.match(trace.text, /add it to the sign-out redirect URIs/)
})

for (const path of ['/no/such/page', '/no/such/page.css', '/playground/nothing', '/administration'])
  test(`the page of the unknown address ${path} shows a request ID, which is in the log`, async () => {
    const { status, text, headers } = await send(latchkey.issuer, path)
    assert.equal(status, 404)
    const requestId = String(headers['x-reference-id'])
    assert.ok(text.includes(`id="request-id">${requestId}<`), text)
    await logged(latchkey.server, requestId)
    const only = /No event is stored for this request ID\. .*unknown addresses are only in the log.*90 days/
    const trace = await all.owner.get(`/admin/events/requests/${requestId}`)
    assert.equal(trace.status, 404)
    assert.match(trace.text, only)
    for (const page of ['/admin/search', '/admin/search/results'])
      assert.match((await all.owner.get(`${page}?q=${requestId.toLowerCase()}`)).text, only)
  })

async function assertTraced({ status, text, headers }: Awaited<ReturnType<typeof send>>): Promise<void> {
  assert.ok(status >= 400 || text !== '' || status === 303, String(status))
  const requestId = String(headers['x-reference-id'])
  const shown = text.match(/\b[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}\b/g) ?? []
  for (const id of new Set(shown)) {
    const trace = await all.owner.get(`/admin/events/requests/${id}`)
    assert.equal(trace.status, 200, `${status} ${requestId}: nothing is known of ${id}`)
  }
}

/**
 * Tests request traces: what was sent, what was answered, and remedies that an attacker may have caused; and the list of
 * events.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAdmin } from '../fixtures/dashboard/administrator.ts'
import type { Api, Staff } from '../fixtures/dashboard/administrators-by-role.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { authorize, codeRequest, delivered, newProof } from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { basic, send, withQuery } from '../fixtures/requests/http-client.ts'
import { createUser } from '../fixtures/requests/own-password.ts'
import { alice, canary, clientSecret } from '../fixtures/server/configuration.ts'
import { ageVisits } from '../fixtures/server/stored-rows.ts'
import { app } from '../fixtures/server/suite.ts'

let all: Staff
let api: Api
const latchkey = sharedStaff(opened => {
  all = opened.all
  api = opened.apis.owner
})

test('the trace of a refused authorization request shows what was sent and answered', async () => {
  const query = {
    client_id: 'web',
    response_type: 'code',
    redirect_uri: `https://evil.example/cb?key=${canary}`,
    state: canary,
    [canary]: 'x',
  }
  const answer = await send(latchkey.issuer, withQuery('/connect/authorize', query))
  const { text } = await all.owner.get(`/admin/events/requests/${String(answer.headers['x-reference-id'])}`)
  assert.match(text, /<code>GET \/connect\/authorize<\/code>/)
  assert.match(text, new RegExp(`<dt>Status</dt><dd><code>${answer.status}</code>`))
  assert.match(text, /<dt>response_type<\/dt><dd><code>code<\/code>/)
  assert.match(text, /<dt>redirect_uri<\/dt><dd><code>https:\/\/evil\.example\/cb\?key=…<\/code>/)
  assert.match(text, /<dt>state<\/dt><dd><span class="muted">sent; not stored/)
  assert.match(text, /One more has a name that Latchkey does not know/)
  assert.match(text, /curl --include --get &#x27;/)
  assert.match(text, /dateTime="[^"]+\.\d{3}Z"[^>]*>[^<]*:\d\d\.\d{3} UTC</)
  assert.ok(!text.includes(canary))
})

test('no secret of a refused token request is in its trace, its event or the export', async () => {
  const secrets = ['code', 'code_verifier', 'refresh_token', 'password', 'username', 'client_assertion']
  const form = {
    grant_type: 'authorization_code',
    ...Object.fromEntries(secrets.map(name => [name, canary])),
  }
  const answer = await send(latchkey.issuer, '/connect/token', { form, headers: basic('web', canary) })
  const reference = String(answer.headers['x-reference-id'])
  const { text } = await all.owner.get(`/admin/events/requests/${reference}`)
  assert.match(text, /<code>POST \/connect\/token<\/code>/)
  assert.match(text, /<dt>Error<\/dt><dd><code>invalid_client<\/code>/)
  assert.match(text, /<dt>Authorization<\/dt><dd><code>Basic …<\/code>/)
  assert.match(text, /<dt>code_verifier<\/dt><dd><span class="muted">sent; not stored/)
  assert.match(text, /--data-urlencode &#x27;code=&lt;code&gt;&#x27;/)
  const exported = await all.owner.get('/admin/events/export')
  const listed = await api.call('GET', '/events?limit=50')
  for (const shown of [text, exported.text, listed.text]) assert.ok(!shown.includes(canary))
})

/** The texts of the comparison in a trace: labels, the sent value, and the allowed values if there are any. */
async function comparedIn(target: string): Promise<readonly string[]> {
  const { headers } = await send(latchkey.issuer, target)
  const { text } = await all.owner.get(`/admin/events/requests/${String(headers['x-reference-id'])}`)
  const [, comparison = ''] = /class="comparison"><dl>(.*?)<\/dl>/s.exec(text) ?? []
  return comparison.split(/<[^>]*>/).filter(part => part !== '')
}

test('the trace of a missing or malformed code_challenge compares the challenge, not its method', async () => {
  const asked = {
    client_id: 'trusted',
    redirect_uri: `${app}/callback`,
    response_type: 'code',
    scope: 'openid',
  }
  const compared = (changes: object) => comparedIn(withQuery('/connect/authorize', { ...asked, ...changes }))
  const required = 'code_challenge with code_challenge_method=S256'
  assert.deepEqual(await compared({ code_challenge_method: 'S256' }), [
    'Sent',
    'nothing',
    'Allowed',
    required,
  ])
  const short = { code_challenge: 'short', code_challenge_method: 'S256' }
  const shape = '43 base64url characters'
  assert.deepEqual(await compared(short), ['Sent', '5 characters', 'Allowed', shape])
})

test('the trace names the parameters of a token request that had no effect', async () => {
  const proof = newProof()
  const visit = await authorize(newBrowser(latchkey.issuer), codeRequest(app, proof), alice)
  const form = {
    grant_type: 'authorization_code',
    code: delivered(visit).get('code') ?? '',
    redirect_uri: `${app}/callback`,
    code_verifier: proof.verifier,
    scope: 'nonsense',
  }
  const answer = await send(latchkey.issuer, '/connect/token', {
    form,
    headers: basic('trusted', clientSecret),
  })
  assert.equal(answer.status, 200)
  const { text } = await all.owner.get(`/admin/events/requests/${String(answer.headers['x-reference-id'])}`)
  assert.match(text, /These parameters were ignored: scope\./)
})

test('the trace of an authorization request names the parameters that had no effect', async () => {
  const sent = { claims: canary, acr_values: `idp:${canary}`, [canary]: 'x' }
  const request = withQuery('/connect/authorize', codeRequest(app, newProof(), sent))
  const answer = await send(latchkey.issuer, request)
  const { text } = await all.owner.get(`/admin/events/requests/${String(answer.headers['x-reference-id'])}`)
  assert.match(text, /These parameters were ignored: claims, 1 with an unknown name, acr_values=idp:\./)
  assert.ok(!text.includes(canary))
})

for (const [sent, shown] of [
  ['application/json; charset=utf-8', 'application/json'],
  [`application/${canary}`, 'another type'],
] as const) {
  test(`the trace of a token request with the body ${shown} says so, and what to send`, async () => {
    const headers = { 'content-type': sent }
    const answer = await send(latchkey.issuer, '/connect/token', { method: 'POST', headers, body: '{}' })
    assert.equal(answer.status, 415)
    const reference = String(answer.headers['x-reference-id'])
    const { text } = await all.owner.get(`/admin/events/requests/${reference}`)
    assert.ok(text.includes(`its body has the wrong content type (${shown}).`))
    assert.match(text, /application\/x-www-form-urlencoded; with fetch that is body: new URLSearchParams/)
    assert.match(text, new RegExp(`<code class="sent mono">${shown}</code>`))
    assert.ok(!text.includes(canary))
  })
}

test('the list of events shows a token request with a wrong secret once', async () => {
  const form = { grant_type: 'client_credentials' }
  const answer = await send(latchkey.issuer, '/connect/token', { form, headers: basic('ci-visitor', canary) })
  const reference = String(answer.headers['x-reference-id'])
  const { text } = await all.owner.get('/admin/events')
  assert.equal(text.split(`href="/admin/events/requests/${reference}"`).length - 1, 1)
})

test('AD-04 a redirect URI of a new host is added only after a question and a fresh sign-in', async () => {
  const evil = `https://evil-${Date.now()}.example/callback`
  const query = withQuery('/connect/authorize', {
    client_id: 'web',
    redirect_uri: evil,
    response_type: 'code',
  })
  const reference = String((await send(latchkey.issuer, query)).headers['x-reference-id'])
  const { text } = await all.owner.get(`/admin/events/requests/${reference}`)
  assert.match(text, /authorization codes of every user of this client can be sent to evil-/)
  assert.doesNotMatch(text, /class="btn primary"[^>]*>Add this redirect URI/)

  const who = await createUser(latchkey.issuer, api, 'hasty')
  const manager = await openAdmin(latchkey.server, { role: 'client_manager', who, by: all.owner })
  await ageVisits(latchkey.server, who.sub, 301)
  const input = { client_id: 'web', redirect_uri: evil }
  const answer = await manager.post('clients.add_redirect_uri', input, `/admin/events/requests/${reference}`)
  assert.equal(answer.status, 303)
  assert.equal(new URL(answer.headers.location ?? '', latchkey.issuer).pathname, '/admin/sign-in')
  assert.ok(!(await api.call('GET', '/clients/web')).text.includes(evil))
})

test('the list of events has one line for each, whose sentence leads to the request trace', async () => {
  const query = withQuery('/connect/authorize', { client_id: 'web', response_type: 'code' })
  const reference = String((await send(latchkey.issuer, query)).headers['x-reference-id'])
  const { text } = await all.owner.get('/admin/events')
  const columns = [...text.matchAll(/<th scope="col"[^>]*>(?:<a [^>]*>)?([^<]+)</g)].map(([, name]) => name)
  assert.deepEqual(columns, ['Event', 'IP address', 'Request ID', 'Time'])
  assert.match(text, new RegExp(`<a href="/admin/events/requests/${reference}">Harbour Ledger was refused`))
  assert.match(text, /<a href="\/admin\/events\?client=web">same client<span[^>]*>: Harbour Ledger</)
  assert.match(text, /<a href="\/admin\/events\?subject=[^"]+">same user<span/)
  assert.match(text, /<td data-label="IP address"><span class="mono">127\.0\.0\.1</)
})

test('the list of events leaves out the successful sign-ins to the dashboard until they are asked for', async () => {
  const own = /events\?client=latchkey-admin"/
  assert.doesNotMatch((await all.owner.get('/admin/events')).text, own)
  assert.match((await all.owner.get('/admin/events?dashboard_sign_ins=shown')).text, own)
})

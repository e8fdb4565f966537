/** Tests the example extensions together in one server, except those of the sign-in fields and the sign-in hooks. */
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { json } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import {
  authorize,
  codeRequest,
  delivered,
  type Issued,
  newProof,
  redeem,
  refresh,
} from '../fixtures/requests/code-flow.ts'
import { type HttpBrowser, newBrowser } from '../fixtures/requests/http-browser.ts'
import { basic, bearer, send, withQuery } from '../fixtures/requests/http-client.ts'
import { decode } from '../fixtures/requests/jwt.ts'
import { challenged, failed } from '../fixtures/requests/refused-tokens.ts'
import { alice, bob, canary, clientSecret, testConfiguration } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'

const scope = 'openid api tenant offline_access'
const lostCallback = 'https://shop.old-company.example/callback'
let server: Latchkey
let ownPages = ''

/** The events that the sink of the extensions has sent. */
const collected: Record<string, unknown>[] = []
const arrivals = new EventEmitter()
const collector = createServer(async (request, response) => {
  const batch = await json(request)
  assert.ok(Array.isArray(batch))
  collected.push(...batch)
  response.end()
  arrivals.emit('batch')
})

before(async () => {
  const [port, pagesPort, collectorPort] = [await freePort(), await freePort(), await freePort()]
  await once(collector.listen(collectorPort, '127.0.0.1'), 'listening')
  ownPages = `http://127.0.0.1:${pagesPort}`
  const environment = {
    LATCHKEY_EXTENSIONS: resolve(import.meta.dirname, '../fixtures/server/extensions.ts'),
    TERMS_PORT: String(pagesPort),
    EVENT_COLLECTOR: `http://127.0.0.1:${collectorPort}/events`,
  }
  server = await startLatchkey({ port, configuration: configuration(), environment })
})
after(async () => {
  await server.stop()
  collector.close()
})

/** The users that the examples know, and clients with the scopes, grant types and claims that the examples use. */
function configuration() {
  const { clients, scopes } = testConfiguration({ app })
  const named = (client_id: string) => clients.find(client => client.client_id === client_id)
  const box = { grant_types: ['urn:example:activation-code'], scope: 'api tenant' }
  return {
    clients: [
      { ...named('trusted'), scope },
      { ...named('password'), scope },
      { ...named('machine'), ...box, client_id: 'box' },
      named('machine'),
      {
        ...named('trusted'),
        client_id: 'strict',
        redirect_uris: [`${app}/callback`, lostCallback],
        claims: { needs_tenant: true },
      },
      { ...named('machine'), client_id: 'strict machine', scope: 'api', claims: { needs_purpose: true } },
    ],
    scopes: [...scopes, { name: 'tenant', kind: 'resource' }],
    users: [
      { username: alice.username, password: alice.password, sub: 'alice' },
      { username: bob.username, password: bob.password, sub: 'bob' },
    ],
  }
}

describe('a custom user service', () => {
  test('its page interrupts the sign-in, which completes when the user returns', async () => {
    const proof = newProof()
    const browser = newBrowser(server.issuer)
    const stopped = await authorize(browser, codeRequest(app, proof, { scope }))
    assert.match(stopped.target, /^\/terms\?ticket=[\w-]+&partial=prt_/)
    assert.equal((await passwordGrant(alice)).json().error, 'invalid_grant', 'nor without a browser')
    const again = await browser.follow(comingBack(stopped.target))
    assert.match(again.target, /^\/terms\?/, 'the visit of the page is not sufficient')
    await agree(again.target)
    const code = delivered(await browser.follow(comingBack(again.target))).get('code') ?? ''
    const inHand = { code, proof, clientId: 'trusted', redirectUri: `${app}/callback` }
    assert.equal((await redeem(server.issuer, inHand)).status, 200)
    assert.equal((await passwordGrant(alice)).status, 200)
  })

  test('AU-10 VE-05 a user for whom isActive() returns false has neither session nor valid tokens', async () => {
    const [leaver, other] = [await signedIn(alice), await signedIn(bob)]
    assert.deepEqual([await access(leaver), await access(other)], [whole, whole])
    await send(ownPages, withQuery('/withdraw', { about: 'alice' }))
    const { access_token: token, refresh_token } = leaver.tokens
    challenged(await userinfo(token))
    failed(await validation(token), 'invalid_token')
    assert.deepEqual((await introspection(token)).json(), { active: false })
    assert.equal(await whereAccountLeads(leaver.browser), '/login')
    const refreshed = await refresh(server.issuer, refresh_token)
    assert.deepEqual([refreshed.status, refreshed.json().error], [400, 'invalid_grant'])
    assert.deepEqual(await access(other), whole)
  })
})

describe('a custom grant', () => {
  before(() => signedIn(alice))

  test('a custom grant issues a valid token with its claims', async () => {
    const answer = await activate('LAMP-1234')
    assert.equal(answer.status, 200, answer.text)
    const claims = (await validation(String(answer.json().access_token))).json()
    const { sub, client_id, amr, device_model } = claims
    assert.deepEqual([sub, client_id, amr, device_model], ['alice', 'box', 'activation_code', 'lamp'])
  })
  test('a refusal of a custom grant has the description of the extension', async () => {
    for (const [code, error, sentence] of [
      ['LAMP-1234', 'invalid_grant', 'activation_code is wrong or was used.'],
      ['LAMP-9999', 'invalid_grant', 'activation_code is wrong or was used.'],
      ['', 'invalid_request', 'activation_code is missing.'],
    ] as const) {
      const answer = await activate(code)
      assert.equal(answer.status, 400, code)
      assert.deepEqual(answer.json(), { error, error_description: sentence })
    }
  })
  test('TK-08 TK-17 a custom grant is refused for a client without it in grant_types', async () => {
    const answer = await activate('LAMP-1234', 'machine')
    assert.deepEqual([answer.status, answer.json().error], [400, 'unauthorized_client'])
  })
})

test('token claims of an extension appear only in access tokens with their scope', async () => {
  const { tokens } = await signedIn(bob)
  assert.equal(decode(tokens.access_token).payload.tenant, 'south')
  assert.equal(decode(tokens.id_token).payload.tenant, undefined)
  const without = await passwordGrant(bob, 'api')
  assert.equal(decode(String(without.json().access_token)).payload.tenant, undefined)
})

describe('validators', () => {
  test('a registered redirect URI that the extensions refuse is never redirected to', async () => {
    const request = codeRequest(app, newProof(), { client_id: 'strict', redirect_uri: lostCallback })
    const visit = await authorize(newBrowser(server.issuer), request)
    assert.deepEqual([visit.location, visit.answer.status], [null, 400])
  })
  test('an authorization request that the extensions refuse returns their error to the client', async () => {
    const asked = (acr_values: string) =>
      authorize(
        newBrowser(server.issuer),
        codeRequest(app, newProof(), { client_id: 'strict', acr_values }),
        bob,
      )
    const refused = delivered(await asked('tenant:west'))
    assert.deepEqual(
      [refused.get('error'), refused.get('error_description')],
      ['invalid_request', 'acr_values must contain tenant:north or tenant:south.'],
    )
  })
  test('RFC 6749 5.2 a token request that the extensions refuse returns their own error code', async () => {
    const ask = (form: Readonly<Record<string, string>>) => {
      const headers = basic('strict machine', clientSecret)
      const request = { grant_type: 'client_credentials', scope: 'api', ...form }
      return send(server.issuer, '/connect/token', { form: request, headers })
    }
    const refused = await ask({})
    assert.equal(refused.status, 400)
    assert.deepEqual(refused.json(), { error: 'purpose_missing', error_description: 'purpose is missing.' })
    assert.equal((await ask({ purpose: 'billing' })).status, 200)
  })
})

test('members of an extension come with the tokens for a code and for a refresh, in addition to the standard ones', async () => {
  const { tokens } = await signedIn(bob)
  assert.equal(Object.entries(tokens).find(([name]) => name === 'region')?.[1], 'us')
  const refreshed = (await refresh(server.issuer, tokens.refresh_token)).json()
  assert.deepEqual([refreshed.region, refreshed.token_type], ['us', 'Bearer'])
})

test('the event sink receives events without the input of users', async () => {
  const password = `${canary} a wrong password`
  await passwordGrant({ ...bob, password })
  const isThere = () => collected.find(event => event.name === 'sign_in_failed' && event.subject === 'bob')
  while (isThere() === undefined) await once(arrivals, 'batch', { signal: AbortSignal.timeout(10_000) })
  const { outcome, clientId, reason, context } = isThere() ?? {}
  assert.deepEqual([outcome, clientId, reason], ['failure', 'password', 'wrong_password'])
  assert.match(JSON.stringify(context), /"requestId":"[2-9A-Z]{4}-[2-9A-Z]{4}","address":"127\.0\.0\.1"/)
  assert.ok(!JSON.stringify(collected).includes(canary))
})

type SignedIn = { readonly browser: HttpBrowser; readonly tokens: Issued }

/** Signs a user in and obtains tokens. Agrees to the terms if that is required. */
async function signedIn(who: typeof alice): Promise<SignedIn> {
  const proof = newProof()
  const browser = newBrowser(server.issuer)
  let visit = await authorize(browser, codeRequest(app, proof, { scope }), who)
  if (visit.target.startsWith('/terms')) {
    await agree(visit.target)
    visit = await browser.follow(comingBack(visit.target))
  }
  const code = delivered(visit).get('code') ?? ''
  const inHand = { code, proof, clientId: 'trusted', redirectUri: `${app}/callback` }
  return { browser, tokens: JSON.parse((await redeem(server.issuer, inHand)).text) }
}

/** Agrees to the terms as the page at `/terms` does. */
async function agree(terms: string): Promise<void> {
  const about = new URL(terms, server.issuer).searchParams.get('ticket') ?? ''
  await send(ownPages, withQuery('/agree', { about }))
}

function comingBack(terms: string): string {
  const partial = new URL(terms, server.issuer).searchParams.get('partial') ?? ''
  return withQuery('/login/return', { partial })
}

const whole = { userinfo: 200, validation: 200, active: true, account: '/account' }

async function access({ browser, tokens: { access_token: token } }: SignedIn): Promise<typeof whole> {
  return {
    userinfo: (await userinfo(token)).status,
    validation: (await validation(token)).status,
    active: (await introspection(token)).json().active === true,
    account: await whereAccountLeads(browser),
  }
}

async function whereAccountLeads(browser: HttpBrowser): Promise<string> {
  return new URL((await browser.follow('/account')).target, server.issuer).pathname
}

function userinfo(token: string) {
  return send(server.issuer, '/connect/userinfo', { headers: bearer(token) })
}

function validation(token: string) {
  return send(server.issuer, '/connect/accesstokenvalidation', { form: { token } })
}

function introspection(token: string) {
  const headers = basic('trusted', clientSecret)
  return send(server.issuer, '/connect/introspect', { form: { token }, headers })
}

function passwordGrant({ username, password }: typeof alice, asked = 'api tenant') {
  const form = { grant_type: 'password', scope: asked, username, password }
  return send(server.issuer, '/connect/token', { form, headers: basic('password', clientSecret) })
}

function activate(code: string, clientId = 'box') {
  const form = { grant_type: 'urn:example:activation-code', activation_code: code, scope: 'api' }
  return send(server.issuer, '/connect/token', { form, headers: basic(clientId, clientSecret) })
}

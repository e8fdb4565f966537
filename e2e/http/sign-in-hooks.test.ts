/**
 * Tests the hooks of a sign-in, with the example extension, and with a second server as the identity provider; and sign-outs
 * that continue there.
 */
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  authorize,
  codeRequest,
  delivered,
  newProof,
  type Parameters,
  redeem,
} from '../fixtures/requests/code-flow.ts'
import { newBrowser, type Visit } from '../fixtures/requests/http-browser.ts'
import { basic, send, withQuery } from '../fixtures/requests/http-client.ts'
import { decode } from '../fixtures/requests/jwt.ts'
import {
  bob,
  clientSecret,
  testConfiguration,
  upstreamConfiguration,
  ursula,
} from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, logged, startLatchkey } from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'

const eve = { username: 'eve', password: 'eve reads every letter' }
const dora = { username: 'dora', password: 'dora signs with a fountain pen' }
let server: Latchkey
let upstream: Latchkey

before(async () => {
  const [port, upstreamPort] = [await freePort(), await freePort()]
  upstream = await startLatchkey({
    port: upstreamPort,
    host: '127.0.0.1',
    configuration: upstreamConfiguration(`http://localhost:${port}`),
  })
  const extensions = resolve(import.meta.dirname, '../fixtures/server/sign-in-extensions.ts')
  const environment = { LATCHKEY_EXTENSIONS: extensions }
  server = await startLatchkey({ port, configuration: configuration(upstream.issuer), environment })
})
after(async () => {
  await server.stop()
  await upstream.stop()
})

function configuration(provider: string) {
  const { clients, ...rest } = testConfiguration({ app, upstream: provider })
  const trusted = clients.find(({ client_id }) => client_id === 'trusted')
  const machine = clients.find(({ client_id }) => client_id === 'machine')
  return {
    ...rest,
    identity_providers: rest.identity_providers.map(each => ({ ...each, sign_out_at_provider: true })),
    clients: [
      ...clients,
      { ...trusted, client_id: 'closed', claims: { closed: true } },
      { ...trusted, client_id: 'failing', claims: { fails: true } },
      { ...machine, client_id: 'box', grant_types: ['urn:example:failing'] },
    ],
    users: [
      { username: bob.username, password: bob.password, sub: 'bob' },
      { ...eve, sub: 'eve' },
      { ...dora, sub: 'dora' },
    ],
  }
}

const request = (changes: Parameters = {}, proof = newProof()) =>
  withQuery('/connect/authorize', codeRequest(app, proof, changes))

describe('preAuthenticate', () => {
  const sso = { 'x-remote-user': 'COMPANY\\bob' }

  test('a user whom the proxy knows is signed in without a page, with claims from postAuthenticate', async () => {
    const proof = newProof()
    const browser = newBrowser(server.issuer)
    const first = await browser.get(request({}, proof), sso)
    assert.match(first.headers.location ?? '', /^\/connect\/authorize\/resume\?pending=/)
    const visit = await browser.follow(first.headers.location ?? '')
    const code = delivered(visit).get('code') ?? ''
    const inHand = { code, proof, clientId: 'trusted', redirectUri: `${app}/callback` }
    const { access_token } = (await redeem(server.issuer, inHand)).json()
    const { sub, amr, department } = decode(String(access_token)).payload
    assert.deepEqual([sub, amr, department], ['bob', ['wia'], 'none'])
    const headers = { authorization: `Bearer ${access_token}` }
    const userinfo = await send(server.issuer, '/connect/userinfo', { headers })
    assert.deepEqual([userinfo.json().sub, userinfo.json().department], ['bob', 'none'])
  })

  test('an app that asks for a new sign-in gets the sign-in page', async () => {
    for (const asked of [{ prompt: 'login' }, { max_age: '60' }] as readonly Parameters[]) {
      const answer = await newBrowser(server.issuer).get(request(asked), sso)
      assert.match(answer.headers.location ?? '', /^\/login\?/)
    }
  })

  test('an app that requires an identity provider redirects there, and the request trace has the reason', async () => {
    const answer = await newBrowser(server.issuer).get(request({ client_id: 'federated' }), sso)
    assert.match(answer.headers.location ?? '', /^\/login\/external\/upstream\/start\?/)
    const line = JSON.parse(await logged(server, '"reason":"pre_authenticate_not_local"'))
    assert.deepEqual([line.subject, line.requestId], ['bob', answer.headers['x-reference-id']])
  })

  test('a refused request ends with a page that shows the message and has no password field', async () => {
    const browser = newBrowser(server.issuer)
    const refused = await browser.follow(request({ client_id: 'closed' }))
    assert.deepEqual([refused.location, refused.answer.status], [null, 403])
    assert.match(refused.answer.text, /This app is closed until Monday\./)
    assert.doesNotMatch(refused.answer.text, /type="password"/)
  })

  test('a hook that fails shows an error page, and accepts nothing', async () => {
    const failed = await newBrowser(server.issuer).follow(request({ client_id: 'failing' }))
    assert.deepEqual([failed.location, failed.answer.status], [null, 500])
    assert.doesNotMatch(failed.answer.text, /no license/)
    const line = JSON.parse(await logged(server, '"hook":"preAuthenticate"'))
    assert.deepEqual(
      [line.requestId, line.error.message],
      [failed.answer.headers['x-reference-id'], 'no license'],
    )
  })
})

test('postAuthenticate refuses a user with its message, at the sign-in page and at the token endpoint', async () => {
  const { answer, location } = await authorize(newBrowser(server.issuer), codeRequest(app, newProof()), eve)
  assert.equal(location, null)
  assert.match(answer.text, /Your contract has ended\./)
  const form = { grant_type: 'password', scope: 'api', ...eve }
  const refused = await send(server.issuer, '/connect/token', {
    form,
    headers: basic('password', clientSecret),
  })
  const { error, error_description } = refused.json()
  assert.deepEqual([error, error_description], ['invalid_grant', 'Your contract has ended.'])
})

test('the log line of a failed validator has the request ID', async () => {
  const form = { grant_type: 'password', scope: 'api', username: bob.username, password: bob.password }
  const headers = basic('password', clientSecret)
  const failed = await send(server.issuer, '/connect/token', { form: { ...form, fails: 'true' }, headers })
  assert.deepEqual([failed.status, failed.json().error], [500, 'server_error'])
  const line = JSON.parse(await logged(server, '"hook":"validateTokenRequest"'))
  assert.equal(line.requestId, failed.headers['x-reference-id'])
})

test('a custom grant that fails is refused like a failed hook: its event has the client, its log line the grant type', async () => {
  const form = { grant_type: 'urn:example:failing', scope: 'api' }
  const failed = await send(server.issuer, '/connect/token', { form, headers: basic('box', clientSecret) })
  assert.deepEqual([failed.status, failed.json().error], [500, 'server_error'])
  const requestId = failed.headers['x-reference-id']
  const event = JSON.parse(await logged(server, '"clientId":"box"'))
  const { reason, grantType } = event
  assert.deepEqual(
    [event.requestId, reason, grantType],
    [requestId, 'extension_failed', 'urn:example:failing'],
  )
  const line = JSON.parse(await logged(server, '"hook":"customGrants"'))
  assert.deepEqual([line.requestId, line.grantType], [requestId, 'urn:example:failing'])
})

test('postAuthenticate sends a user of preAuthenticate to its page, and again after a return without a signature', async () => {
  const browser = newBrowser(server.issuer)
  const first = await browser.get(request(), { 'x-remote-user': 'COMPANY\\dora' })
  const target = first.headers.location ?? ''
  assert.match(target, /^\/contract\?ticket=[\w-]+&partial=/)
  assert.equal(new Set(first.cookies.map(cookie => cookie.split('=')[0])).size, first.cookies.length)
  const again = await browser.get(returnFrom({ target }))
  assert.match(again.headers.location ?? '', /^\/contract\?ticket=[\w-]+&partial=/)
  assert.equal((await browser.follow('/account')).target.split('?')[0], '/login')
})

test('postAuthenticate sends a user to its page first; the request continues after the return, once and in that browser only', async () => {
  const proof = newProof()
  const browser = newBrowser(server.issuer)
  const login = await browser.follow(request({ prompt: 'login' }, proof))
  const page = await browser.submit(login, dora)
  assert.match(page.target, /^\/contract\?ticket=[\w-]+&partial=/)
  assert.equal((await browser.follow('/account')).target.split('?')[0], '/login')
  const unsigned = await browser.follow(returnFrom(page))
  assert.match(unsigned.target, /^\/contract\?ticket=[\w-]+&partial=/)
  const stranger = await newBrowser(server.issuer).get(returnFrom(unsigned), { 'user-agent': 'signed' })
  assert.equal(stranger.status, 400)
  const signed = await browser.get(returnFrom(unsigned), { 'user-agent': 'signed' })
  const code = delivered(await browser.follow(signed.headers.location ?? '')).get('code') ?? ''
  const inHand = { code, proof, clientId: 'trusted', redirectUri: `${app}/callback` }
  const { access_token } = (await redeem(server.issuer, inHand)).json()
  const { sub, department } = decode(String(access_token)).payload
  assert.deepEqual([sub, department], ['dora', 'none'])
  const again = await browser.get(returnFrom(unsigned), { 'user-agent': 'signed' })
  assert.equal(again.headers.location, '/login', 'which shows that the user is signed in')
})

function returnFrom({ target }: Pick<Visit, 'target'>): string {
  const partial = new URL(target, server.issuer).searchParams.get('partial') ?? ''
  return withQuery('/login/return', { partial })
}

describe('a user of an identity provider whom the user service refuses reads the reason', () => {
  for (const client_id of ['trusted', 'federated']) {
    test(`the message of the user service: ${client_id}`, async () => {
      const visit = await throughProvider({ client_id, acr_values: 'idp:upstream tenant:full' })
      assert.match(visit.answer.text, /All places of your school are taken\./)
      assert.doesNotMatch(notice(visit), /password|sign-in method/)
    })
    test(`without a message, that the account is not allowed: ${client_id}`, async () => {
      const visit = await throughProvider({ client_id, acr_values: 'idp:upstream tenant:none' })
      assert.match(notice(visit), /Your account isn’t allowed to sign in here\./)
    })
  }

  test('a provider that is no longer allowed is not called a password', async () => {
    const browser = newBrowser(server.issuer)
    const start = await browser.get(request({ client_id: 'federated' }))
    const pending = new URL(start.headers.location ?? '', server.issuer).searchParams.get('pending') ?? ''
    const shown = (asked: Parameters) =>
      browser.follow(withQuery('/login', { pending, error: 'not_allowed', ...asked }))
    assert.match(notice(await shown({ provider: 'upstream' })), /doesn’t allow that sign-in method/)
  })

  test('when the message is gone, as after two minutes, that the account is not allowed', async () => {
    const asked = { client_id: 'federated', acr_values: 'idp:upstream tenant:full' }
    const visit = await throughProvider(asked, 'latchkey_attempt')
    assert.match(notice(visit), /Your account isn’t allowed to sign in here\./)
  })
})

describe('a sign-out that continues at the identity provider', () => {
  const goodbye = `${app}/signed-out`

  test('ends both sessions, and then the user returns to the client with its state', async () => {
    const { browser, there, idToken } = await signedInThere()
    const asked = { id_token_hint: idToken, post_logout_redirect_uri: goodbye, state: 'of the client' }
    const away = await browser.follow(withQuery('/connect/endsession', asked))
    assert.equal(away.location?.origin, upstream.issuer)
    assert.equal((await browser.follow('/account')).target.split('?')[0], '/login')
    const back = await there.follow(`${away.location?.pathname}${away.location?.search}`)
    assert.equal(back.location?.origin, server.issuer)
    assert.equal((await there.follow('/account')).target.split('?')[0], '/login')
    const end = await browser.follow(`${back.location?.pathname}${back.location?.search}`)
    assert.equal(end.location?.href, `${goodbye}?state=of%20the%20client`)
    const again = await browser.follow(`${back.location?.pathname}${back.location?.search}`)
    assert.deepEqual([again.location, again.target], [null, '/logout/done'])
  })

  test('by our own page leads back to it, which does not mention the session at the provider', async () => {
    const { browser, there } = await signedInThere()
    const page = await browser.follow('/logout')
    assert.match(page.answer.text, /You’ll also be signed out at Upstream House\./)
    const away = await browser.submit(page, {})
    assert.equal(away.location?.origin, upstream.issuer)
    const back = await there.follow(`${away.location?.pathname}${away.location?.search}`)
    const stranger = newBrowser(server.issuer)
    const elsewhere = await stranger.follow(`${back.location?.pathname}${back.location?.search}`)
    assert.equal(elsewhere.target, '/logout/done')
    const end = await browser.follow(`${back.location?.pathname}${back.location?.search}`)
    assert.match(end.target, /^\/logout\/done\?.*ended=1/)
    assert.doesNotMatch(end.answer.text, /Upstream House/)
  })
})

/** Signs a user of the provider in. Returns the browser, the browser at the provider (`there`), and the ID token. */
async function signedInThere() {
  const proof = newProof()
  const browser = newBrowser(server.issuer)
  const away = await browser.follow(request({ acr_values: 'idp:upstream' }, proof))
  const there = newBrowser(upstream.issuer)
  const login = await there.follow(`${away.location?.pathname}${away.location?.search}`)
  const back = await there.submit(login, { username: ursula.username, password: ursula.password })
  const visit = await browser.follow(`${back.location?.pathname}${back.location?.search}`)
  const code = delivered(visit).get('code') ?? ''
  const inHand = { code, proof, clientId: 'trusted', redirectUri: `${app}/callback` }
  const idToken = String((await redeem(server.issuer, inHand)).json().id_token)
  return { browser, there, idToken }
}

/**
 * Signs in at the provider and returns the page after the callback. If `lost` names a cookie, the browser deletes it and opens
 * that page again.
 */
async function throughProvider(asked: Parameters, lost = ''): Promise<Visit> {
  const browser = newBrowser(server.issuer)
  const away = await browser.follow(request(asked))
  assert.equal(away.location?.origin, upstream.issuer)
  const there = newBrowser(upstream.issuer)
  const login = await there.follow(`${away.location?.pathname}${away.location?.search}`)
  const back = await there.submit(login, { username: ursula.username, password: ursula.password })
  const visit = await browser.follow(`${back.location?.pathname}${back.location?.search}`)
  if (lost === '') return visit
  assert.ok(browser.cookies.delete(lost))
  return browser.follow(visit.target)
}

function notice({ answer }: Visit): string {
  return /id="problem"[^>]*>([\s\S]*?)<\/div>/.exec(answer.text)?.[1] ?? ''
}

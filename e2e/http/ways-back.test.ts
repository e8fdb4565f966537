/**
 * Tests navigation around the sign-in and sign-out: deep links, canceling, several tabs, a second visit, and well-known
 * addresses.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authorize, codeRequest, newProof, type Parameters } from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { send, withQuery } from '../fixtures/requests/http-client.ts'
import { alice, bob } from '../fixtures/server/configuration.ts'
import { app, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const credentials = { username: alice.username, password: alice.password }

test('UXC-07 after the sign-in the requested page is shown again with its query', async () => {
  const browser = newBrowser(latchkey.issuer)
  const login = await browser.follow('/account?x=1&y=a%20b')
  assert.match(login.target, /^\/login\?back=/)
  const refused = await browser.submit(login, { ...credentials, password: 'wrong' })
  assert.match(refused.target, /error=credentials/)
  const done = await browser.submit(refused, credentials)
  assert.equal(done.target, '/account?x=1&y=a+b')
})

test('UXC-07 WF-07 the page after the sign-in is always on this origin', async () => {
  for (const back of ['https://evil.test/account', '//evil.test', '/\\evil.test', '/connect/endsession']) {
    const browser = newBrowser(latchkey.issuer)
    const done = await browser.submit(await browser.follow(withQuery('/login', { back })), credentials)
    assert.equal(done.target, '/account', back)
    const forged = newBrowser(latchkey.issuer)
    const answer = await forged.post('/login', { ...credentials, back })
    assert.equal(answer.headers.location, '/account', back)
  }
})

test('the sign-in page says who is signed in and offers a different account', async () => {
  const browser = newBrowser(latchkey.issuer)
  await browser.submit(await browser.follow('/login'), credentials)
  const again = await browser.follow('/login')
  assert.ok(again.answer.text.includes(alice.name))
  assert.doesNotMatch(again.answer.text, /name="password"/)
  const other = await browser.submit(await browser.follow('/login?account=other'), bob)
  assert.ok(other.answer.text.includes(bob.name))
})

test('UXC-03 after a sign-in in one tab, the other tabs offer to continue with that account', async () => {
  const browser = newBrowser(latchkey.issuer)
  const open = (state: string) =>
    browser.follow(withQuery('/connect/authorize', codeRequest(app, newProof(), { state })))
  const [one, other] = [await open('one'), await open('other')]
  const first = await browser.submit(one, credentials)
  assert.equal(first.location?.searchParams.get('state'), 'one')

  const choice = await browser.follow(other.target)
  assert.match(choice.answer.text, new RegExp(`Continue as ${alice.name}`))
  assert.doesNotMatch(choice.answer.text, /name="password"/)
  const second = await browser.submit(choice, { user: alice.sub })
  assert.equal(second.location?.searchParams.get('state'), 'other')
})

test('UXC-03 a tab with prompt=login still requires a new sign-in', async () => {
  const browser = newBrowser(latchkey.issuer)
  await authorize(browser, codeRequest(app, newProof()))
  const asked = codeRequest(app, newProof(), { prompt: 'login' })
  const login = await browser.follow(withQuery('/connect/authorize', asked))
  assert.match((await browser.follow(login.target)).answer.text, /name="password"/)
})

test('UXC-03 the other tab also allows a different account', async () => {
  const browser = newBrowser(latchkey.issuer)
  const other = await browser.follow(withQuery('/connect/authorize', codeRequest(app, newProof())))
  await authorize(browser, codeRequest(app, newProof()))
  const login = await browser.submit(await browser.follow(other.target), { choice: 'other' })
  const reloaded = await browser.follow(login.target)
  assert.match(reloaded.answer.text, /name="password"/, 'still after a reload')
  const { username, password } = bob
  const wrong = await browser.submit(login, { username, password: 'wrong' })
  assert.match(wrong.answer.text, /name="password"/)
  assert.equal((await browser.submit(wrong, { username, password })).location?.origin, app)
})

test('UXC-03 the form of a step that has expired leads to the sign-in page of its app, which says so', async () => {
  const browser = newBrowser(latchkey.issuer)
  const login = await browser.follow(withQuery('/connect/authorize', codeRequest(app, newProof())))
  const pending = new URL(login.target, latchkey.issuer).searchParams.get('pending') ?? ''
  for (const path of ['/login/second-factor', '/login/second-factor/passkey', '/login/enroll']) {
    const answer = await browser.post(path, { partial: `prt_${'a'.repeat(43)}`, pending, code: '123456' })
    const page = await browser.follow(answer.headers.location ?? '')
    assert.match(page.target, /^\/login\?pending=[\w-]+&error=expired$/, path)
    assert.match(page.answer.text, /Sign in to Trusted Web App/)
    assert.match(page.answer.text, /role="alert"[^>]*>.*Your sign-in timed out/s)
    // An unknown name, so that no attempt of a user is counted
    const done = await browser.submit(page, { username: `unknown${path}`, password: 'wrong' })
    assert.match(done.target, /error=credentials/, 'the form works')
  }
})

test('UXC-04 a form of a completed request says so, and one of an unknown request has expired', async () => {
  const browser = newBrowser(latchkey.issuer)
  const parameters = codeRequest(app, newProof(), { client_id: 'web' })
  const login = await browser.follow(withQuery('/connect/authorize', parameters))
  const consent = await browser.submit(login, credentials)
  await browser.submit(consent, { decision: 'deny' })
  for (const [visit, fields] of [
    [login, credentials],
    [consent, { decision: 'allow' }],
  ] as const) {
    const again = await browser.submit(visit, fields)
    assert.equal(again.answer.status, 200)
    assert.match(again.answer.text, /You’re signed in.*Continue to Harbour/s)
  }
  const pending = `req_${'a'.repeat(43)}`
  for (const path of ['/login', '/consent', '/select-account']) {
    const answer = await browser.post(path, { ...credentials, pending })
    const page = await browser.follow(answer.headers.location ?? '')
    assert.equal(page.answer.status, 400)
    assert.doesNotMatch(page.answer.text, /Continue to/)
  }
})

test('canceling the sign-in redirects to the client with access_denied, once', async () => {
  const browser = newBrowser(latchkey.issuer)
  const login = await browser.follow(withQuery('/connect/authorize', codeRequest(app, newProof())))
  const pending = new URL(login.target, latchkey.issuer).searchParams.get('pending') ?? ''
  assert.match(login.answer.text, /action="\/login\/cancel"/)
  const answer = await browser.post('/login/cancel', { pending })
  const { origin, searchParams } = new URL(answer.headers.location ?? '')
  assert.deepEqual([answer.status, origin, searchParams.get('error')], [303, app, 'access_denied'])
  assert.equal((await browser.post('/login/cancel', { pending })).status, 400)
  const crossSite = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }
  assert.equal((await browser.post('/login/cancel', { pending }, crossSite)).status, 403)
})

test('the signed-out page says so only to a user who was signed in', async () => {
  const stranger = newBrowser(latchkey.issuer)
  for (const path of ['/logout/done', '/logout', '/connect/endsession']) {
    assert.doesNotMatch((await stranger.follow(path)).answer.text, /signed out/i, path)
  }
  const browser = newBrowser(latchkey.issuer)
  await authorize(browser, codeRequest(app, newProof()))
  assert.match((await browser.submit(await browser.follow('/logout'), {})).answer.text, /signed out/i)
})

test('on a loopback issuer the page after sign-out explains an ignored parameter', async () => {
  const browser = newBrowser(latchkey.issuer)
  await authorize(browser, codeRequest(app, newProof()))
  const shown = async (asked: Parameters) =>
    (await browser.follow(withQuery('/connect/endsession', asked))).answer.text
  const unregistered = { client_id: 'web', post_logout_redirect_uri: `${app}/not-registered` }
  assert.match(await shown(unregistered), /post_logout_redirect_uri was ignored: it doesn’t exactly match/)
  const ofNoClient = { post_logout_redirect_uri: `${app}/signed-out` }
  assert.match(await shown(ofNoClient), /neither id_token_hint nor client_id names a client/)
})

test('UXC-26 the well-known addresses of password managers and browsers exist', async () => {
  const change = await send(latchkey.issuer, '/.well-known/change-password')
  assert.deepEqual([change.status, change.headers.location], [303, '/account/password'])
  const icon = await send(latchkey.issuer, '/favicon.ico')
  assert.deepEqual([icon.status, icon.headers['content-type']], [200, 'image/x-icon'])
})

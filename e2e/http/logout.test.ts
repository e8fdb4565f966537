/** Tests sign-outs: requested by an app, confirmed by the user, and carried out by the server. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  authorize,
  codeRequest,
  newProof,
  obtainTokens,
  type Parameters,
  refresh,
} from '../fixtures/requests/code-flow.ts'
import { type HttpBrowser, newBrowser } from '../fixtures/requests/http-browser.ts'
import { bearer, send, withQuery } from '../fixtures/requests/http-client.ts'
import { alice, bob } from '../fixtures/server/configuration.ts'
import { app, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const away = `${app}/signed-out`
const endSession = (parameters: Parameters) => withQuery('/connect/endsession', parameters)
const signedIn = async () => {
  const browser = newBrowser(latchkey.issuer)
  const tokens = await obtainTokens(latchkey.issuer, app, { scope: 'openid profile' }, browser)
  return { browser, hint: tokens.id_token, accessToken: tokens.access_token }
}
const isSignedIn = async (browser: HttpBrowser) => (await browser.get('/account')).text.includes(alice.name)

describe('LO-01 LO-02 sign-out with a valid ID token hint', () => {
  test('LO-01 LO-02 a valid hint ends the session and redirects with only the state', async () => {
    const { browser, hint } = await signedIn()
    const state = 's'.repeat(128)
    let visit = await browser.follow(
      endSession({ id_token_hint: hint, post_logout_redirect_uri: away, state }),
    )
    if (visit.target.startsWith('/logout') && visit.location === null && (await isSignedIn(browser)))
      visit = await browser.submit(visit, {})
    const link =
      visit.location?.href ?? /href="(https:\/\/app\.example\.org[^"]*)"/.exec(visit.answer.text)?.[1]
    assert.equal(link, `${away}?state=${state}`)
    assert.equal(await isSignedIn(browser), false)
  })
  test('LO-02 the redirect after sign-out has no state if the request has none', async () => {
    const { browser, hint } = await signedIn()
    const visit = await browser.follow(endSession({ id_token_hint: hint, post_logout_redirect_uri: away }))
    const link =
      visit.location?.href ?? /href="(https:\/\/app\.example\.org[^"]*)"/.exec(visit.answer.text)?.[1]
    assert.equal(link, away)
  })
})

describe('LO-01 LO-03 sign-out without a valid hint asks first and happens by POST', () => {
  const cases: readonly (readonly [string, (hint: string) => Parameters])[] = [
    ['no parameters', () => ({})],
    ['only state', () => ({ state: 'x' })],
    ['only a post-logout redirect URI', () => ({ post_logout_redirect_uri: away })],
    ['client_id and address', () => ({ client_id: 'trusted', post_logout_redirect_uri: away })],
    ['garbage as hint', () => ({ id_token_hint: 'nonsense', post_logout_redirect_uri: away })],
    [
      'an altered hint',
      hint => ({ id_token_hint: `${hint.slice(0, -6)}AAAAAA`, post_logout_redirect_uri: away }),
    ],
    [
      'a hint of alg none',
      hint => ({
        id_token_hint: `eyJhbGciOiJub25lIn0.${hint.split('.')[1]}.`,
        post_logout_redirect_uri: away,
      }),
    ],
  ]
  for (const [name, parameters] of cases) {
    test(`LO-01 asks before signing out with ${name}`, async () => {
      const { browser, hint } = await signedIn()
      const asked = await browser.follow(endSession(parameters(hint)))
      assert.equal(asked.location, null, 'stays here')
      assert.equal(await isSignedIn(browser), true, 'and does nothing yet')
      if (asked.answer.status >= 400) return
      const done = await browser.submit(asked, {})
      assert.equal(await isSignedIn(browser), false)
      if (name !== 'client_id and address') assert.equal(done.location, null)
    })
  }
  test('LO-03 an image on another site does not sign out, even with a valid hint', async () => {
    const { browser, hint } = await signedIn()
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
    await browser.get(endSession({ id_token_hint: hint, post_logout_redirect_uri: away }), headers)
    assert.equal(await isSignedIn(browser), true)
  })
  test('LO-03 a prefetch does not sign out', async () => {
    const { browser, hint } = await signedIn()
    await browser.get(endSession({ id_token_hint: hint }), { 'sec-purpose': 'prefetch' })
    assert.equal(await isSignedIn(browser), true)
  })
})

describe('LO-02 an unregistered post-logout redirect URI is not used', () => {
  for (const address of [
    `${away}/`,
    `${away}?x=1`,
    `${away}#x`,
    'https://evil.test/',
    `${app}/callback`,
    'javascript:alert(1)',
    `${away}%00`,
    away.toUpperCase(),
  ]) {
    test(`LO-02 does not redirect to ${address}`, async () => {
      const { browser, hint } = await signedIn()
      const visit = await browser.follow(
        endSession({ id_token_hint: hint, post_logout_redirect_uri: address }),
      )
      assert.equal(visit.location, null)
      assert.ok(!visit.answer.text.includes(`href="${address}`))
      assert.match(visit.target, /^\/logout\?request=/)
      assert.match(visit.answer.text, /isn’t registered/)
      assert.equal(await isSignedIn(browser), true, 'D1: it asks first')
      const done = await browser.submit(visit, {})
      assert.match(done.answer.text, /isn’t registered/)
      assert.equal(await isSignedIn(browser), false)
    })
  }
  test('LO-02 id_token_hint and client_id must name the same client', async () => {
    const { browser, hint } = await signedIn()
    const visit = await browser.follow(
      endSession({ id_token_hint: hint, client_id: 'other', post_logout_redirect_uri: away }),
    )
    assert.equal(visit.location, null)
  })
  test('LO-01 a hint for a different user asks first', async () => {
    const other = newBrowser(latchkey.issuer)
    await authorize(other, codeRequest(app, newProof()), bob)
    const { hint } = await signedIn()
    const visit = await other.follow(endSession({ id_token_hint: hint, post_logout_redirect_uri: away }))
    assert.equal(visit.location, null)
    assert.ok((await other.get('/account')).text.includes(bob.name))
  })
})

test('SE-06 RT-08 sign-out revokes the tokens of the session, except with offline_access', async () => {
  const browser = newBrowser(latchkey.issuer)
  const bound = await obtainTokens(latchkey.issuer, app, { scope: 'openid profile' }, browser)
  const offline = await obtainTokens(latchkey.issuer, app, {}, browser)
  const session = browser.cookies.get('latchkey_session') ?? ''
  const asked = await browser.follow('/logout')
  await browser.submit(asked, {})
  const back = newBrowser(latchkey.issuer)
  back.cookies.set('latchkey_session', session)
  assert.equal(await isSignedIn(back), false, 'the old cookie is invalid')
  assert.equal(
    (await send(latchkey.issuer, '/connect/userinfo', { headers: bearer(bound.access_token) })).status,
    401,
  )
  assert.equal((await refresh(latchkey.issuer, offline.refresh_token)).status, 200)
})

test('LO-01 sign-out by POST with a valid hint ends the session', async () => {
  const { browser, hint } = await signedIn()
  const answer = await browser.post('/connect/endsession', {
    id_token_hint: hint,
    post_logout_redirect_uri: away,
  })
  assert.equal(answer.status, 303)
  const location = answer.headers.location ?? ''
  assert.match(location, /^\/connect\/endsession\?posted=[\w.%-]+$/)
  assert.ok(location.length < 1000, 'the ID token is not in the address')
  const visit = await browser.follow(location)
  assert.equal(visit.location?.href, away)
  assert.equal(await isSignedIn(browser), false)
})

describe('LO-01 a hint that is too long or not an ID token asks the user, by GET and by POST', () => {
  for (const hint of ['x'.repeat(20_000), 'e30.'.repeat(4000), '%25', 'a.b.c']) {
    test(`a hint of ${hint.length} characters: ${hint.slice(0, 8)}`, async () => {
      const { browser } = await signedIn()
      const form = { id_token_hint: hint, post_logout_redirect_uri: away, client_id: 'web', state: hint }
      const posted = await browser.post('/connect/endsession', form)
      for (const target of [endSession({ id_token_hint: hint }), posted.headers.location ?? '']) {
        const visit = await browser.follow(target)
        assert.equal(visit.answer.status, 200)
        assert.match(visit.target, /^\/logout\?request=/)
      }
      assert.equal(await isSignedIn(browser), true)
    })
  }
})

/**
 * Tests the account page: connected apps and sessions, how each is revoked, and the recent activity; and that pages of a signed-in
 * user have a way to sign out.
 */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  allowEverything,
  authorize,
  codeRequest,
  delivered,
  newProof,
  obtainCode,
  obtainTokens,
  redeem,
  refresh,
} from '../fixtures/requests/code-flow.ts'
import { attribute, type HttpBrowser, newBrowser } from '../fixtures/requests/http-browser.ts'
import { basic, bearer, send, withQuery } from '../fixtures/requests/http-client.ts'
import { alice, bob, clientSecret } from '../fixtures/server/configuration.ts'
import { app, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()

test('the account page redirects a visitor who is not signed in to the sign-in page', async () => {
  const visit = await newBrowser(latchkey.issuer).follow('/account')
  assert.match(visit.target, /^\/login/)
})

describe('CN-07 revoking the access of an app', () => {
  for (const clientId of ['web', 'reference']) {
    test(`CN-07 revoking ${clientId} immediately invalidates its tokens and unused codes`, async () => {
      const browser = newBrowser(latchkey.issuer)
      const changes = { client_id: clientId }
      const tokens = await obtainTokens(latchkey.issuer, app, changes, browser)
      const code = await obtainCode(latchkey.issuer, app, changes, browser)
      const page = await browser.get('/account')
      assert.ok(page.text.includes(clientId === 'web' ? 'Harbour Ledger' : 'Reference Tokens'))
      const answer = await browser.post('/account/apps/revoke', { client_id: clientId })
      assert.equal(answer.status, 303)
      assert.equal(
        (await send(latchkey.issuer, '/connect/userinfo', { headers: bearer(tokens.access_token) })).status,
        401,
      )
      assert.equal((await refresh(latchkey.issuer, tokens.refresh_token, {}, clientId)).status, 400)
      assert.equal((await redeem(latchkey.issuer, code)).status, 400, 'CD-14 the consent was withdrawn since')
      const form = { token: tokens.access_token }
      const seen = await send(latchkey.issuer, '/connect/introspect', {
        form,
        headers: basic(clientId, clientSecret),
      })
      assert.deepEqual(seen.json(), { active: false })
    })
  }
  test('CN-07 a user cannot revoke the access that another user gave', async () => {
    const tokens = await obtainTokens(latchkey.issuer, app)
    const other = newBrowser(latchkey.issuer)
    await authorize(other, codeRequest(app, newProof()), bob)
    await other.post('/account/apps/revoke', { client_id: 'trusted', subject: alice.sub })
    assert.equal(
      (await send(latchkey.issuer, '/connect/userinfo', { headers: bearer(tokens.access_token) })).status,
      200,
    )
  })
})

describe('CN-07 removing single permissions of an app', () => {
  const signedIn = async () => {
    const browser = newBrowser(latchkey.issuer)
    await authorize(browser, codeRequest(app, newProof()))
    const visit = await ask(browser, codeRequest(app, newProof()).scope ?? '', 'consent')
    await browser.submit(visit, [...allowEverything(visit), ['remember', 'on']])
    return browser
  }
  // Removes the consent, since other files on this server expect to be asked
  after(async () => (await signedIn()).post('/account/apps/revoke', { client_id: 'web' }))
  const ask = (browser: HttpBrowser, scope: string, prompt = '') => {
    const parameters = codeRequest(app, newProof(), { client_id: 'web', scope, prompt })
    return browser.follow(withQuery('/connect/authorize', parameters))
  }
  const optional = ['api', 'profile', 'offline_access']
  /** Sends the form of the page without the boxes that the user clears. */
  const remove = async (browser: HttpBrowser, clientId: string, ...cleared: readonly string[]) => {
    const kept = optional.filter(scope => !cleared.includes(scope)).map(scope => ['scope', scope] as const)
    const fixed = [['client_id', clientId] as const, ['shown', optional.join(' ')] as const]
    const answer = await browser.post('/account/apps/narrow', [...fixed, ...kept])
    return (await browser.get(answer.headers.location ?? '')).text
  }

  test('CN-07 the optional permissions of an app that asks are checked boxes, and the page states the effect before', async () => {
    const browser = await signedIn()
    await obtainTokens(latchkey.issuer, app, {}, browser)
    const { text } = await browser.get('/account')
    const forms = [...text.matchAll(/<form[^>]*action="\/account\/apps\/narrow"[\s\S]*?<\/form>/g)]
    assert.equal(forms.length, 1, 'the client without consent has no such form')
    const [[form = ''] = []] = forms
    assert.match(
      form,
      /<legend>Harbour Ledger may:<[\s\S]*ends immediately.*asked before the app gets it back/,
    )
    const boxes = [...form.matchAll(/<input[^>]*type="checkbox"[^>]*>/g)].map(([tag]) => tag)
    assert.deepEqual(boxes.map(tag => attribute(tag, 'value')).toSorted(), [
      'api',
      'offline_access',
      'profile',
    ])
    assert.ok(boxes.every(tag => / checked/.test(tag)))
    assert.match(form, /class="locked"[\s\S]*>Required</)
  })
  test('CN-07 tokens, refresh tokens and codes with the permission are invalid, and the user is asked before it is back', async () => {
    const browser = await signedIn()
    const wide = await obtainTokens(latchkey.issuer, app, { client_id: 'web' }, browser)
    const code = await obtainCode(latchkey.issuer, app, { client_id: 'web' }, browser)
    const without = { client_id: 'web', scope: 'openid profile offline_access' }
    const narrow = await obtainTokens(latchkey.issuer, app, without, browser)
    assert.match(
      await remove(browser, 'web', 'api'),
      /role="status"[^>]*><p>The app no longer has the permissions that you cleared\./,
    )
    const userinfo = (token: string) => send(latchkey.issuer, '/connect/userinfo', { headers: bearer(token) })
    assert.equal((await userinfo(wide.access_token)).status, 401)
    assert.equal((await refresh(latchkey.issuer, wide.refresh_token, {}, 'web')).status, 400)
    assert.equal((await redeem(latchkey.issuer, code)).status, 400)
    assert.equal((await userinfo(narrow.access_token)).status, 200)
    assert.equal((await refresh(latchkey.issuer, narrow.refresh_token, {}, 'web')).status, 200)
    assert.match(delivered(await ask(browser, 'openid profile')).get('code') ?? '', /^code_/)
    assert.match((await ask(browser, 'openid profile api')).target, /^\/consent/)
  })
  test('CN-05 CN-07 a required permission stays, and a form without a change is reported', async () => {
    const browser = await signedIn()
    for (const scopes of [['openid'], []])
      assert.match(
        await remove(browser, 'web', ...scopes),
        /role="status"[^>]*><p>Nothing was changed\. The app keeps its permissions\./,
      )
    assert.match(delivered(await ask(browser, 'openid profile api')).get('code') ?? '', /^code_/)
  })
  test('CN-07 a visitor who is not signed in is redirected, and the permissions of another user stay', async () => {
    const browser = await signedIn()
    const tokens = await obtainTokens(latchkey.issuer, app, { client_id: 'web' }, browser)
    const stranger = newBrowser(latchkey.issuer)
    const form = { client_id: 'web', shown: 'api' }
    assert.equal(
      (await stranger.post('/account/apps/narrow', form)).headers.location,
      '/login?error=signed_out',
    )
    await authorize(stranger, codeRequest(app, newProof()), bob)
    await stranger.post('/account/apps/narrow', form)
    assert.equal(
      (await send(latchkey.issuer, '/connect/userinfo', { headers: bearer(tokens.access_token) })).status,
      200,
    )
  })
})

describe('SE-07 sessions on the account page', () => {
  const twoDevices = async () => {
    const [first, second] = [newBrowser(latchkey.issuer), newBrowser(latchkey.issuer)]
    for (const browser of [first, second]) await authorize(browser, codeRequest(app, newProof()), bob)
    return { first, second }
  }
  test('SE-07 the account page lists all sessions of the user and ends any of them', async () => {
    const { first, second } = await twoDevices()
    const page = (await first.get('/account')).text
    const forms = [
      ...page.matchAll(/<form\b[^>]*action="\/account\/sessions\/end"[^>]*>[\s\S]*?<\/form>/g),
    ].map(match => match[0])
    assert.ok(forms.length >= 1)
    for (const form of forms) {
      const hidden = [...form.matchAll(/<(?:input|button)\b[^>]*name="[^"]*"[^>]*>/g)].map(match => match[0])
      await first.post(
        '/account/sessions/end',
        Object.fromEntries(hidden.map(tag => [attribute(tag, 'name'), attribute(tag, 'value')])),
      )
    }
    assert.equal(await isSignedIn(second), false)
  })
  test('SE-07 sessions of one kind of device fold into one row, and end together', async () => {
    const { first, second } = await twoDevices()
    const third = newBrowser(latchkey.issuer)
    await authorize(third, codeRequest(app, newProof()), bob)
    const page = (await first.get('/account')).text
    assert.match(page, />\d+ sessions</)
    const folded = [...page.matchAll(/<form\b[^>]*action="\/account\/sessions\/end"[^>]*>[\s\S]*?<\/form>/g)]
      .map(match => [...match[0].matchAll(/<input\b[^>]*>/g)].map(([tag]) => tag))
      .find(inputs => inputs.length > 2)
    assert.ok(folded)
    const pairs = folded.map(tag => [attribute(tag, 'name'), attribute(tag, 'value')] as const)
    const ended = await first.post('/account/sessions/end', pairs)
    assert.equal(ended.headers.location, '/account?done=ended_several')
    assert.deepEqual(
      [await isSignedIn(first), await isSignedIn(second), await isSignedIn(third)],
      [true, false, false],
    )
  })
  test('SE-07 a form of the account page changes nothing after another account has become current', async () => {
    const { first, second } = await twoDevices()
    for (const path of ['/account/sessions/end', '/account/apps/revoke', '/account/apps/narrow']) {
      const answer = await first.post(path, { user: alice.sub, client_id: 'web', all: 'others' })
      assert.deepEqual([answer.status, answer.headers.location], [303, '/account?done=another_account'], path)
    }
    assert.equal(await isSignedIn(second), true)
  })
  test('SE-01 the account page contains no session cookie value', async () => {
    const { first } = await twoDevices()
    assert.doesNotMatch((await first.get('/account')).text, /ses_[\w-]{43}/)
  })
})

test('LO-06 pages of a signed-in user have a way to sign out', async () => {
  const browser = newBrowser(latchkey.issuer)
  await authorize(browser, codeRequest(app, newProof()))
  const waiting = (prompt: string) =>
    browser.follow(withQuery('/connect/authorize', codeRequest(app, newProof(), { prompt })))
  const paths = ['/', '/account', '/login', '/login/passkey-offer']
  const ofAccount = ['password', 'profile', 'passkeys', 'authenticator', 'activity', 'data', 'delete']
  const pages = [
    ...(await Promise.all(
      [...paths, ...ofAccount.map(name => `/account/${name}`)].map(path => browser.get(path)),
    )),
    (await waiting('consent')).answer,
    (await waiting('login')).answer,
    (await waiting('select_account')).answer,
  ]
  for (const { status, text } of pages) {
    assert.equal(status, 200)
    assert.match(text, /<form[^>]* action="\/logout"/)
  }
  const stranger = newBrowser(latchkey.issuer)
  for (const path of ['/', '/login'])
    assert.doesNotMatch((await stranger.get(path)).text, /action="\/logout"/)
})

async function isSignedIn(browser: HttpBrowser): Promise<boolean> {
  return (await browser.get('/account')).text.includes(bob.name)
}

test('the account page names the account, and asks before it removes access or signs out other devices', async () => {
  const browser = newBrowser(latchkey.issuer)
  await authorize(browser, codeRequest(app, newProof()))
  await authorize(newBrowser(latchkey.issuer), codeRequest(app, newProof()))
  const { text } = await browser.get('/account')
  assert.match(text, /<dt>User name<\/dt><dd><bdi>alice</)
  assert.match(text, /<details class="confirmed"><summary[^>]*>Sign out everywhere else</)
  assert.doesNotMatch(text, /<\/summary><form/)
})

test('the account page shows when an app was last used, and the recent sign-ins', async () => {
  const browser = newBrowser(latchkey.issuer)
  await obtainTokens(latchkey.issuer, app, { client_id: 'web' }, browser)
  const { text } = await browser.get('/account')
  assert.match(text, /Harbour Ledger<\/h3>[\s\S]{0,400}Last used <time/)
  assert.match(text, /<h2 id="activity-title">Recent activity<[\s\S]*<h3>Signed in[ <]/)
})

test('after signing out everywhere else the account page says so', async () => {
  const browser = newBrowser(latchkey.issuer)
  await authorize(browser, codeRequest(app, newProof()))
  await authorize(newBrowser(latchkey.issuer), codeRequest(app, newProof()))
  const answer = await browser.post('/account/sessions/end', { all: 'others' })
  const { text } = await browser.get(answer.headers.location ?? '')
  assert.match(text, /role="status"[^>]*><p>You were signed out everywhere else\.</)
})

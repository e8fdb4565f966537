/** Tests several accounts that are signed in in one browser: the choice among them, hints of apps, sign-out, and the dashboard. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openAdmin } from '../fixtures/dashboard/administrator.ts'
import {
  codeRequest,
  delivered,
  newProof,
  obtainTokens,
  type Parameters,
} from '../fixtures/requests/code-flow.ts'
import { type HttpBrowser, newBrowser } from '../fixtures/requests/http-browser.ts'
import { send, withQuery } from '../fixtures/requests/http-client.ts'
import { alice, bob, dora, pagesConfiguration } from '../fixtures/server/configuration.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const latchkey = latchkeySuite({ configuration: pagesConfiguration })
const carol = { ...dora, name: dora.claims.name }
type User = Pick<typeof alice, 'username' | 'password' | 'name' | 'sub'>

const request = (changes: Parameters = {}) =>
  withQuery('/connect/authorize', codeRequest(app, newProof(), changes))
const endSession = (changes: Parameters) => withQuery('/connect/endsession', changes)

/** Signs a user in, as in another tab. The user becomes the current one. */
async function add(browser: HttpBrowser, user: User, remember = false): Promise<void> {
  const login = await browser.follow('/login?account=other')
  const { username, password } = user
  const typed = { username, password, ...(remember ? { remember: 'on' } : {}) }
  assert.equal((await browser.submit(login, typed)).target, '/account')
}

/** Returns a browser in which these users are signed in. The last one is the current one. */
async function browserOf(...users: readonly User[]): Promise<HttpBrowser> {
  const browser = newBrowser(latchkey.issuer)
  for (const user of users) await add(browser, user)
  return browser
}

const current = async (browser: HttpBrowser): Promise<string | null> => {
  const { text } = await browser.get('/account')
  return [alice, bob, carol].find(({ name }) => text.includes(`Signed in as ${name}`))?.name ?? null
}

/** Returns the names on the account choice, in their order. */
const listed = async (browser: HttpBrowser, target = '/select-account'): Promise<readonly string[]> => {
  const { answer } = await browser.follow(target)
  return [...answer.text.matchAll(/>Continue as ([^<]+)</g)].map(([, name]) => name ?? '')
}

/** Signs alice in, and returns an ID token as a hint. */
async function hintOfAlice(browser: HttpBrowser): Promise<string> {
  return (await obtainTokens(latchkey.issuer, app, { scope: 'openid profile' }, browser)).id_token
}

describe('S4 the account choice', () => {
  test('S4 lists everyone signed in in this browser, and switches without a password', async () => {
    const browser = await browserOf(alice, bob)
    assert.equal(await current(browser), bob.name)
    assert.deepEqual(await listed(browser), [bob.name, alice.name])
    const page = await browser.follow('/select-account')
    const switched = await browser.submit(page, { user: alice.sub })
    assert.equal(switched.target, '/account')
    assert.equal(await current(browser), alice.name)
    assert.deepEqual(await listed(browser), [alice.name, bob.name])
  })

  test('S4 a form that is sent twice switches once and loses no account', async () => {
    const browser = await browserOf(alice, bob)
    const before = new Map(browser.cookies)
    await browser.post('/select-account', { user: alice.sub })
    const late = newBrowser(latchkey.issuer)
    for (const [name, value] of before) late.cookies.set(name, value)
    await late.post('/select-account', { user: alice.sub })
    for (const each of [browser, late]) assert.deepEqual(await listed(each), [alice.name, bob.name])
  })

  test('AZ-16 S4 prompt=select_account continues as the chosen account, which becomes the current one', async () => {
    const browser = await browserOf(alice, bob)
    const visit = await browser.follow(request({ prompt: 'select_account' }))
    assert.match(visit.target, /^\/select-account\?pending=/)
    const done = await browser.submit(visit, { user: alice.sub })
    assert.match(delivered(done).get('code') ?? '', /^code_/)
    assert.equal(await current(browser), alice.name)
  })

  test('AZ-19 S4 login_hint puts its account first, and selects nothing by itself', async () => {
    const browser = await browserOf(alice, bob)
    const visit = await browser.follow(request({ login_hint: 'alice' }))
    assert.match(visit.answer.text, /Requested by Trusted Web App/)
    assert.doesNotMatch(visit.answer.text, /asked for/)
    assert.deepEqual(await listed(browser, visit.target), [alice.name, bob.name])
    assert.equal(await current(browser), bob.name)
    const silent = delivered(await browser.follow(request({ login_hint: 'alice', prompt: 'none' })))
    assert.equal(silent.get('error'), 'account_selection_required')
    assert.match(delivered(await browser.submit(visit, { user: alice.sub })).get('code') ?? '', /^code_/)
  })

  test('UXC-03 each tab continues as the account that was chosen in it, in any order', async () => {
    const browser = await browserOf(alice, bob)
    const open = () => browser.follow(request({ client_id: 'web', prompt: 'select_account consent' }))
    const [one, other] = [await open(), await open()]
    const first = await browser.submit(one, { user: alice.sub })
    const second = await browser.submit(other, { user: bob.sub })
    for (const [visit, { name }] of [
      [first, alice],
      [second, bob],
    ] as const) {
      const page = await browser.follow(visit.target)
      assert.match(page.answer.text, new RegExp(`Signed in as ${name}`))
      const done = await browser.submit(page, { decision: 'allow', scope: 'openid' })
      assert.match(delivered(done).get('code') ?? '', /^code_/)
    }
  })

  test('SE-01 an account that was signed out in the meantime leads to the sign-in page', async () => {
    const browser = await browserOf(alice, bob)
    const visit = await browser.follow(request({ prompt: 'select_account' }))
    await browser.post('/select-account', { end: alice.sub })
    const late = await browser.submit(visit, { user: alice.sub })
    assert.match(late.target, /^\/login\?pending=/)
    assert.match(late.answer.text, /name="password"/)
  })

  test('WF-04 no other site can switch the account', async () => {
    const browser = await browserOf(alice, bob)
    const foreign = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    assert.equal((await browser.post('/select-account', { user: alice.sub }, foreign)).status, 403)
    assert.equal(await current(browser), bob.name)
  })
})

describe('OIDC Core 3.1.2.1 id_token_hint', () => {
  test('AZ-16 prompt=none with the hint of another signed-in account succeeds for it, and leaves the current one', async () => {
    const browser = newBrowser(latchkey.issuer)
    const hint = await hintOfAlice(browser)
    await add(browser, bob)
    const proof = newProof()
    const done = await browser.follow(
      withQuery('/connect/authorize', codeRequest(app, proof, { prompt: 'none', id_token_hint: hint })),
    )
    assert.match(delivered(done).get('code') ?? '', /^code_/)
    assert.equal(await current(browser), bob.name)
  })

  test('AZ-16 prompt=none with the hint of an account that is not signed in returns login_required', async () => {
    const hint = await hintOfAlice(newBrowser(latchkey.issuer))
    const browser = await browserOf(carol, bob)
    const done = await browser.follow(request({ prompt: 'none', id_token_hint: hint }))
    assert.equal(delivered(done).get('error'), 'login_required')
  })

  test('AZ-16 a hint that was issued to another client selects no account', async () => {
    const browser = newBrowser(latchkey.issuer)
    const hint = await hintOfAlice(browser)
    await add(browser, bob)
    const asked = { client_id: 'web', prompt: 'none', scope: 'openid', id_token_hint: hint }
    assert.equal(delivered(await browser.follow(request(asked))).get('error'), 'login_required')
  })
})

describe('sign-out with several accounts', () => {
  test('LO-01 the hint of one account ends only its session', async () => {
    const browser = newBrowser(latchkey.issuer)
    const hint = await hintOfAlice(browser)
    await add(browser, bob)
    const gone = await browser.follow(endSession({ id_token_hint: hint }))
    assert.match(gone.answer.text, /You’re signed out/)
    assert.match(gone.answer.text, /Other accounts are still signed in/)
    assert.equal(await current(browser), bob.name)
    assert.deepEqual(await listed(browser), [bob.name])
  })

  test('LO-01 after the sign-out of the current account none is current until the user chooses', async () => {
    const browser = await browserOf(alice, bob)
    const gone = await browser.submit(await browser.follow('/logout'), {})
    assert.match(gone.answer.text, /Other accounts are still signed in/)
    assert.match(gone.answer.text, /href="\/select-account"/)
    const silent = delivered(await browser.follow(request({ prompt: 'none' })))
    assert.equal(silent.get('error'), 'login_required')
    const visit = await browser.follow(request())
    assert.match(visit.target, /^\/select-account\?pending=/)
    assert.match(delivered(await browser.submit(visit, { user: alice.sub })).get('code') ?? '', /^code_/)
    assert.equal(await current(browser), alice.name)
  })

  test('SE-06 all accounts of the browser sign out together', async () => {
    const browser = await browserOf(alice, bob)
    const before = new Map(browser.cookies)
    const page = await browser.follow('/logout')
    assert.match(page.answer.text, /These accounts stay signed in/)
    const gone = await browser.post('/logout', { accounts: 'all' })
    assert.equal(gone.headers.location, '/logout/done?ended=1')
    const thief = newBrowser(latchkey.issuer)
    for (const [name, value] of before) thief.cookies.set(name, value)
    assert.equal(await current(thief), null)
    assert.match((await thief.follow('/select-account')).target, /^\/login/)
  })

  test('the account choice signs out one account, and then the last one', async () => {
    const browser = await browserOf(alice, bob)
    const left = await browser.post('/select-account', { end: bob.sub })
    assert.equal(left.headers.location, '/select-account')
    assert.deepEqual(await listed(browser), [alice.name])
    const none = await browser.post('/select-account', { end: alice.sub })
    assert.equal(none.headers.location, '/logout/done?ended=1')
    assert.match((await browser.follow('/select-account')).target, /^\/login/)
  })

  test('a sign-out form of an account that is no longer signed in ends no other account', async () => {
    const browser = await browserOf(alice, bob)
    const page = await browser.follow('/logout')
    await browser.post('/select-account', { end: bob.sub })
    await browser.post('/select-account', { user: alice.sub })
    await browser.submit(page, {})
    assert.equal(await current(browser), alice.name)
  })
})

describe('the cookies of several accounts', () => {
  test('SE-03 SE-08 sessions that the browser remembers are in a cookie that lasts, the others are not', async () => {
    const browser = newBrowser(latchkey.issuer)
    await add(browser, alice, true)
    await add(browser, bob)
    await add(browser, carol)
    const kept = browser.cookies.get('latchkey_others_kept') ?? ''
    const passing = browser.cookies.get('latchkey_others') ?? ''
    assert.match(kept, /^ses_[\w-]{43}$/)
    assert.match(passing, /^ses_[\w-]{43}$/)
    // The browser is closed
    for (const name of ['latchkey_session', 'latchkey_others']) browser.cookies.delete(name)
    assert.deepEqual(await listed(browser), [alice.name])
  })

  test('SE-09 a malformed cookie with sessions is ignored', async () => {
    const browser = await browserOf(alice, bob)
    const others = browser.cookies.get('latchkey_others') ?? ''
    for (const value of [`${others}.x`, `${others}.`, 'x', Array(6).fill(others).join('.')]) {
      browser.cookies.set('latchkey_others', value)
      assert.deepEqual(await listed(browser), [bob.name], value)
    }
    browser.cookies.set('latchkey_others', others)
    browser.cookies.set('latchkey_others ', others)
    assert.deepEqual(await listed(browser), [bob.name, alice.name])
    const twice = `latchkey_session=${browser.cookies.get('latchkey_session')}; latchkey_others=${others}; latchkey_others=${others}`
    const { text } = await send(latchkey.issuer, '/select-account', { headers: { cookie: twice } })
    assert.doesNotMatch(text, new RegExp(alice.name))
  })

  test('SE-02 a user who signs in again keeps one session in this browser', async () => {
    const browser = await browserOf(alice, bob, alice)
    assert.deepEqual(await listed(browser), [alice.name, bob.name])
  })
})

test('a sign-in with a password is the way that was used last', async () => {
  const browser = await browserOf(alice)
  assert.equal(browser.cookies.get('latchkey_way'), 'password')
})

test('AD-09 the dashboard of one account is not open for another account of the browser', async () => {
  const { browser } = await openAdmin(latchkey.server, { who: alice })
  const inside = async () => (await browser.get('/admin')).status === 200
  assert.ok(await inside())
  const handle = browser.cookies.get('latchkey_admin') ?? ''
  await add(browser, bob)
  assert.equal(await inside(), false, 'after a sign-in as another user')
  await browser.post('/select-account', { user: alice.sub })
  assert.equal(browser.cookies.has('latchkey_admin'), false)
  browser.cookies.set('latchkey_admin', handle)
  assert.equal(await inside(), false, 'the switch ended the admin session')
})

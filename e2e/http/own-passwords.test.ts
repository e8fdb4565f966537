/** Tests temporary passwords, passwords that users choose, and sign-ins that failed attempts block. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Admin, Credentials } from '../fixtures/dashboard/administrator.ts'
import type { Api } from '../fixtures/dashboard/administrators-by-role.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import {
  authorize,
  codeRequest,
  delivered,
  newProof,
  obtainTokens,
  refresh,
} from '../fixtures/requests/code-flow.ts'
import { type HttpBrowser, newBrowser, type Visit } from '../fixtures/requests/http-browser.ts'
import { basic, send, withQuery } from '../fixtures/requests/http-client.ts'
import { createUser, withOwnPassword } from '../fixtures/requests/own-password.ts'
import { canary, clientSecret } from '../fixtures/server/configuration.ts'
import { app } from '../fixtures/server/suite.ts'

const own = `${canary} seven gray herons`
let api: Api
let owner: Admin
let made = 0
const latchkey = sharedStaff(({ apis, all }) => {
  api = apis.owner
  owner = all.owner
})

async function handedOut(): Promise<Credentials & { readonly sub: string }> {
  made += 1
  const answer = await api.call('POST', '/users', { body: { username: `hanna-${made}` } })
  const { sub, username, password } = answer.json()
  return { sub: String(sub), username: String(username), password: String(password) }
}

const request = (changes = {}) => withQuery('/connect/authorize', codeRequest(app, newProof(), changes))
const isSignedIn = async (browser: HttpBrowser) => (await browser.follow('/account')).target === '/account'

describe('AU-11 a temporary password only allows choosing a new password', () => {
  let who: Credentials & { readonly sub: string }
  let browser: HttpBrowser
  let asked: Visit
  before(async () => {
    who = await handedOut()
    browser = newBrowser(latchkey.issuer)
    asked = await authorize(browser, codeRequest(app, newProof()), who)
  })

  test('AU-11 signing in with a temporary password shows the page for a new one and creates no session', async () => {
    assert.match(asked.target, /^\/login\/new-password\?partial=prt_/)
    assert.ok(![...browser.cookies.keys()].some(name => name.endsWith('session')))
    assert.match(asked.answer.text, /autocomplete="new-password"/i, 'AU-12')
    assert.equal(await isSignedIn(browser), false)
  })

  test('AU-11 no other page treats the user as signed in', async () => {
    const partial = new URL(asked.target, latchkey.issuer).searchParams.get('partial') ?? ''
    const back = await browser.follow(`/login/return?partial=${partial}`)
    assert.match(back.target, /^\/login\/new-password/)
    const silent = await browser.get(request({ prompt: 'none' }))
    assert.equal(new URL(silent.headers.location ?? '').searchParams.get('error'), 'login_required')
    assert.match((await browser.follow('/admin')).target, /^\/login/)
    const other = await newBrowser(latchkey.issuer).follow(asked.target)
    assert.equal(other.answer.status, 400, 'in another browser it is nothing')
    assert.equal(await isSignedIn(browser), false)
  })

  test('TK-16 the password grant refuses a temporary password, and the request trace names the user', async () => {
    const { username, password, sub } = who
    const answer = await send(latchkey.issuer, '/connect/token', {
      form: { grant_type: 'password', username, password, scope: 'api' },
      headers: basic('password', clientSecret),
    })
    const { error, error_description: description } = answer.json()
    assert.deepEqual([answer.status, error], [400, 'invalid_grant'])
    assert.match(String(description), /^The password is temporary\./)
    const events = await api.call('GET', `/events?sub=${sub}&name=sign_in_failed`)
    assert.match(events.text, /password_change_required/)
  })

  test('AU-02 a rejected new password is explained, and a valid one completes the request', async () => {
    const again = await browser.submit(asked, { password: who.password, again: who.password })
    assert.match(again.answer.text, /role="alert"/)
    assert.ok(!again.answer.text.includes(who.password))
    const worse = await browser.submit(again, { password: 'qwerty', again: 'qwertz' })
    const [, alert = ''] = /role="alert"[^>]*>(.*?)<\/div>/s.exec(worse.answer.text) ?? []
    assert.deepEqual(
      [...alert.matchAll(/<a href="#(\w+)">(.*?)<\/a>/g)].map(([, field, sentence]) => [field, sentence]),
      [
        ['password', 'That password is too short. Use at least 15 characters.'],
        ['password', 'That password is too common and easy to guess. Choose a different one.'],
        ['again', 'The passwords don’t match. Enter them again.'],
      ],
      'all problems together',
    )
    const done = await browser.submit(worse, { password: own, again: own })
    assert.match(delivered(done).get('code') ?? '', /^code_/)
    const late = await browser.submit(asked, { password: own, again: own })
    assert.equal(late.location, null, 'it works once')
    assert.match(
      late.answer.text,
      /Continue to Trusted Web App/,
      'the form that was sent twice leads to the app',
    )
    assert.ok(!latchkey.server.output().includes(canary), 'LG-03')
  })

  test('AU-03 after the change only the new password works', async () => {
    const stranger = newBrowser(latchkey.issuer)
    assert.match((await authorize(stranger, codeRequest(app, newProof()), who)).target, /^\/login\?/)
    const fresh = await authorize(stranger, codeRequest(app, newProof()), { ...who, password: own })
    assert.match(delivered(fresh).get('code') ?? '', /^code_/)
  })
})

describe('AU-03 changing the password on the account page', () => {
  const changing = async () => {
    const who = await withOwnPassword(latchkey.issuer, await handedOut())
    const [here, there] = [newBrowser(latchkey.issuer), newBrowser(latchkey.issuer)]
    for (const browser of [here, there]) await authorize(browser, codeRequest(app, newProof()), who)
    const tokens = await obtainTokens(latchkey.issuer, app, {}, there)
    return { who, here, there, tokens }
  }

  test('SE-06 RT-08 changing the password keeps this session and ends all others', async () => {
    const { who, here, there, tokens } = await changing()
    const before = here.cookies.get('latchkey_session')
    const form = await here.follow('/account/password')
    const done = await here.submit(form, { current: who.password, password: own, again: own })
    assert.equal(done.target, '/account?done=password')
    assert.notEqual(here.cookies.get('latchkey_session'), before, 'SE-02')
    assert.deepEqual([await isSignedIn(here), await isSignedIn(there)], [true, false])
    assert.equal((await refresh(latchkey.issuer, tokens.refresh_token)).status, 400)
  })

  test('AU-03 changing the password requires the current one, with limited attempts', async () => {
    const { who, here, there } = await changing()
    const form = await here.follow('/account/password')
    const texts: string[] = []
    for (let tried = 0; tried < 11; tried += 1) {
      const answer = await here.submit(form, { current: `wrong ${tried}`, password: own, again: own })
      texts.push(answer.target)
    }
    assert.equal(texts[0], '/account/password?error=wrong')
    assert.match(texts.at(-1) ?? '', /error=limited&wait=\d+/)
    const right = await here.submit(form, { current: who.password, password: own, again: own })
    assert.match(right.target, /error=limited/)
    assert.ok(await isSignedIn(there))
  })

  test('the script that shows which rules are met has at most 2 KB, and only forms for a new password load it', async () => {
    const who = await withOwnPassword(latchkey.issuer, await handedOut())
    const browser = newBrowser(latchkey.issuer)
    await authorize(browser, codeRequest(app, newProof()), who)
    const { text } = (await browser.follow('/account/password')).answer
    const [path = ''] = /\/assets\/new-password-[0-9a-f]{12}\.js/.exec(text) ?? []
    const script = await send(latchkey.issuer, path)
    assert.equal(script.status, 200)
    assert.match(String(script.headers['cache-control']), /immutable/)
    assert.ok(script.text.length > 500 && gzipSync(script.text).length <= 2048, `${script.text.length}`)
    for (const other of ['/account', '/login'])
      assert.doesNotMatch((await browser.follow(other)).answer.text, /new-password-/, other)
  })

  test('AU-03 the form to change the password requires a session', async () => {
    const visit = await newBrowser(latchkey.issuer).follow('/account/password')
    assert.equal(visit.target, '/login?back=%2Faccount%2Fpassword')
  })
})

describe('failed attempts block the sign-in of a user', () => {
  const signIn = ({ username, password }: Credentials) =>
    send(latchkey.issuer, '/connect/token', {
      form: { grant_type: 'password', username, password, scope: 'api' },
      headers: basic('password', clientSecret),
    })
  async function blockedUser(username: string) {
    const who = await createUser(latchkey.issuer, api, username)
    for (let attempts = 0; attempts < 5; attempts += 1) await signIn({ ...who, password: 'wrong' })
    assert.equal((await signIn(who)).status, 429)
    return who
  }

  test('the list and the page of users show the block, and an admin ends it', async () => {
    const who = await blockedUser('blocked-bea')
    const page = `/admin/users/${who.sub}`
    for (const path of ['/admin/users?q=blocked-bea', page])
      assert.match((await owner.get(path)).text, /Sign-in blocked/, path)
    assert.match((await owner.get(page)).text, /Blocked until <time [^>]*dateTime="/)
    const { answer } = await owner.submit('users.allow_sign_in', { sub: who.sub }, page)
    assert.doesNotMatch(answer.text, /Sign-in blocked/)
    assert.equal((await signIn(who)).status, 200)
  })

  test('a new temporary password ends the block', async () => {
    const who = await blockedUser('blocked-ben')
    const reset = await api.call('POST', `/users/${who.sub}/password`)
    const answer = await signIn({ ...who, password: String(reset.json().password) })
    assert.match(String(answer.json().error_description), /^The password is temporary\./)
  })
})

/** Tests two-step sign-in over HTTP, without script: the set-up, the sign-in with a code, and trusted browsers. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Api } from '../fixtures/dashboard/administrators-by-role.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import {
  codesOf,
  createTwoStepUser,
  recoveryCodesIn,
  type TwoStepUser,
} from '../fixtures/requests/authenticator.ts'
import {
  authorize,
  codeRequest,
  delivered,
  newProof,
  type Proof,
  redeem,
} from '../fixtures/requests/code-flow.ts'
import { type HttpBrowser, newBrowser, readForm, type Visit } from '../fixtures/requests/http-browser.ts'
import { basic, send } from '../fixtures/requests/http-client.ts'
import { decode } from '../fixtures/requests/jwt.ts'
import { createUser } from '../fixtures/requests/own-password.ts'
import { clientSecret } from '../fixtures/server/configuration.ts'
import { forgetFactors, forgetUsedCodes } from '../fixtures/server/stored-rows.ts'
import { app } from '../fixtures/server/suite.ts'

let api: Api
let made = 0
const latchkey = sharedStaff(({ apis }) => {
  api = apis.owner
})

async function twoStepUser(): Promise<TwoStepUser> {
  made += 1
  return createTwoStepUser(latchkey.server, api, `two-step-${made}`)
}

const secondFactor = /^\/login\/second-factor\?partial=prt_/
const isSignedIn = async (browser: HttpBrowser) => (await browser.follow('/account')).target === '/account'

describe('MF-01 the whole code flow with a second factor, without script', () => {
  let who: TwoStepUser
  before(async () => {
    who = await twoStepUser()
  })

  const tokensOf = async (visit: Visit, proof: Proof) => {
    const code = delivered(visit).get('code') ?? ''
    const redirectUri = `${app}/callback`
    const answer = await redeem(latchkey.issuer, { code, proof, clientId: 'trusted', redirectUri })
    return decode(String(answer.json().id_token)).payload
  }

  test('MF-01 a wrong code is explained, and a right one with spaces leads to the app', async () => {
    const browser = newBrowser(latchkey.issuer)
    const proof = newProof()
    const asked = await authorize(browser, codeRequest(app, proof), who.user)
    assert.match(asked.target, secondFactor)
    const [input = ''] = /<input[^>]*name="code"[^>]*>/.exec(asked.answer.text) ?? []
    assert.match(input, /inputMode="numeric"/i)
    assert.match(input, /autoComplete="one-time-code"/i)
    assert.match(asked.answer.text, /Trusted Web App/, 'the page names the app')
    const wrong = await browser.submit(asked, { code: '000 000' })
    assert.match(wrong.answer.text, /role="alert"/)
    const code = who.code()
    const done = await browser.submit(wrong, { code: ` ${code.slice(0, 3)} ${code.slice(3)}` })
    const claims = await tokensOf(done, proof)
    assert.deepEqual(claims.amr, ['pwd', 'otp', 'mfa'])
    assert.equal(claims.acr, 'urn:latchkey:mfa')
    const late = await browser.submit(asked, { code })
    assert.match(
      late.answer.text,
      /Continue to Trusted Web App/,
      'a form that was sent twice leads to the app',
    )
  })

  test('MF-02 a recovery code leads to the app, once', async () => {
    const browser = newBrowser(latchkey.issuer)
    const proof = newProof()
    const asked = await authorize(browser, codeRequest(app, proof), who.user)
    const [, link = ''] = /href="([^"]*\/recovery-code\?[^"]*)"/.exec(asked.answer.text) ?? []
    const page = await browser.follow(link.replaceAll('&amp;', '&'))
    const code = who.recoveryCodes[0]?.toLowerCase().replaceAll('-', ' ') ?? ''
    const claims = await tokensOf(await browser.submit(page, { code }), proof)
    assert.deepEqual(claims.amr, ['pwd', 'otp', 'mfa'])
    const other = newBrowser(latchkey.issuer)
    const again = await authorize(other, codeRequest(app, newProof()), who.user)
    const refused = await other.post('/login/second-factor/recovery-code', {
      partial: new URL(again.target, latchkey.issuer).searchParams.get('partial') ?? '',
      code,
    })
    assert.match(refused.headers.location ?? '', /error=wrong/)
    assert.equal(await isSignedIn(other), false)
    assert.match((await who.browser.follow('/account')).answer.text, /9 codes are left/)
  })

  test('TK-16 the password grant refuses a user with an authenticator app', async () => {
    const { username, password, sub } = who.user
    const answer = await send(latchkey.issuer, '/connect/token', {
      form: { grant_type: 'password', username, password, scope: 'api' },
      headers: basic('password', clientSecret),
    })
    const { error, error_description: description } = answer.json()
    assert.deepEqual([answer.status, error], [400, 'invalid_grant'])
    assert.match(String(description), /two-step sign-in/)
    const events = await api.call('GET', `/events?sub=${sub}&name=sign_in_failed`)
    assert.match(events.text, /second_factor_required/)
  })
})

test('MF-01 of a hundred requests with the same code one gets a session', async () => {
  const who = await twoStepUser()
  const browser = newBrowser(latchkey.issuer)
  const asked = await browser.submit(await browser.follow('/login'), who.user)
  const partial = new URL(asked.target, latchkey.issuer).searchParams.get('partial') ?? ''
  const code = who.code()
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => browser.post('/login/second-factor', { partial, code })),
  )
  const sessions = answers
    .flatMap(({ cookies }) => cookies)
    .filter(line => line.includes('latchkey_session='))
  assert.equal(sessions.length, 1)
})

describe('a trusted browser', () => {
  test('MF-06 a trusted browser is not asked again, is listed, and is asked again after the trust was ended', async () => {
    const who = await twoStepUser()
    const browser = newBrowser(latchkey.issuer)
    const asked = await browser.submit(await browser.follow('/login'), who.user)
    const done = await browser.submit(asked, { code: who.code(), trust: 'on' })
    assert.equal(done.target, '/account')
    assert.match(done.answer.text, /Browsers that don’t ask for a code/)
    await browser.post('/logout', {})
    const proof = newProof()
    const again = await authorize(browser, codeRequest(app, proof), who.user)
    assert.match(delivered(again).get('code') ?? '', /^code_/)
    const strict = codeRequest(app, newProof(), { acr_values: 'urn:latchkey:mfa' })
    assert.match((await authorize(browser, strict, who.user)).target, /^\/login/, 'a trust is not a factor')
    const ended = await browser.post('/account/trusted-browsers/end', { all: 'browsers' })
    assert.equal(ended.headers.location, '/account?done=trust_ended')
    await browser.post('/logout', {})
    assert.match((await browser.submit(await browser.follow('/login'), who.user)).target, secondFactor)
  })

  test('the cookie of a trusted browser is one of this host only, not readable by script', async () => {
    const who = await twoStepUser()
    const browser = newBrowser(latchkey.issuer)
    const asked = await browser.submit(await browser.follow('/login'), who.user)
    const partial = new URL(asked.target, latchkey.issuer).searchParams.get('partial') ?? ''
    const answer = await browser.post('/login/second-factor', { partial, code: who.code(), trust: 'on' })
    const line = answer.cookies.find(cookie => cookie.includes('latchkey_trusted='))
    assert.match(
      line ?? '',
      /latchkey_trusted=trb_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; .*Max-Age=2592000/,
    )
  })
})

describe('S15 the set-up on the account page', () => {
  test('MF-02 of several posts of the form one makes recovery codes, and the others lead to a page that says so', async () => {
    made += 1
    const user = await createUser(latchkey.issuer, api, `set-up-${made}`)
    const browser = newBrowser(latchkey.issuer)
    await browser.submit(await browser.follow('/login'), user)
    const page = await browser.follow('/account/authenticator')
    const code = codesOf(page)()
    const early = await browser.follow('/account/authenticator?done=already')
    assert.equal(early.target, '/account/authenticator', 'nothing is set up yet')
    const posts = Array.from({ length: 10 }, () => browser.post('/account/authenticator', { code }))
    const places = (await Promise.all(posts)).map(({ headers }) => headers.location)
    const already = '/account/authenticator?done=already'
    assert.deepEqual(places.toSorted(), [...Array(9).fill(already), '/account/recovery-codes'])
    const late = await browser.submit(page, { code })
    assert.equal(late.target, already, 'a form that was kept open')
    assert.match(late.answer.text, /already set up/)
    const shown = recoveryCodesIn(await browser.follow('/account/recovery-codes'))
    assert.equal(shown.length, 10)
    const other = newBrowser(latchkey.issuer)
    const asked = await other.submit(await other.follow('/login'), user)
    const partial = new URL(asked.target, latchkey.issuer).searchParams.get('partial') ?? ''
    await other.post('/login/second-factor/recovery-code', { partial, code: shown[0] ?? '' })
    assert.equal(await isSignedIn(other), true, 'the codes that were shown work')
  })

  test('MF-02 UXC-04 of several posts of the form for new recovery codes one replaces them, and its codes are shown and work', async () => {
    const { user, code } = await twoStepUser()
    const browser = newBrowser(latchkey.issuer)
    const asked = await browser.submit(await browser.follow('/login'), user)
    await browser.submit(asked, { code: code() })
    const { hidden } = readForm((await browser.follow('/account/recovery-codes')).answer.text)
    const posts = Array.from({ length: 10 }, () => browser.post('/account/recovery-codes', hidden))
    const places = (await Promise.all(posts)).map(({ headers }) => headers.location)
    const already = '/account/recovery-codes?done=already'
    assert.deepEqual(places.toSorted(), ['/account/recovery-codes', ...Array(9).fill(already)])
    const shown = recoveryCodesIn(await browser.follow(already))
    assert.equal(shown.length, 10)
    const other = newBrowser(latchkey.issuer)
    const next = await other.submit(await other.follow('/login'), user)
    const partial = new URL(next.target, latchkey.issuer).searchParams.get('partial') ?? ''
    await other.post('/login/second-factor/recovery-code', { partial, code: shown[0] ?? '' })
    assert.equal(await isSignedIn(other), true)
    await browser.post('/account/recovery-codes/saved', {})
    const late = await browser.follow(already)
    assert.match(late.answer.text, /New recovery codes were already made/)
    assert.match((await browser.submit(late, {})).answer.text, /Save your recovery codes/)
  })

  test('a wrong code keeps the key, and the app is stored only after a right one', async () => {
    made += 1
    const user = await createUser(latchkey.issuer, api, `set-up-${made}`)
    const browser = newBrowser(latchkey.issuer)
    await browser.submit(await browser.follow('/login'), user)
    const page = await browser.follow('/account/authenticator')
    const wrong = await browser.submit(page, { code: '000000' })
    assert.equal(wrong.target, '/account/authenticator?error=wrong')
    assert.equal(codesOf(wrong)(), codesOf(page)())
    const other = newBrowser(latchkey.issuer)
    assert.equal((await other.submit(await other.follow('/login'), user)).target, '/account')
    const done = await browser.submit(wrong, { code: codesOf(page)() })
    assert.equal(done.target, '/account/recovery-codes')
    const reload = await browser.follow('/account/recovery-codes')
    assert.deepEqual(recoveryCodesIn(reload), recoveryCodesIn(done))
    const file = await browser.get('/account/recovery-codes/download')
    assert.match(file.headers['content-disposition'] ?? '', /^attachment/)
    for (const code of recoveryCodesIn(done)) assert.ok(file.text.includes(code))
    await browser.post('/account/recovery-codes/saved', {})
    assert.deepEqual(recoveryCodesIn(await browser.follow('/account/recovery-codes')), [])
    // Reading the events waits until all are stored
    const events = await api.call('GET', `/events?sub=${user.sub}&name=second_factor_changed`)
    assert.match(events.text, /set up an authenticator app/)
    assert.match((await browser.follow('/account')).answer.text, /Authenticator app set up/)
  })

  test('MF-04 AU-15 every change needs a fresh sign-in with a code, also in a trusted browser', async () => {
    const { user, code, recoveryCodes } = await twoStepUser()
    const browser = newBrowser(latchkey.issuer)
    const asked = await browser.submit(await browser.follow('/login'), user)
    await browser.submit(asked, { code: code(), trust: 'on' })
    await forgetFactors(latchkey.server, user.sub)
    for (const path of [
      '/account/authenticator',
      '/account/authenticator/remove',
      '/account/recovery-codes',
      '/account/email',
      '/account/password',
      '/account/passkeys/add',
      '/account/data',
      '/account/delete',
    ]) {
      assert.match((await browser.follow(path)).target, /^\/login\/confirm\?/, path)
      const entered = { code: '123456', email: 'thief@example.com', username: user.username }
      const answer = await browser.post(path, entered)
      assert.match(answer.headers.location ?? '', /^\/login\/confirm\?/, path)
    }
    const confirm = await browser.follow('/account/authenticator/remove')
    const second = await browser.submit(confirm, { password: user.password })
    assert.match(second.target, secondFactor, 'a trusted browser does not skip the factor')
    assert.doesNotMatch(second.answer.text, /name="trust"/)
    await forgetUsedCodes(latchkey.server, user.sub)
    const page = await browser.submit(second, { code: code() })
    assert.equal(page.target, '/account/authenticator/remove')
    assert.equal((await browser.submit(page, {})).target, '/account?done=authenticator_removed')
    const next = newBrowser(latchkey.issuer)
    assert.equal((await next.submit(await next.follow('/login'), user)).target, '/account')
    assert.equal(recoveryCodes.length, 10)
  })

  test('UXC-03 a form that was shown for one account changes no other account of the browser', async () => {
    const [first, second] = [await twoStepUser(), await twoStepUser()]
    const browser = newBrowser(latchkey.issuer)
    const opened = await browser.submit(await browser.follow('/login'), first.user)
    await browser.submit(opened, { code: first.code() })
    const removal = await browser.follow('/account/authenticator/remove')
    const newCodes = await browser.follow('/account/recovery-codes')
    const asked = await browser.submit(await browser.follow('/login?account=other'), second.user)
    const account = await browser.submit(asked, { code: second.code(), trust: 'on' })
    for (const page of [removal, newCodes])
      assert.equal((await browser.submit(page, {})).target, '/account?done=another_account')
    await browser.post('/account/trusted-browsers/end', { user: first.user.sub, all: 'browsers' })
    const { text } = (await browser.follow('/account')).answer
    assert.equal(account.target, '/account')
    assert.match(text, /10 codes are left/)
    assert.match(text, /Browsers that don’t ask for a code/)
  })

  test('no secret and no code is in the log', async () => {
    const { recoveryCodes, code } = await twoStepUser()
    const output = latchkey.server.output()
    for (const secret of [...recoveryCodes, code()]) assert.ok(!output.includes(secret))
  })
})

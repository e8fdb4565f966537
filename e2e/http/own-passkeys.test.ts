/** Tests the pages of the user's own passkeys, without a browser that has any. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createAuthenticator } from '#lib/identity/passkeys/testing/authenticator.ts'
import type { Api, Member } from '../fixtures/dashboard/administrators-by-role.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { codeRequest, delivered, newProof } from '../fixtures/requests/code-flow.ts'
import { type HttpBrowser, newBrowser } from '../fixtures/requests/http-browser.ts'
import { send, withQuery } from '../fixtures/requests/http-client.ts'
import { createUser } from '../fixtures/requests/own-password.ts'
import { forgetFactors, onTablesOf, storePasskey } from '../fixtures/server/stored-rows.ts'
import { app } from '../fixtures/server/suite.ts'

let api: Api
let made = 0
const latchkey = sharedStaff(({ apis }) => {
  api = apis.owner
})

async function signedIn(): Promise<{ readonly browser: HttpBrowser; readonly user: Member }> {
  made += 1
  const user = await createUser(latchkey.issuer, api, `passkeys-${made}`)
  const browser = newBrowser(latchkey.issuer)
  await browser.submit(await browser.follow('/login'), user)
  return { browser, user }
}

const passkeysOf = ({ sub }: Member) =>
  onTablesOf(latchkey.server, tables => tables.passkey.findMany({ where: { subject: sub } }))

async function withPasskey() {
  const found = await signedIn()
  const authenticator = createAuthenticator({ origin: latchkey.issuer })
  await storePasskey(latchkey.server, { subject: found.user.sub, authenticator })
  const [passkey] = await passkeysOf(found.user)
  return { ...found, id: passkey?.id ?? '' }
}

describe('MF-04 passkeys are changed after a fresh sign-in', () => {
  let browser: HttpBrowser
  let user: Member
  let id: string
  before(async () => {
    ;({ browser, user, id } = await withPasskey())
  })

  test('MF-04 the password does not confirm the removal of a passkey', async () => {
    const answer = await browser.post('/account/passkeys/remove', { id })
    assert.equal(answer.headers.location, '/login/confirm?back=%2Faccount%2Fpasskeys')
    const page = await browser.follow('/login/confirm?back=%2Faccount%2Fpasskeys')
    assert.doesNotMatch(page.answer.text, /name="password"/)
    assert.match(page.answer.text, /allow JavaScript/)
    const { username, password } = user
    const form = { back: '/account/passkeys', username, password }
    await browser.post('/login/confirm', form)
    const again = await browser.post('/account/passkeys/remove', { id })
    assert.match(again.headers.location ?? '', /^\/login\/confirm/)
    assert.equal((await passkeysOf(user)).length, 1)
  })

  test('MF-04 no challenge for a new passkey is made without a fresh sign-in', async () => {
    for (const path of ['/account/passkeys/add/options', '/login/passkey-offer/options'])
      assert.equal((await browser.post(path, {})).status, 404, path)
    const stranger = newBrowser(latchkey.issuer)
    for (const path of ['/account/passkeys/add/options', '/login/confirm/passkey/options'])
      assert.equal((await stranger.post(path, {})).status, 404, path)
  })

  test('a passkey is renamed without a fresh sign-in, and its name is plain text', async () => {
    const name = '<b>My key</b>'
    const answer = await browser.post('/account/passkeys/rename', { id, name })
    assert.equal(answer.headers.location, '/account/passkeys?done=renamed')
    const page = await browser.get('/account/passkeys')
    assert.match(page.text, /&lt;b&gt;My key/)
    assert.ok(!page.text.includes(name))
  })

  test('the credential manager of a passkey is shown, also after the user has renamed it', async () => {
    const data = { aaguid: 'd548826e-79b4-db40-a3d8-11116f7e8349' }
    await onTablesOf(latchkey.server, tables => tables.passkey.update({ where: { id }, data }))
    await browser.post('/account/passkeys/rename', { id, name: 'Left pocket' })
    for (const path of ['/account', '/account/passkeys']) {
      const { text } = await browser.get(path)
      assert.match(text, /<h3>Left pocket<\/h3>(?:(?!<\/li>)[\s\S])*Bitwarden/, path)
    }
  })
})

test('WF-04 the options are made only for pages of this server', async () => {
  const { browser } = await signedIn()
  const headers = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
  assert.equal((await browser.post('/account/passkeys/add/options', {}, headers)).status, 403)
})

test('MF-05 a new passkey with a wrong response is refused, and the page says so', async () => {
  const { browser, user } = await signedIn()
  const begun = await browser.post('/account/passkeys/add/options', {})
  const form = { ceremony: String(begun.json().ceremony), response: '{}' }
  const answer = await browser.post('/account/passkeys/add', form)
  assert.equal(answer.headers.location, '/account/passkeys/add?error=failed')
  assert.match((await browser.get('/account/passkeys/add?error=failed')).text, /role="alert"/)
  assert.deepEqual(await passkeysOf(user), [])
})

test('a browser that reports passkeys is offered one, once, and the app gets its code from every answer', async () => {
  made += 1
  const user = await createUser(latchkey.issuer, api, `offered-${made}`)
  const asked = async (browser: HttpBrowser) => {
    const page = await browser.follow(withQuery('/connect/authorize', codeRequest(app, newProof())))
    const pending = new URL(page.target, latchkey.issuer).searchParams.get('pending') ?? ''
    const { username, password } = user
    const answer = await browser.post('/login', { username, password, pending, passkeys: 'yes' })
    return browser.follow(answer.headers.location ?? '')
  }
  const browser = newBrowser(latchkey.issuer)
  const offered = await asked(browser)
  assert.match(offered.target, /^\/login\/passkey-offer\?pending=req_/)
  const [, next = ''] = /href="([^"]*resume[^"]*)"/.exec(offered.answer.text) ?? []
  assert.match(delivered(await browser.follow(next)).get('code') ?? '', /^code_/)
  const later = newBrowser(latchkey.issuer)
  assert.match(delivered(await asked(later)).get('code') ?? '', /^code_/)
  const late = await later.follow(offered.target)
  assert.equal(late.location, null, 'the page of another browser leads to its own answer')
})

test('the page of the offer leads visitors, and users whose sign-in is old, to where they continue', async () => {
  const visitor = newBrowser(latchkey.issuer)
  const path = '/login/passkey-offer?back=%2Faccount%2Fpassword'
  assert.equal((await visitor.get(path)).headers.location, '/account/password')
  const { browser, user } = await signedIn()
  assert.match((await browser.get(path)).text, /href="\/account\/password"/)
  await forgetFactors(latchkey.server, user.sub)
  assert.equal((await browser.get(path)).headers.location, '/account/password')
  const answer = await browser.post('/login/passkey-offer', { answer: 'never', back: '/account' })
  assert.equal(answer.headers.location, '/account')
})

test('the addresses for credential managers lead to pages of this server', async () => {
  const answer = await send(latchkey.issuer, '/.well-known/passkey-endpoints')
  assert.deepEqual(answer.json(), {
    enroll: `${latchkey.issuer}/account/passkeys/add`,
    manage: `${latchkey.issuer}/account/passkeys`,
  })
})

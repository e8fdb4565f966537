/** Tests the page where a signed-in user confirms the identity before a sensitive change. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Api } from '../fixtures/dashboard/administrators-by-role.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { createUser } from '../fixtures/requests/own-password.ts'
import { alice } from '../fixtures/server/configuration.ts'
import { forgetFactors } from '../fixtures/server/stored-rows.ts'

let api: Api
let made = 0
const latchkey = sharedStaff(({ apis }) => {
  api = apis.owner
})

const page = '/login/confirm?back=%2Faccount%2Fpassword'

async function staleBrowser() {
  made += 1
  const user = await createUser(latchkey.issuer, api, `confirms-${made}`)
  const browser = newBrowser(latchkey.issuer)
  await browser.submit(await browser.follow('/login'), user)
  await forgetFactors(latchkey.server, user.sub)
  return { browser, user }
}

test('MF-04 the user name is fixed, another account is not offered, and the user returns to the page', async () => {
  const { browser, user } = await staleBrowser()
  const session = () => [...browser.cookies].find(([name]) => name.endsWith('_session'))?.[1]
  const before = session()
  const shown = await browser.follow(page)
  const [field = ''] = /<input[^>]*name="username"[^>]*>/.exec(shown.answer.text) ?? []
  assert.match(field, /readOnly=""/i)
  assert.ok(field.includes(`value="${user.username}"`))
  assert.doesNotMatch(shown.answer.text, /account=other/)
  const wrong = await browser.submit(shown, { password: 'not this one' })
  assert.match(wrong.target, /^\/login\/confirm\?/)
  assert.match(wrong.answer.text, /role="alert"/)
  assert.equal(session(), before)
  const done = await browser.submit(wrong, { password: user.password })
  assert.equal(done.target, '/account/password')
  assert.notEqual(session(), before)
  assert.equal(
    (await browser.follow(page)).target,
    '/account/password',
    'a fresh sign-in is not asked for again',
  )
})

test('MF-04 another user who is named in the form does not confirm', async () => {
  const { browser, user } = await staleBrowser()
  const { username, password } = alice
  const form = { back: '/account/password', username, password }
  const answer = await browser.post('/login/confirm', form)
  assert.match(answer.headers.location ?? '', /^\/login\/confirm\?.*error=credentials/)
  assert.match((await browser.follow('/account')).answer.text, new RegExp(user.username))
})

test('MF-04 WF-07 a visitor who is not signed in gets the sign-in page, and no other site is returned to', async () => {
  const visitor = newBrowser(latchkey.issuer)
  assert.match((await visitor.follow(page)).target, /^\/login\?back=%2Faccount%2Fpassword/)
  const { browser } = await staleBrowser()
  const shown = await browser.get('/login/confirm?back=https%3A%2F%2Fevil.test')
  assert.match(shown.text, /name="back" value="\/account"/)
})

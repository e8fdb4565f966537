/** Tests consent: nothing is granted without it or beyond it, and a refusal grants nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allowEverything,
  authorize,
  codeRequest,
  delivered,
  newProof,
  openConsent,
  type Parameters,
  redeem,
} from '../fixtures/requests/code-flow.ts'
import { newBrowser, readForm } from '../fixtures/requests/http-browser.ts'
import { withQuery } from '../fixtures/requests/http-client.ts'
import { scopesIn } from '../fixtures/requests/jwt.ts'
import { alice, bob } from '../fixtures/server/configuration.ts'
import { app, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const request = (changes: Parameters = {}) => codeRequest(app, newProof(), changes)
const url = (changes: Parameters = {}) => withQuery('/connect/authorize', request(changes))
const atConsent = (who = alice) => openConsent(latchkey.issuer, app, who)

test('CN-06 denial returns access_denied, consumes the request and stores nothing', async () => {
  const { browser, visit } = await atConsent(bob)
  const denied = await browser.submit(visit, { decision: 'deny' })
  const fields = delivered(denied)
  assert.equal(fields.get('error'), 'access_denied')
  assert.equal(fields.get('state'), 'state-of-the-test')
  assert.equal(fields.get('iss'), latchkey.issuer)
  const again = await browser.submit(visit, allowEverything(visit))
  assert.equal(again.location, null)
  assert.doesNotMatch((await browser.get('/account')).text, /Harbour Ledger<\/h3>/)
})
test('CN-01 the session of another user cannot submit the consent', async () => {
  const { browser, visit } = await atConsent()
  const stranger = newBrowser(latchkey.issuer)
  await authorize(stranger, request(), bob)
  const form = readForm(visit.answer.text)
  const answer = await stranger.post(form.action, [...form.hidden, ...allowEverything(visit)])
  assert.ok(!/[?&]code=/.test(answer.headers.location ?? ''))
  assert.ok(answer.status >= 400 || !(answer.headers.location ?? '').startsWith(app))
  assert.ok(browser.cookies.size > 0)
})
test('CN-02 remembered consent covers the allowed scopes, and the page marks new ones', async () => {
  const browser = newBrowser(latchkey.issuer)
  const login = await browser.follow(url({ client_id: 'web', scope: 'openid profile' }))
  const consent = await browser.submit(login, { username: bob.username, password: bob.password })
  await browser.submit(consent, [...allowEverything(consent), ['remember', 'on']])
  const same = await browser.follow(url({ client_id: 'web', scope: 'openid profile' }))
  assert.match(delivered(same).get('code') ?? '', /^code_/)
  const less = await browser.follow(url({ client_id: 'web', scope: 'openid' }))
  assert.match(delivered(less).get('code') ?? '', /^code_/)
  const more = await browser.follow(url({ client_id: 'web', scope: 'openid profile api' }))
  assert.match(more.target, /^\/consent/)
  const [shown = '', openedByHand = ''] = more.answer.text.split('<details')
  const namesIn = (part: string) =>
    [...part.matchAll(/name="scope"[^>]* value="(\w+)"/g)].map(([, name]) => name)
  assert.deepEqual(namesIn(shown), ['api'])
  assert.deepEqual(namesIn(openedByHand), ['openid', 'profile'])
  assert.match(openedByHand, /^[^>]*(?<! open)><summary>2 permissions already allowed</)
  const asked = await browser.follow(url({ client_id: 'web', scope: 'openid profile', prompt: 'consent' }))
  assert.match(asked.target, /^\/consent/)
})
test('CN-03 consent for a public client with a private-use scheme is asked every time', async () => {
  const browser = newBrowser(latchkey.issuer)
  const native = { client_id: 'native', redirect_uri: 'com.example.native:/callback', scope: 'openid api' }
  const login = await browser.follow(url(native))
  const consent = await browser.submit(login, { username: alice.username, password: alice.password })
  const done = await browser.submit(consent, [...allowEverything(consent), ['remember', 'on']])
  assert.equal(done.location?.protocol, 'com.example.native:')
  assert.match((await browser.follow(url(native))).target, /^\/consent/)
})
test('CN-05 a deselected scope is not in the token', async () => {
  const proof = newProof()
  const browser = newBrowser(latchkey.issuer)
  const login = await browser.follow(
    withQuery(
      '/connect/authorize',
      codeRequest(app, proof, { client_id: 'web', scope: 'openid profile api' }),
    ),
  )
  const consent = await browser.submit(login, { username: alice.username, password: alice.password })
  const done = await browser.submit(consent, [
    ['scope', 'profile'],
    ['decision', 'allow'],
  ])
  const inHand = {
    code: delivered(done).get('code') ?? '',
    proof,
    clientId: 'web',
    redirectUri: `${app}/callback`,
  }
  const tokens = (await redeem(latchkey.issuer, inHand)).json()
  const granted = scopesIn(tokens.access_token)
  assert.deepEqual(granted.toSorted(), ['openid', 'profile'], 'required openid stays, api is gone')
  assert.deepEqual(String(tokens.scope).split(' ').toSorted(), ['openid', 'profile'])
})
test('TK-09 a scope that was not requested cannot be added on the consent page', async () => {
  const proof = newProof()
  const browser = newBrowser(latchkey.issuer)
  const login = await browser.follow(
    withQuery('/connect/authorize', codeRequest(app, proof, { client_id: 'web', scope: 'openid profile' })),
  )
  const consent = await browser.submit(login, { username: alice.username, password: alice.password })
  const done = await browser.submit(consent, [
    ['scope', 'openid'],
    ['scope', 'profile'],
    ['scope', 'readwrite'],
    ['decision', 'allow'],
  ])
  const inHand = {
    code: delivered(done).get('code') ?? '',
    proof,
    clientId: 'web',
    redirectUri: `${app}/callback`,
  }
  const { access_token: token } = (await redeem(latchkey.issuer, inHand)).json()
  assert.ok(!scopesIn(token).includes('readwrite'))
})
test('CN-04 the consent page names the app, the user, the redirect host and a permission', async () => {
  const { visit } = await atConsent()
  for (const text of ['Harbour Ledger', alice.name, 'app.example.org', 'Ledger entries']) {
    assert.ok(visit.answer.text.includes(text), text)
  }
})
test('V-52 a page that names one user gives nothing of another who signs in in the same browser', async () => {
  const { browser, visit } = await atConsent(alice)
  await browser.follow('/logout').then(page => browser.submit(page, {}))
  const login = await browser.follow(url({ prompt: 'login' }))
  await browser.submit(login, { username: bob.username, password: bob.password })
  const answered = await browser.submit(visit, allowEverything(visit))
  assert.match(answered.target, /^\/consent\?pending=/)
  assert.match(answered.answer.text, new RegExp(bob.name))
  const fields = delivered(await browser.submit(answered, allowEverything(answered)))
  assert.match(fields.get('code') ?? '', /^code_/)
})
test('I13 after nothing was chosen the boxes are as the user left them', async () => {
  const { browser } = await atConsent(alice)
  const visit = await browser.follow(url({ client_id: 'web', scope: 'api offline_access' }))
  const boxes = (text: string) =>
    [...text.matchAll(/<input type="checkbox"[^>]*>/g)].map(([box]) => box.includes('checked'))
  assert.ok(boxes(visit.answer.text).includes(true))
  const again = await browser.submit(visit, { decision: 'allow' })
  assert.match(again.target, /error=nothing_selected/)
  assert.ok(!boxes(again.answer.text).includes(true))
  const partly = await browser.submit(again, { decision: 'allow', scope: 'offline_access', remember: 'on' })
  assert.match(partly.target, /error=nothing_selected/)
  assert.deepEqual(
    [...partly.answer.text.matchAll(/<input type="checkbox"[^>]*checked[^>]*>/g)].map(
      ([box]) => / value="(\w+)"/.exec(box)?.[1],
    ),
    ['offline_access', 'on'],
  )
})

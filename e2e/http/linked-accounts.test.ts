/** Tests the pages that link and unlink identities of a provider, which is a second Latchkey. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { type HttpBrowser, newBrowser, type Visit } from '../fixtures/requests/http-browser.ts'
import { createUser, withOwnPassword } from '../fixtures/requests/own-password.ts'
import { clientSecret, upstreamConfiguration, ursula } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { otto } from '../fixtures/server/provider-user.ts'
import { forgetFactors } from '../fixtures/server/stored-rows.ts'

const schemes = ['mill', 'barn', 'shed', 'attic', 'loft', 'porch', 'cabin']
let upstream: Latchkey
let owner: Parameters<NonNullable<Parameters<typeof sharedStaff>[0]>>[0]['apis']['owner']
let made = 0

const latchkey = sharedStaff(async ({ apis }, { issuer }) => {
  owner = apis.owner
  const configuration = upstreamConfiguration(issuer, schemes)
  upstream = await startLatchkey({ port: await freePort(), host: '127.0.0.1', configuration })
  for (const scheme of schemes) {
    const client = { client_id: 'downstream', client_secret: clientSecret }
    const body = { scheme, issuer: upstream.issuer, ...client, trusts_email: scheme === 'loft' }
    const { status, text } = await apis.owner.call('POST', '/providers', { body })
    assert.equal(status, 201, text)
  }
})
after(() => upstream.stop())

/** A signed-in user with a password. */
async function signedIn() {
  made += 1
  const user = await createUser(latchkey.issuer, owner, `links-${made}`)
  const browser = newBrowser(latchkey.issuer)
  await browser.submit(await browser.follow('/login'), user)
  return { browser, user }
}

/** Signs in at the provider to which the browser was sent. Returns the path of the callback. */
async function signInThere({ location }: Visit, who = ursula): Promise<string> {
  assert.equal(location?.origin, upstream.issuer)
  const there = newBrowser(upstream.issuer)
  const login = await there.follow(`${location?.pathname}${location?.search}`)
  const back = await there.submit(login, { username: who.username, password: who.password })
  assert.equal(back.location?.origin, latchkey.issuer)
  return `${back.location?.pathname}${back.location?.search}`
}

async function proven(browser: HttpBrowser, scheme: string): Promise<Visit> {
  const away = await browser.submit(await browser.follow(`/account/links/add?provider=${scheme}`), {})
  return browser.follow(await signInThere(away))
}

const unlinkPage = ({ text }: Visit['answer']) =>
  /\/account\/links\/remove\?link=[\w%-]+/.exec(text)?.[0] ?? ''

test('FD-05 a user links an identity, signs in with it, and unlinks it, which ends that sign-in', async () => {
  const { browser, user } = await signedIn()
  const confirm = await proven(browser, 'mill')
  assert.match(confirm.target, /^\/account\/links\/confirm\?proof=/)
  assert.ok(confirm.answer.text.includes(ursula.email) && confirm.answer.text.includes(user.username))
  assert.equal(unlinkPage(await browser.get('/account')), '', 'nothing is linked before the user confirms')
  const done = await browser.submit(confirm, {})
  assert.equal(done.target, '/account?done=link_added')
  assert.ok(done.answer.text.includes(ursula.email))

  const other = newBrowser(latchkey.issuer)
  const away = await other.follow('/login/external/mill/start')
  const account = await other.follow(await signInThere(away))
  assert.equal(account.target, '/account')
  assert.ok(account.answer.text.includes(user.username))

  const page = await browser.follow(unlinkPage(done.answer))
  const removed = await browser.submit(page, {})
  assert.equal(removed.target, '/account?done=link_removed')
  assert.match((await other.follow('/account')).target, /^\/login/)
})

test('MF-04 linking and unlinking ask a user who signed in long ago to sign in again, and go on', async () => {
  const { browser, user } = await signedIn()
  const confirm = await proven(browser, 'barn')
  await forgetFactors(latchkey.server, user.sub)
  const again = await browser.submit(confirm, {})
  assert.match(again.target, /^\/login\/confirm\?back=%2Faccount%2Flinks%2Fconfirm/)
  const back = await browser.submit(again, { password: user.password })
  assert.match(back.target, /^\/account\/links\/confirm\?proof=/)
  const done = await browser.submit(back, {})
  assert.equal(done.target, '/account?done=link_added')
  const remove = unlinkPage(done.answer)
  await forgetFactors(latchkey.server, user.sub)
  for (const page of ['/account/links/add?provider=barn', remove]) {
    assert.match((await browser.follow(page)).target, /^\/login\/confirm\?back=/, page)
  }
  const posted = await browser.post('/account/links/add', { user: user.sub, provider: 'barn' })
  assert.match(posted.headers.location ?? '', /^\/login\/confirm\?/)
})

test('a provider that cannot be reached, or fails later, is named on the page, which lets the user try again or go back', async () => {
  const body = { scheme: 'ruin', issuer: `http://127.0.0.1:${await freePort()}`, display_name: 'The Ruin' }
  const client = { client_id: 'downstream', client_secret: clientSecret }
  const { status, text } = await owner.call('POST', '/providers', { body: { ...body, ...client } })
  assert.equal(status, 201, text)
  const { browser, user } = await signedIn()
  const page = await browser.submit(await browser.follow('/account/links/add?provider=ruin'), {})
  assert.equal(page.target, '/account/links/add?provider=ruin&error=unavailable')
  assert.match(page.answer.text, /role="alert"[\s\S]*The Ruin isn’t available at the moment/)
  assert.match(page.answer.text, /<title>Error: [\s\S]*<a href="\/account">Back to your account/)
  assert.equal((await browser.submit(page, {})).target, page.target)

  const away = await browser.submit(await browser.follow('/account/links/add?provider=mill'), {})
  const callback = new URL(await signInThere(away), latchkey.issuer)
  callback.searchParams.set('code', 'code_of_another_sign_in')
  await forgetFactors(latchkey.server, user.sub)
  const failed = await browser.follow(callback.pathname + callback.search)
  assert.equal(failed.target, '/account/links/add?provider=mill&error=failed')
  assert.match(failed.answer.text, /role="alert"[\s\S]*Signing in at [^.]+ didn’t work/)
  assert.match((await browser.submit(failed, {})).target, /^\/login\/confirm\?back=/, 'MF-04')
})

test('FD-05 a callback in another browser, in the session of another user, or sent twice links nothing', async () => {
  const { browser } = await signedIn()
  const away = await browser.submit(await browser.follow('/account/links/add?provider=shed'), {})
  const callback = await signInThere(away)
  const stranger = newBrowser(latchkey.issuer)
  assert.match((await stranger.follow(callback)).target, /^\/login\?/)
  const { browser: other } = await signedIn()
  assert.equal((await other.follow(callback)).target, '/account?done=link_expired')
  const confirm = await browser.follow(callback)
  assert.match(confirm.target, /^\/account\/links\/confirm/)
  assert.equal((await browser.follow(callback)).target, '/account?done=link_expired')
  const stolen = await other.follow(confirm.target)
  assert.equal(stolen.target, '/account?done=link_expired')
  assert.match(stolen.answer.text, /role="alert"/)
  const owned = await other.post('/account/links/confirm', {
    proof: new URL(confirm.target, latchkey.issuer).searchParams.get('proof') ?? '',
  })
  assert.equal(owned.headers.location, '/account?done=link_expired')
  await browser.post('/logout', {})
  assert.match((await browser.follow(confirm.target)).target, /^\/login\?/)
})

test('FD-05 the form of a user who is no longer the current one of the browser starts nothing', async () => {
  const { browser } = await signedIn()
  const { user: other } = await signedIn()
  const answer = await browser.post('/account/links/add', { user: other.sub, provider: 'shed' })
  assert.equal(answer.headers.location, '/account?done=another_account')
})

test('FD-05 AU-18 a user whose verified address an account has proves it, or continues with a new account', async () => {
  const username = 'links-offered'
  const claims = { email: otto.email, email_verified: true }
  const created = await owner.call('POST', '/users', { body: { username, claims } })
  assert.equal(created.status, 201, created.text)
  const user = await withOwnPassword(latchkey.issuer, { username, password: String(created.json().password) })
  const atOffer = async (scheme: string) => {
    const browser = newBrowser(latchkey.issuer)
    const away = await browser.follow(`/login/external/${scheme}/start`)
    return { browser, page: await browser.follow(await signInThere(away, otto)) }
  }
  const trusted = await atOffer('loft')
  assert.equal(trusted.page.target, '/account', 'the addresses of this provider are trusted')
  assert.match(trusted.page.answer.text, /loft<\/h3>/)

  const { browser, page } = await atOffer('attic')
  assert.match(page.target, /^\/login\/link\?partial=/)
  assert.ok(page.answer.text.includes(otto.email))
  assert.ok(!page.answer.text.includes(user.username), 'the user name is not shown')
  assert.match((await browser.follow('/account')).target, /^\/login/)
  const wrong = await browser.submit(page, { password: 'not this one' })
  assert.match(wrong.target, /^\/login\/link\?.*error=credentials/)
  assert.match(wrong.answer.text, /role="alert"/)
  const done = await browser.submit(wrong, { password: user.password })
  assert.equal(done.target, '/account')
  assert.ok(done.answer.text.includes(user.username))
  assert.match(unlinkPage(done.answer), /^\/account/)

  const isOwn = /attic<\/h3>/
  assert.match(done.answer.text, isOwn)
  const declined = await atOffer('porch')
  assert.match(declined.page.target, /^\/login\/link\?partial=/)
  const { searchParams } = new URL(declined.page.target, latchkey.issuer)
  const form = { partial: searchParams.get('partial') ?? '', choice: 'new' }
  assert.equal((await declined.browser.post('/login/link', form)).headers.location, '/account')
  assert.doesNotMatch((await declined.browser.get('/account')).text, isOwn)
})

test('an admin unlinks an identity, which ends the sign-ins that began with it', async () => {
  const { browser, user } = await signedIn()
  await browser.submit(await proven(browser, 'cabin'), {})
  const there = newBrowser(latchkey.issuer)
  await there.follow(await signInThere(await there.follow('/login/external/cabin/start')))
  assert.ok((await there.get('/account')).text.includes(user.username))
  const path = `/users/${user.sub}`
  const { linked } = (await owner.call('GET', path)).json()
  assert.ok(Array.isArray(linked))
  const [{ scheme, issuer, sub: identity, label }] = linked
  assert.deepEqual([scheme, label], ['cabin', ursula.email])
  const answer = await owner.call('POST', `${path}/unlink`, { body: { scheme, issuer, identity } })
  assert.deepEqual([answer.status, answer.json().linked], [200, []], answer.text)
  const again = await owner.call('POST', `${path}/unlink`, { body: { scheme, issuer, identity } })
  assert.equal(again.status, 404)
  assert.match((await there.follow('/account')).target, /^\/login/)
  assert.equal((await browser.follow('/account')).target, '/account')
})

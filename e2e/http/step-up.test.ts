/** Tests levels of assurance over HTTP: `acr`, step-up by `acr_values`, `require_acr`, and enrolment in the middle of a sign-in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAuthenticator } from '#lib/identity/passkeys/testing/authenticator.ts'
import { codesOf, recoveryCodesIn, setUpAuthenticator } from '../fixtures/requests/authenticator.ts'
import { authorize, codeRequest, delivered, newProof, redeem } from '../fixtures/requests/code-flow.ts'
import { type HttpBrowser, newBrowser, type Visit } from '../fixtures/requests/http-browser.ts'
import { send, withQuery } from '../fixtures/requests/http-client.ts'
import { decode } from '../fixtures/requests/jwt.ts'
import { type Addresses, canary, clientSecret, testConfiguration } from '../fixtures/server/configuration.ts'
import { ageSessions } from '../fixtures/server/stored-rows.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const password = `${canary} levels of assurance`

function configuration(addresses: Addresses) {
  const base = testConfiguration(addresses)
  const trusted = base.clients.find(({ client_id }) => client_id === 'trusted')
  const careful = {
    ...trusted,
    client_id: 'careful',
    client_name: 'Careful App',
    require_acr: 'urn:latchkey:mfa',
  }
  const users = Array.from({ length: 12 }, (_, index) => ({
    sub: `level-${index}`,
    username: `level-${index}`,
    password,
  }))
  return { ...base, clients: [...base.clients, careful], users: [...base.users, ...users] }
}

const latchkey = latchkeySuite({ configuration })
const mfa = 'urn:latchkey:mfa'

let made = 0
function newUser() {
  made += 1
  return { username: `level-${made}`, password }
}

type Who = ReturnType<typeof newUser>

/** Sends the request. Returns the page of the next step, or the redirect to the app. */
async function ask(browser: HttpBrowser, who: Who, changes: Readonly<Record<string, string>>) {
  const proof = newProof()
  const parameters = codeRequest(app, proof, { scope: 'openid', ...changes })
  return { visit: await authorize(browser, parameters, who), proof, clientId: parameters.client_id ?? '' }
}

async function claimsOf(
  visit: Visit,
  { proof, clientId }: Pick<Awaited<ReturnType<typeof ask>>, 'proof' | 'clientId'>,
) {
  const code = delivered(visit).get('code') ?? ''
  const answer = await redeem(latchkey.issuer, { code, proof, clientId, redirectUri: `${app}/callback` })
  assert.equal(answer.status, 200, answer.text)
  return decode(String(answer.json().id_token)).payload
}

/** A browser whose user has just signed in and has an authenticator app, and the session is at the level of one factor. */
async function withApp() {
  const who = newUser()
  const first = newBrowser(latchkey.issuer)
  await first.submit(await first.follow('/login'), who)
  const authenticator = await setUpAuthenticator(first)
  return { who, browser: first, authenticator }
}

test('MF-06 acr is the level of one factor after a sign-in with a password, and the metadata list the levels', async () => {
  const asked = await ask(newBrowser(latchkey.issuer), newUser(), {})
  assert.equal((await claimsOf(asked.visit, asked)).acr, 'urn:latchkey:pwd')
  const metadata = await send(latchkey.issuer, '/.well-known/openid-configuration')
  assert.deepEqual(metadata.json().acr_values_supported, [
    'urn:latchkey:pwd',
    mfa,
    'urn:latchkey:passkey',
    'phr',
  ])
})

test('MF-06 acr_values raises a session with a code of the authenticator app, without the password', async () => {
  const { who, browser, authenticator } = await withApp()
  const before = await ask(browser, who, {})
  const earlier = await claimsOf(before.visit, before)
  assert.equal(earlier.acr, 'urn:latchkey:pwd')
  const asked = await ask(browser, who, { acr_values: `phr ${mfa}` })
  assert.match(asked.visit.target, /^\/login\/second-factor\?/)
  assert.doesNotMatch(asked.visit.answer.text, /type="password"/)
  const claims = await claimsOf(await browser.submit(asked.visit, { code: authenticator.code(1) }), asked)
  assert.equal(claims.acr, mfa)
  assert.deepEqual(claims.amr, ['pwd', 'otp', 'mfa'])
  assert.deepEqual([claims.sid, claims.auth_time], [earlier.sid, earlier.auth_time])
  const again = await ask(browser, who, { acr_values: mfa, prompt: 'none' })
  assert.equal((await claimsOf(again.visit, again)).acr, mfa, 'the raised session is not asked again')
  const lower = await ask(browser, who, { acr_values: 'urn:latchkey:pwd' })
  assert.equal(
    (await claimsOf(lower.visit, lower)).acr,
    'urn:latchkey:pwd',
    'a higher level satisfies a lower one',
  )
})

test('MF-06 AZ-16 with prompt=none a level that is not reached is login_required', async () => {
  const { who, browser } = await withApp()
  const { visit } = await ask(browser, who, { acr_values: mfa, prompt: 'none' })
  assert.equal(delivered(visit).get('error'), 'login_required')
})

test('MF-06 a browser that skips the question stays at one factor, and is asked when more is required', async () => {
  const { who, authenticator } = await withApp()
  const browser = newBrowser(latchkey.issuer)
  const first = await ask(browser, who, {})
  assert.match(first.visit.target, /^\/login\/second-factor\?/)
  const done = await browser.submit(first.visit, { code: authenticator.code(1), trust: 'on' })
  assert.equal((await claimsOf(done, first)).acr, mfa)
  await browser.post('/logout', {})
  const second = await ask(browser, who, {})
  assert.equal((await claimsOf(second.visit, second)).acr, 'urn:latchkey:pwd')
  const third = await ask(browser, who, { acr_values: mfa })
  assert.match(third.visit.target, /^\/login\/second-factor\?/)
})

test('MF-06 require_acr leads a user without a factor to the set-up, and then to the app', async () => {
  const who = newUser()
  const browser = newBrowser(latchkey.issuer)
  const asked = await ask(browser, who, { client_id: 'careful' })
  assert.match(asked.visit.target, /^\/login\/enroll\?/)
  const code = codesOf(asked.visit)
  const wrong = await enterCode(browser, asked.visit, '000000')
  assert.match(wrong.target, /^\/login\/enroll\?.*error=wrong/)
  assert.equal(codesOf(wrong)(), code(), 'the key stays the same')
  const shown = await enterCode(browser, wrong, code())
  assert.match(shown.target, /^\/account\/recovery-codes\?pending=/)
  assert.equal(recoveryCodesIn(shown).length, 10)
  const claims = await claimsOf(await browser.submit(shown, {}), asked)
  assert.equal(claims.acr, mfa)
  assert.deepEqual(claims.amr, ['pwd', 'otp', 'mfa'])
})

test('MF-03 MF-06 without the required factor there is no session, and the user can return to the app', async () => {
  const who = newUser()
  const browser = newBrowser(latchkey.issuer)
  const asked = await ask(browser, who, { client_id: 'careful' })
  assert.match(asked.visit.target, /^\/login\/enroll\?/)
  assert.match((await browser.follow('/account')).target, /^\/login/)
  const query = new URL(asked.visit.target, latchkey.issuer).searchParams
  assert.match((await browser.follow(`/login/return?${query}`)).target, /^\/login\/enroll\?/)
  assert.equal((await browser.follow(asked.visit.target)).answer.status, 200, 'a reload shows the page again')
  const other = newBrowser(latchkey.issuer)
  assert.doesNotMatch((await other.follow(asked.visit.target)).target, /^\/login\/enroll/)
  const pending = query.get('pending') ?? ''
  const left = await browser.post('/login/cancel', { pending })
  assert.match(left.headers.location ?? '', /error=access_denied/)
})

test('MF-04 MF-06 a session whose sign-in is old is not enough to set a factor up', async () => {
  const who = newUser()
  const browser = newBrowser(latchkey.issuer)
  await ask(browser, who, {})
  await ageSessions(latchkey.server, who.username, 600)
  const proof = newProof()
  const parameters = codeRequest(app, proof, { scope: 'openid', acr_values: mfa })
  const login = await browser.follow(withQuery('/connect/authorize', parameters))
  assert.match(login.target, /^\/login\?.*error=stale/)
  assert.match((await browser.submit(login, who)).target, /^\/login\/enroll\?/)
})

test('MF-06 a request for a passkey does not offer an authenticator app', async () => {
  const asked = await ask(newBrowser(latchkey.issuer), newUser(), { acr_values: 'phr' })
  assert.match(asked.visit.target, /^\/login\/enroll\?/)
  assert.doesNotMatch(asked.visit.answer.text, /name="code"/)
})

test('MF-06 the password grant does not bypass a required level', async () => {
  const { username } = newUser()
  const answer = await send(latchkey.issuer, '/connect/token', {
    form: {
      grant_type: 'password',
      username,
      password,
      scope: 'api',
      acr_values: mfa,
      client_id: 'password',
      client_secret: clientSecret,
    },
  })
  assert.deepEqual([answer.status, answer.json().error], [400, 'invalid_grant'])
})

/** Sends the form for an authenticator app, which follows the one for a passkey. */
async function enterCode(browser: HttpBrowser, page: Visit, code: string) {
  const { partial = '', pending = '' } = Object.fromEntries(
    new URL(page.target, latchkey.issuer).searchParams,
  )
  const answer = await browser.post('/login/enroll', { partial, pending, code })
  return browser.follow(answer.headers.location ?? '')
}

async function optionsFor(browser: HttpBrowser, page: Visit) {
  const query = new URL(page.target, latchkey.issuer).search
  const answer = await browser.post(`/login/enroll/passkey/options${query}`, {})
  return { answer, json: answer.status === 200 ? JSON.parse(answer.text) : null, query }
}

test('MF-06 a user without a passkey creates the one that a request for phr needs, and continues to the app', async () => {
  const browser = newBrowser(latchkey.issuer)
  const asked = await ask(browser, newUser(), { acr_values: 'phr' })
  const { json, query } = await optionsFor(browser, asked.visit)
  const authenticator = createAuthenticator({ origin: latchkey.issuer })
  const carried = Object.fromEntries(new URLSearchParams(query))
  const response = authenticator.create(json.options)
  const done = await browser.post('/login/enroll/passkey', { ...carried, ceremony: json.ceremony, response })
  const visit = await browser.follow(done.headers.location ?? '')
  const claims = await claimsOf(visit, asked)
  assert.equal(claims.acr, 'phr')
  const twice = await browser.post('/login/enroll/passkey', { ...carried, ceremony: json.ceremony, response })
  assert.doesNotMatch(twice.headers.location ?? '', /code=/)
})

test('MF-04 MF-05 another browser gets no challenge for a new passkey', async () => {
  const asked = await ask(newBrowser(latchkey.issuer), newUser(), { acr_values: 'phr' })
  assert.match(asked.visit.target, /^\/login\/enroll\?/)
  assert.equal((await optionsFor(newBrowser(latchkey.issuer), asked.visit)).answer.status, 404)
})

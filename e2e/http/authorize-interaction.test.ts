/** Tests the steps between an authorization request and its response: sign-in, consent, and attempts to change the request. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  allowEverything,
  authorize,
  codeRequest,
  delivered,
  newProof,
  obtainTokens,
  openConsent,
  type Parameters,
  type Proof,
  redeem,
} from '../fixtures/requests/code-flow.ts'
import { newBrowser, readForm, type Visit } from '../fixtures/requests/http-browser.ts'
import { send, withQuery } from '../fixtures/requests/http-client.ts'
import { decode, scopesIn } from '../fixtures/requests/jwt.ts'
import { alice } from '../fixtures/server/configuration.ts'
import { app, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const request = (changes: Parameters = {}) => codeRequest(app, newProof(), changes)
const url = (changes: Parameters = {}) => withQuery('/connect/authorize', request(changes))
const atLogin = async (changes: Parameters = {}) => {
  const browser = newBrowser(latchkey.issuer)
  return { browser, visit: await browser.follow(url(changes)) }
}
const atConsent = () => openConsent(latchkey.issuer, app)

test('AZ-12 AZ-13 sign-in and consent return a code with state and iss, and the address of the consent page contains no request parameter', async () => {
  const { browser, visit } = await atConsent()
  assert.doesNotMatch(visit.target, /redirect_uri|client_id|scope|nonce|challenge/)
  const fields = delivered(await browser.submit(visit, allowEverything(visit)))
  assert.match(fields.get('code') ?? '', /^code_[\w-]{43}$/)
  assert.equal(fields.get('state'), 'state-of-the-test')
  assert.equal(fields.get('iss'), latchkey.issuer)
})

describe('AZ-08 a form POST redirects with 303', () => {
  test('AZ-08 the sign-in form redirects with 303, whether or not the password is right', async () => {
    for (const password of [alice.password, 'wrong']) {
      const { browser, visit } = await atLogin()
      const form = readForm(visit.answer.text)
      const answer = await browser.post(form.action, [
        ...form.hidden,
        ['username', alice.username],
        ['password', password],
      ])
      assert.equal(answer.status, 303)
      assert.ok(!(answer.headers.location ?? '').includes(encodeURIComponent(alice.username)))
      assert.ok(!(answer.headers.location ?? '').includes('password'))
    }
  })
  test('AZ-08 the consent form redirects with 303', async () => {
    const { browser, visit } = await atConsent()
    const form = readForm(visit.answer.text)
    const answer = await browser.post(form.action, [...form.hidden, ...allowEverything(visit)])
    assert.equal(answer.status, 303)
  })
})

describe('AZ-13 the parameters of a pending request are stored on the server', () => {
  const evil = {
    client_id: 'other',
    redirect_uri: 'https://evil.test/',
    response_type: 'code id_token',
    response_mode: 'fragment',
    scope: 'openid readwrite',
    state: 'other',
    nonce: 'other',
    code_challenge: newProof().challenge,
    code_challenge_method: 'plain',
    prompt: 'none',
  }
  const changed = (path: string) => path + (path.includes('?') ? '&' : '?') + new URLSearchParams(evil)

  /** Checks that the code is for the original request: its client, redirect URI, state, code challenge, scopes and nonce. */
  const answersTheRequest = async (end: Visit, proof: Proof, clientId: string) => {
    const [redirectUri, fields] = [`${app}/callback`, delivered(end)]
    assert.equal(`${end.location?.origin}${end.location?.pathname}`, redirectUri)
    assert.deepEqual([...fields.keys()].toSorted(), ['code', 'iss', 'state'])
    assert.equal(fields.get('state'), 'state-of-the-test')
    const inHand = { code: fields.get('code') ?? '', proof, clientId, redirectUri }
    const redeemed = await redeem(latchkey.issuer, inHand)
    assert.equal(redeemed.status, 200, redeemed.text)
    const issued = redeemed.json()
    const { payload } = decode(String(issued.access_token))
    assert.equal(payload.client_id, clientId)
    const scopes = ['api', 'offline_access', 'openid', 'profile']
    assert.deepEqual(scopesIn(issued.access_token).toSorted(), scopes)
    const identity = decode(String(issued.id_token)).payload
    assert.equal(identity.nonce, 'nonce-of-the-test')
    assert.equal(identity.aud, clientId)
  }

  test('AZ-13 fields and queries added to the sign-in form are ignored', async () => {
    for (const where of ['body', 'query']) {
      const proof = newProof()
      const { browser, visit } = await atLogin({ code_challenge: proof.challenge })
      const credentials = { username: alice.username, password: alice.password }
      const fields = where === 'body' ? { ...credentials, ...evil } : credentials
      const asked = where === 'query' ? await browser.follow(changed(visit.target)) : visit
      await answersTheRequest(await browser.submit(asked, fields), proof, 'trusted')
    }
  })
  test('AZ-13 fields and queries added to the resume address and the consent form are ignored', async () => {
    const proof = newProof()
    const { browser, visit } = await atLogin({ client_id: 'web', code_challenge: proof.challenge })
    await browser.submit(visit, { username: alice.username, password: alice.password })
    const pending = new URL(visit.target, latchkey.issuer).searchParams.get('pending') ?? ''
    const resumed = changed(withQuery('/connect/authorize/resume', { pending }))
    const consent = await browser.follow(resumed)
    assert.match(consent.target, /^\/consent/)
    const { scope, ...fields } = evil
    const added = [...Object.entries(fields), ...scope.split(' ').map(name => ['scope', name] as const)]
    const end = await browser.submit(consent, [...allowEverything(consent), ...added])
    await answersTheRequest(end, proof, 'web')
  })
  test('AZ-13 a pending request cannot be continued in another browser', async () => {
    const { visit } = await atLogin()
    const other = newBrowser(latchkey.issuer)
    const answer = await other.get(visit.target)
    assert.ok(!answer.text.includes('Trusted Web App'), 'does not name the other browser’s client')
    const pending = new URL(visit.target, latchkey.issuer).searchParams.get('pending') ?? ''
    const resumed = await other.get(withQuery('/connect/authorize/resume', { pending }))
    assert.equal(resumed.status, 400)
    assert.equal(resumed.headers.location, undefined)
  })
  test('AZ-13 a completed request cannot be completed again', async () => {
    const { browser, visit } = await atLogin()
    await browser.submit(visit, { username: alice.username, password: alice.password })
    const pending = new URL(visit.target, latchkey.issuer).searchParams.get('pending') ?? ''
    const again = await browser.get(withQuery('/connect/authorize/resume', { pending }))
    // The user is signed in, so the page reports success, but the app gets no second response
    assert.equal(again.status, 200)
    assert.match(again.text, /signed in/)
    assert.equal(again.headers.location, undefined)
    assert.doesNotMatch(again.text, /code=|id_token|access_token/)
  })
  for (const pending of ['', 'req_', 'nonsense', `req_${'a'.repeat(43)}`, '../../etc']) {
    test(`AZ-13 answers 400 to the unknown pending request ${JSON.stringify(pending)}`, async () => {
      const answer = await newBrowser(latchkey.issuer).get(
        withQuery('/connect/authorize/resume', { pending }),
      )
      assert.equal(answer.status, 400)
      assert.equal(answer.headers.location, undefined)
    })
  }
})

describe('AZ-16 prompt=none', () => {
  test('AZ-16 prompt=none returns a code without a page when the user has a session and the client needs no consent', async () => {
    const browser = newBrowser(latchkey.issuer)
    await authorize(browser, request())
    const answer = await browser.get(url({ prompt: 'none' }))
    assert.match(answer.headers.location ?? '', /[?&]code=/)
  })
  test('AZ-16 prompt=none returns consent_required when consent is missing', async () => {
    const browser = newBrowser(latchkey.issuer)
    await authorize(browser, request())
    const answer = await browser.get(url({ client_id: 'web', prompt: 'none' }))
    assert.match(answer.headers.location ?? '', /error=consent_required/)
  })
  test('AZ-16 prompt=none returns login_required when the session is older than max_age', async () => {
    const browser = newBrowser(latchkey.issuer)
    await authorize(browser, request())
    const answer = await browser.get(url({ prompt: 'none', max_age: '0' }))
    assert.match(answer.headers.location ?? '', /error=login_required/)
  })
  test('AZ-16 prompt=none returns interaction_required when the client does not allow the provider of the session', async () => {
    const browser = newBrowser(latchkey.issuer)
    await authorize(browser, request())
    const answer = await browser.get(url({ client_id: 'federated', prompt: 'none' }))
    assert.match(answer.headers.location ?? '', /error=interaction_required/)
  })
})

describe('AZ-17 AZ-18 the client requests a new sign-in', () => {
  test('AZ-17 choosing a different account requires its sign-in', async () => {
    const browser = newBrowser(latchkey.issuer)
    await authorize(browser, request())
    const choice = await browser.follow(url({ prompt: 'select_account', max_age: '36000' }))
    assert.match(choice.target, /^\/select-account/)
    const other = await browser.submit(choice, { choice: 'other' })
    assert.match(other.target, /^\/login/)
    assert.doesNotMatch(other.answer.text, /Confirm it’s you/)
    assert.ok(!other.answer.text.includes(`value="${alice.username}"`))
  })
  test('AZ-17 “Not you?” on the consent page requires a new sign-in', async () => {
    const browser = newBrowser(latchkey.issuer)
    await authorize(browser, request())
    const consent = await browser.follow(url({ client_id: 'web', prompt: 'consent', max_age: '36000' }))
    const choice = await browser.follow(consent.target.replace('/consent', '/select-account'))
    const other = await browser.submit(choice, { choice: 'other' })
    assert.match(other.target, /^\/login/)
    assert.doesNotMatch(other.answer.text, /Confirm it’s you/)
    assert.ok(!other.answer.text.includes(`value="${alice.username}"`))
  })

  const askers: readonly Parameters[] = [{ prompt: 'login' }, { max_age: '0' }]
  for (const changes of askers) {
    test(`AZ-17 AZ-18 ${JSON.stringify(changes)} requires one new sign-in that cannot be skipped`, async () => {
      const browser = newBrowser(latchkey.issuer)
      await authorize(browser, request())
      const asked = await browser.follow(url(changes))
      assert.match(asked.target, /^\/login/)
      assert.match(asked.answer.text, /Confirm it’s you/)
      const pending = new URL(asked.target, latchkey.issuer).searchParams.get('pending') ?? ''
      const skipped = await browser.follow(withQuery('/connect/authorize/resume', { pending }))
      assert.match(skipped.target, /^\/login/, 'going straight to resume asks again')
      const done = await browser.submit(skipped, { username: alice.username, password: alice.password })
      assert.match(delivered(done).get('code') ?? '', /^code_/)
    })
  }
  test('AZ-18 the ID token contains auth_time, which stays the same without a new sign-in', async () => {
    const browser = newBrowser(latchkey.issuer)
    const first = decode((await obtainTokens(latchkey.issuer, app, {}, browser)).id_token).payload
    const second = decode(
      (await obtainTokens(latchkey.issuer, app, { max_age: '10000' }, browser)).id_token,
    ).payload
    assert.equal(typeof first.auth_time, 'number')
    assert.equal(second.auth_time, first.auth_time)
  })
})

describe('AZ-28 a prefetch changes nothing', () => {
  const purposes: readonly Parameters[] = [
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'next-router-prefetch': '1' },
  ]
  for (const headers of purposes) {
    test(`AZ-28 a request with ${JSON.stringify(headers)} changes nothing`, async () => {
      const browser = newBrowser(latchkey.issuer)
      await authorize(browser, request())
      const answer = await browser.get(url(), headers)
      assert.ok(!/[?&]code=/.test(answer.headers.location ?? ''), 'no code for a prefetch')
      assert.doesNotMatch(answer.headers.location ?? '', /pending=/)
      assert.match(answer.headers['cache-control'] ?? '', /no-store/)
    })
  }
})

describe('AZ-10 form_post', () => {
  test('AZ-10 the form_post page has a button, escapes the state and loads nothing from elsewhere', async () => {
    const browser = newBrowser(latchkey.issuer)
    await authorize(browser, request())
    const state = '"><script>alert(1)</script>'
    const answer = await browser.get(url({ response_mode: 'form_post', state }))
    assert.equal(answer.status, 200)
    assert.match(answer.headers['cache-control'] ?? '', /no-store/)
    assert.ok(!answer.text.includes('<script>alert'))
    assert.match(answer.text, /<button/)
    const policy = String(answer.headers['content-security-policy'])
    assert.match(policy, /script-src '(sha256|nonce)-/)
    assert.doesNotMatch(policy, /unsafe-inline/)
    assert.doesNotMatch(answer.text, /src="https?:|href="https?:/)
  })
})

describe('AZ-20 acr_values', () => {
  for (const scheme of ['closed', 'unknown', '../', 'https://evil.test', 'upstream/../..']) {
    test(`AZ-20 acr_values idp:${scheme} does not redirect to a provider`, async () => {
      const { visit } = await atLogin({ acr_values: `idp:${scheme}` })
      if (visit.location !== null) assert.equal(visit.location.origin, app)
      else assert.match(visit.target, /^\/login/)
    })
  }
})

test('AZ-19 login_hint is escaped and does not select an account', async () => {
  const { visit } = await atLogin({ login_hint: '"><script>alert(1)</script>' })
  assert.ok(!visit.answer.text.includes('<script>alert'))
  assert.match((await atLogin({ login_hint: 'alice' })).visit.answer.text, /value="alice"/)
})

test('the implicit flow responds in the fragment with a short-lived access token and no refresh token', async () => {
  const changes = {
    client_id: 'spa',
    response_type: 'id_token token',
    scope: 'openid api',
    code_challenge: '',
    code_challenge_method: '',
  }
  const visit = await authorize(newBrowser(latchkey.issuer), request(changes))
  assert.equal(visit.location?.search, '')
  const fields = delivered(visit)
  assert.deepEqual(
    [...fields.keys()].toSorted(),
    ['access_token', 'expires_in', 'id_token', 'iss', 'scope', 'state', 'token_type'].toSorted(),
  )
  assert.ok(Number(fields.get('expires_in')) <= 600)
  assert.equal(decode(fields.get('id_token') ?? '').payload.nonce, 'nonce-of-the-test')
  const check = await send(latchkey.issuer, '/connect/accesstokenvalidation', {
    form: { token: fields.get('access_token') ?? '' },
  })
  assert.equal(check.status, 200)
})

/** Tests sign-ins at an identity provider, which is a second Latchkey: its responses, repeated responses, and the pages. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { codeRequest, delivered, newProof, redeem } from '../fixtures/requests/code-flow.ts'
import { type HttpBrowser, newBrowser } from '../fixtures/requests/http-browser.ts'
import { bearer, send, withQuery } from '../fixtures/requests/http-client.ts'
import { alice, clientSecret, upstreamConfiguration, ursula } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'

/** The subject of a local user whose name and unverified address are the email address of ursula at the provider. */
let namesake = ''
let issuer = ''
let provider = ''
let upstream: Latchkey
let owner: Parameters<NonNullable<Parameters<typeof sharedStaff>[0]>>[0]['apis']['owner']

sharedStaff(async ({ apis }, main) => {
  const schemes = ['house', 'annex', 'cellar']
  issuer = main.issuer
  owner = apis.owner
  const configuration = upstreamConfiguration(issuer, schemes)
  upstream = await startLatchkey({ port: await freePort(), host: '127.0.0.1', configuration })
  provider = upstream.issuer
  for (const scheme of schemes) {
    const body = {
      scheme,
      issuer: provider,
      client_id: 'downstream',
      client_secret: clientSecret,
      enabled: true,
      ...(scheme === 'annex' ? { scope: 'openid profile email groups' } : {}),
      ...(scheme === 'cellar' ? { hidden: true, domains: ['cellar.example'] } : {}),
    }
    const { status, text } = await apis.owner.call('POST', '/providers', { body })
    assert.equal(status, 201, text)
  }
  const body = { username: ursula.email, claims: { email: ursula.email, email_verified: false } }
  const created = await apis.owner.call('POST', '/users', { body })
  assert.equal(created.status, 201, created.text)
  namesake = String(created.json().sub)
})
after(() => upstream.stop())

test('SE-04 a provider can respond by a cross-site form_post, which has no cookies', async () => {
  const { browser, callback } = await atCallback()
  const kept = new Map(browser.cookies)
  browser.cookies.clear()
  const answer = await browser.post(callback.pathname, [...callback.searchParams], {
    origin: provider,
    'sec-fetch-site': 'cross-site',
  })
  for (const [name, value] of kept) browser.cookies.set(name, value)
  assert.equal(answer.status, 303)
  const next = new URL(answer.headers.location ?? '', issuer)
  assert.equal(next.origin, issuer)
  const done = await browser.follow(next.pathname + next.search)
  assert.match(delivered(done).get('code') ?? '', /^code_/)
})

describe('FD-02 FD-04 a callback is valid once, for the browser and provider of the request', () => {
  test('FD-02 refuses a callback in another browser', async () => {
    const { callback } = await atCallback()
    await refused(newBrowser(issuer), callback)
  })
  test('FD-02 refuses a callback at the address of another provider', async () => {
    const { browser, callback } = await atCallback()
    const other = new URL(callback)
    other.pathname = callback.pathname.replace('/house/', '/annex/')
    await refused(browser, other)
  })
  test('FD-02 refuses a callback with a different state, issuer or code', async () => {
    const changes: readonly (readonly [string, string])[] = [
      ['state', `ext_${'a'.repeat(43)}`],
      ['iss', 'https://evil.test'],
      ['code', `code_${'a'.repeat(43)}`],
    ]
    for (const [name, value] of changes) {
      const { browser, callback } = await atCallback()
      callback.searchParams.set(name, value)
      await refused(browser, callback)
    }
  })
  test('FD-04 a repeated callback does not sign in, and leads the signed-in user to the app', async () => {
    const { browser, callback } = await atCallback()
    const done = await browser.follow(callback.pathname + callback.search)
    assert.match(delivered(done).get('code') ?? '', /^code_/)
    const session = [...browser.cookies].find(([name]) => name.endsWith('session'))
    const again = await browser.follow(callback.pathname + callback.search)
    assert.equal(again.location, null)
    assert.match(again.answer.text, /Continue to Trusted Web App/)
    assert.deepEqual(
      [...browser.cookies].find(([name]) => name.endsWith('session')),
      session,
    )
  })
})

test('FD-05 AU-18 an email address from a provider does not open an account with that address or user name', async () => {
  const proof = newProof()
  const { browser, callback } = await atCallback('annex', proof)
  const code = delivered(await browser.follow(callback.pathname + callback.search)).get('code') ?? ''
  const inHand = { code, proof, clientId: 'trusted', redirectUri: `${app}/callback` }
  const { access_token: token } = (await redeem(issuer, inHand)).json()
  const answer = await send(issuer, '/connect/userinfo', { headers: bearer(String(token)) })
  const { sub, name, email } = answer.json()
  assert.deepEqual([name, email], [ursula.name, ursula.email])
  assert.notEqual(sub, namesake)
})

test('a provider that is asked for groups gives them to its users, and no other provider does', async () => {
  const claimsOf = async (scheme: string) => {
    const { browser, callback } = await atCallback(scheme)
    await browser.follow(callback.pathname + callback.search)
    const { items } = (await owner.call('GET', `/users?q=${scheme}.`)).json()
    assert.ok(Array.isArray(items) && items.length === 1, JSON.stringify(items))
    return (await owner.call('GET', `/users/${items[0].sub}`)).json().claims
  }
  const profile = { name: ursula.name, email: ursula.email, email_verified: true }
  assert.deepEqual(await claimsOf('annex'), { ...profile, groups: ['house'] })
  assert.deepEqual(await claimsOf('house'), profile)
})

test('FD-06 a disabled or unknown provider cannot start a sign-in', async () => {
  for (const scheme of ['closed', 'unknown', '..%2f..', '%00']) {
    const visit = await newBrowser(issuer).follow(`/login/external/${scheme}/start`)
    assert.equal(visit.location, null, scheme)
    assert.ok(visit.answer.status < 500, `${scheme} ${visit.answer.status}`)
  }
})

test('I10 acr_values idp:idsrv asks a user of a provider to sign in to an account of this server', async () => {
  const { browser, callback } = await atCallback()
  await browser.follow(callback.pathname + callback.search)
  for (const idp of ['idsrv', 'latchkey']) {
    const request = codeRequest(app, newProof(), { acr_values: `idp:${idp}` })
    const visit = await browser.follow(withQuery('/connect/authorize', request))
    assert.match(visit.target, /^\/login\?pending=/)
    assert.match(visit.answer.text, /type="password"/)
    assert.doesNotMatch(visit.answer.text, /\/login\/external\/house/)
  }
})

describe('a hidden provider', () => {
  const request = () => withQuery('/connect/authorize', codeRequest(app, newProof(), {}))

  test('is on no page of a stranger, and an email address of its domain does not lead there', async () => {
    const browser = newBrowser(issuer)
    const login = await browser.follow(request())
    const { search } = new URL(login.target, issuer)
    const pages = ['/account', '/login', '/login/providers', `/login${search}`, `/login/providers${search}`]
    for (const path of pages) {
      const { text } = (await browser.follow(path)).answer
      // With many providers, the sign-in page only links to their list
      if (path.startsWith('/login/providers')) assert.match(text, /house/, path)
      assert.doesNotMatch(text, /cellar/, path)
    }
    const form = [['email', 'ursula@cellar.example']] as const
    const { headers } = await browser.post('/login/providers', [
      ...form,
      ['pending', search.slice('?pending='.length)],
    ])
    assert.match(headers.location ?? '', /error=unknown_domain/)
  })

  test('signs users in whose app requests it, and is offered to them when they must sign in again', async () => {
    const { browser, callback } = await atCallback('cellar')
    const done = await browser.follow(callback.pathname + callback.search)
    assert.match(delivered(done).get('code') ?? '', /^code_/)
    assert.match(delivered(await browser.follow(request())).get('code') ?? '', /^code_/)
    const again = await browser.follow(
      withQuery('/connect/authorize', codeRequest(app, newProof(), { prompt: 'login' })),
    )
    assert.match(again.answer.text, /Continue with cellar/)
  })
})

describe('pages for a user who signed in through an identity provider', () => {
  const asked = (prompt: string) =>
    withQuery('/connect/authorize', codeRequest(app, newProof(), { prompt, scope: 'openid profile email' }))
  const signedIn = async () => {
    const { browser, callback } = await atCallback()
    await browser.follow(callback.pathname + callback.search)
    return browser
  }

  test('the sign-in page offers the provider of the session first when the app asks to sign in again', async () => {
    const { text } = (await (await signedIn()).follow(asked('login'))).answer
    assert.match(
      text,
      /You signed in with house\.[\s\S]*<a class="btn primary wide"[^>]*>Continue with house</,
    )
    const password = text.indexOf('type="password"')
    assert.ok(password === -1 || text.indexOf('Continue with house') < password)
  })

  test('the sign-out page names the apps that lose access and the provider that keeps its session', async () => {
    const { text } = await (await signedIn()).get('/logout')
    assert.match(text, /signed out of these apps:[\s\S]*<li>Trusted Web App<\/li>/)
    assert.match(text, /You may stay signed in at house\./)
  })

  test('signing out of all accounts names the provider of one that is not current', async () => {
    const browser = await signedIn()
    const login = await browser.follow('/login?account=other')
    await browser.submit(login, { username: alice.username, password: alice.password })
    const gone = await browser.post('/logout', { accounts: 'all' })
    assert.equal(gone.headers.location, '/logout/done?ended=1&provider=house')
    assert.match(
      (await browser.follow('/logout/done?ended=1&provider=house')).answer.text,
      /signed in at house/,
    )
  })

  test('the sign-in page marks the provider last used in this browser, also after a sign-out', async () => {
    const browser = await signedIn()
    const page = await browser.follow('/logout')
    await browser.submit(page, {})
    const { text } = (await browser.follow(asked(''))).answer
    assert.match(text, /Continue with house<span class="tag">Last used</)
    assert.equal(text.split('Last used').length, 2, 'no other provider is marked')
    const other = (await newBrowser(issuer).follow(asked(''))).answer
    assert.doesNotMatch(other.text, /Last used/)
  })

  test('the way that was used last in this browser comes first', async () => {
    const browser = newBrowser(issuer)
    const marks = { passkey: 'data-passkey=', password: 'type="password"', house: 'Continue with house' }
    const orderFor = async (way: string) => {
      browser.cookies.set('latchkey_way', way)
      const { text } = (await browser.follow(asked(''))).answer
      // With many providers, one that was not used last is on the next page
      const placeOf = (mark: string) => (text.includes(mark) ? text.indexOf(mark) : text.length)
      const placed = Object.entries(marks).map(([name, mark]) => ({ name, at: placeOf(mark) }))
      return placed.toSorted((left, right) => left.at - right.at).map(({ name }) => name)
    }
    assert.deepEqual(await orderFor('password'), ['password', 'passkey', 'house'])
    assert.deepEqual(await orderFor('passkey'), ['passkey', 'password', 'house'])
    assert.deepEqual(await orderFor('provider:house'), ['house', 'password', 'passkey'])
    assert.deepEqual(await orderFor('provider:gone'), ['password', 'passkey', 'house'])
  })
})

/** A browser after the sign-in at the provider, and the callback with the provider's response, which is not opened yet. */
async function atCallback(
  scheme = 'house',
  proof = newProof(),
): Promise<{ readonly browser: HttpBrowser; readonly callback: URL }> {
  const browser = newBrowser(issuer)
  const asked = { acr_values: `idp:${scheme}`, scope: 'openid profile email' }
  const request = codeRequest(app, proof, asked)
  const away = await browser.follow(withQuery('/connect/authorize', request))
  assert.equal(away.location?.origin, provider)
  const there = newBrowser(provider)
  const login = await there.follow(`${away.location?.pathname}${away.location?.search}`)
  const back = await there.submit(login, { username: ursula.username, password: ursula.password })
  assert.equal(back.location?.origin, issuer)
  return { browser, callback: new URL(back.location ?? '') }
}

async function refused(browser: HttpBrowser, callback: URL): Promise<void> {
  const visit = await browser.follow(callback.pathname + callback.search)
  assert.equal(visit.location, null, 'there is no redirect to the client')
  assert.ok(!(await browser.get('/account')).text.includes(ursula.name) || visit.answer.status >= 400)
}

/** Tests the sign-in with a passkey: the options, the form, its outcomes, and what the page loads for it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Changes, createAuthenticator } from '#lib/identity/passkeys/testing/authenticator.ts'
import { codeRequest, delivered, newProof, type Proof, redeem } from '../fixtures/requests/code-flow.ts'
import { attribute, type HttpBrowser, newBrowser } from '../fixtures/requests/http-browser.ts'
import { send, withQuery } from '../fixtures/requests/http-client.ts'
import { decode } from '../fixtures/requests/jwt.ts'
import { alice, bob } from '../fixtures/server/configuration.ts'
import { storePasskey } from '../fixtures/server/stored-rows.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const latchkey = latchkeySuite()
const issuerByAddress = 'http://127.0.0.1:8090'
const byAddress = latchkeySuite({ environment: { ISSUER: issuerByAddress } })

async function newPasskey(subject: string, idp?: string) {
  const authenticator = createAuthenticator({ origin: latchkey.issuer })
  await storePasskey(latchkey.server, { subject, authenticator, ...(idp === undefined ? {} : { idp }) })
  return authenticator
}

type Begun = {
  readonly ceremony: string
  readonly options: { readonly challenge: string; readonly rpId: string }
}

async function begin(browser: HttpBrowser): Promise<Begun> {
  const answer = await browser.post('/login/passkey/options', [])
  assert.equal(answer.status, 200, answer.text)
  return JSON.parse(answer.text)
}

type SignInWith = {
  readonly authenticator: ReturnType<typeof createAuthenticator>
  readonly browser: HttpBrowser
  readonly fields?: Readonly<Record<string, string>>
  readonly changes?: Changes
}

/** Signs in by the form of the passkey, which the script of the page would fill in. */
async function signInWith({ authenticator, browser, fields = {}, changes = {} }: SignInWith) {
  const { ceremony, options } = await begin(browser)
  const response = authenticator.get(options, changes)
  return browser.post('/login/passkey', { ceremony, response, ...fields })
}

async function openLogin(proof: Proof = newProof()) {
  const browser = newBrowser(latchkey.issuer)
  const parameters = codeRequest(app, proof)
  const visit = await browser.follow(withQuery('/connect/authorize', parameters))
  const pending = new URL(visit.target, latchkey.issuer).searchParams.get('pending') ?? ''
  return { browser, visit, pending, parameters }
}

describe('the options', () => {
  test('MF-05 a browser without a cookie gets one, and a challenge that is new each time', async () => {
    const browser = newBrowser(latchkey.issuer)
    const first = await begin(browser)
    const cookie = browser.cookies.get('latchkey_browser')
    assert.match(cookie ?? '', /^brw_/)
    const second = await begin(browser)
    assert.equal(browser.cookies.get('latchkey_browser'), cookie)
    assert.notEqual(first.options.challenge, second.options.challenge)
    assert.ok(Buffer.from(first.options.challenge, 'base64url').length >= 16)
    assert.deepEqual(
      { ...first.options, challenge: '' },
      {
        challenge: '',
        rpId: 'localhost',
        allowCredentials: [],
        userVerification: 'required',
        timeout: 300_000,
      },
    )
  })

  test('WF-04 another site gets no options, and cannot send the form', async () => {
    const from = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    for (const path of ['/login/passkey/options', '/login/passkey']) {
      const answer = await newBrowser(latchkey.issuer).post(path, { ceremony: 'a' }, from)
      assert.equal(answer.status, 403, path)
    }
  })
})

test('MF-05 MF-06 a passkey signs in to an app, and the ID token says so', async () => {
  const proof = newProof()
  const { browser, pending, parameters } = await openLogin(proof)
  const authenticator = await newPasskey(alice.sub)
  const posted = await signInWith({ authenticator, browser, fields: { pending, remember: 'on' } })
  assert.equal(posted.status, 303)
  const code = delivered(await browser.follow(posted.headers.location ?? '')).get('code') ?? ''
  const { client_id: clientId = '', redirect_uri: redirectUri = '' } = parameters
  const tokens = await redeem(latchkey.issuer, { code, proof, clientId, redirectUri })
  const { payload } = decode(String(tokens.json().id_token))
  assert.equal(payload.sub, alice.sub)
  assert.deepEqual([payload.amr, payload.acr], [['hwk', 'user', 'mfa'], 'urn:latchkey:passkey'])
  const session = posted.cookies.find(line => line.startsWith('latchkey_session='))
  assert.match(session ?? '', /Max-Age=2592000/)
})

test('without a request of an app, a passkey leads to the account', async () => {
  const browser = newBrowser(latchkey.issuer)
  const posted = await signInWith({ authenticator: await newPasskey(alice.sub), browser })
  const visit = await browser.follow(posted.headers.location ?? '')
  assert.equal(visit.target, '/account')
  assert.ok(visit.answer.text.includes(alice.name))
})

const signalOf = /<div hidden="" data-signals="[^"]*"><\/div>/

test('AU-05 AU-10 unknown, wrong, repeated and locked passkeys get the same page', async () => {
  const known = await newPasskey(alice.sub)
  const locked = await newPasskey('mallory-0003')
  const unknown = createAuthenticator({ origin: latchkey.issuer })
  unknown.create({ challenge: 'AAAA', rp: { id: 'localhost' }, user: { id: 'AAAA' } })
  const attempts = [
    { authenticator: known, changes: { origin: 'https://evil.example' } },
    { authenticator: known, changes: { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' } },
    { authenticator: unknown },
    { authenticator: locked },
  ]
  const pages = []
  for (const attempt of attempts) {
    const { browser, pending } = await openLogin()
    const posted = await signInWith({ ...attempt, browser, fields: { pending } })
    assert.equal(posted.status, 303)
    const { answer } = await browser.follow(posted.headers.location ?? '')
    const [signal] = signalOf.exec(answer.text) ?? []
    const text = answer.text.replace(signalOf, '').replaceAll(/req_[\w-]+|nonce="[^"]*"/g, '')
    pages.push({ status: answer.status, text, signals: signal?.includes('unknown') ?? false })
  }
  assert.match(String(pages[0]?.text), /That passkey didn’t work/)
  // Credential managers are informed of a passkey that is not stored (Web Authentication 5.1.10.2), and of no other
  for (const [index, page] of pages.entries())
    assert.deepEqual(page, { ...pages[0], signals: attempts[index]?.authenticator === unknown })
})

test('a passkey of a provider’s user leads to the sign-in page, which asks for the provider', async () => {
  const { browser, pending } = await openLogin()
  const authenticator = await newPasskey(alice.sub, 'corporate')
  const posted = await signInWith({ authenticator, browser, fields: { pending } })
  const { answer } = await browser.follow(posted.headers.location ?? '')
  assert.match(answer.text, /Sign in there first/)
})

describe('a passkey after the password', () => {
  const asked = { acr_values: 'urn:latchkey:passkey' }
  const page = '/login/second-factor/passkey'

  async function openFactor() {
    const proof = newProof()
    const browser = newBrowser(latchkey.issuer)
    const authenticator = await newPasskey(bob.sub)
    const login = await browser.follow(withQuery('/connect/authorize', codeRequest(app, proof, asked)))
    const { username, password } = bob
    const visit = await browser.submit(login, { username, password })
    const { pathname, searchParams } = new URL(visit.target, latchkey.issuer)
    assert.equal(pathname, page)
    return { browser, authenticator, proof, carried: Object.fromEntries(searchParams) }
  }

  test('MF-06 a passkey after the password reaches the level that the app asks for', async () => {
    const { browser, authenticator, proof, carried } = await openFactor()
    const begun = await browser.post(withQuery(`${page}/options`, carried), [])
    const { ceremony, options } = JSON.parse(begun.text)
    const response = authenticator.get(options)
    const posted = await browser.post(page, { ...carried, ceremony, response })
    const code = delivered(await browser.follow(posted.headers.location ?? '')).get('code') ?? ''
    const { client_id: clientId = '', redirect_uri: redirectUri = '' } = codeRequest(app, proof)
    const tokens = await redeem(latchkey.issuer, { code, proof, clientId, redirectUri })
    const { payload } = decode(String(tokens.json().id_token))
    assert.deepEqual([payload.acr, payload.sub], ['urn:latchkey:passkey', bob.sub])
  })

  test('MF-03 another browser gets neither the page nor options, and its form is refused', async () => {
    const { authenticator, browser, carried } = await openFactor()
    const other = newBrowser(latchkey.issuer)
    assert.equal((await other.post(withQuery(`${page}/options`, carried), [])).status, 404)
    assert.notEqual((await other.follow(withQuery(page, carried))).target.split('?')[0], page)
    const begun = await browser.post(withQuery(`${page}/options`, carried), [])
    const { ceremony, options } = JSON.parse(begun.text)
    const response = authenticator.get(options)
    const posted = await other.post(page, { ...carried, ceremony, response })
    assert.ok(!posted.cookies.some(line => line.startsWith('latchkey_session=')))
  })

  test('a wrong passkey leads back to its page with a sentence, and the sign-in can go on', async () => {
    const { browser, carried } = await openFactor()
    const posted = await browser.post(page, { ...carried, ceremony: 'forged', response: '{}' })
    const visit = await browser.follow(posted.headers.location ?? '')
    assert.equal(visit.target.split('?')[0], page)
    assert.match(visit.answer.text, /That passkey didn’t work/)
  })
})

describe('the sign-in page', () => {
  test('the form of the passkey is hidden, so that a browser without script does not show it', async () => {
    const { visit } = await openLogin()
    const [form = ''] = /<form\b[^>]*data-passkey[\s\S]*?<\/form>/.exec(visit.answer.text) ?? []
    assert.match(form, /^<form\b[^>]*\shidden=""/)
    assert.match(visit.answer.text, /autoComplete="username webauthn"/i)
  })

  test('the sign-in page without script sends at most 9 KB of HTML, stylesheet and icon, and its script for passkeys has at most 6 KB', async () => {
    const { visit } = await openLogin()
    const { text } = visit.answer
    const links = [...text.matchAll(/<link\b[^>]*rel="(?:stylesheet|icon)"[^>]*>/g)].map(([tag]) =>
      attribute(tag, 'href'),
    )
    assert.equal(links.length, 2)
    const [script = ''] = /\/assets\/passkeys-[0-9a-f]{12}\.js/.exec(text) ?? []
    for (const encoding of ['br', 'gzip']) {
      const sizeOf = async (path: string) => {
        const { status, headers } = await send(latchkey.issuer, path, {
          headers: { 'accept-encoding': encoding },
        })
        assert.deepEqual([status, headers['content-encoding']], [200, encoding], path)
        return Number(headers['content-length'])
      }
      // The page itself is sent uncompressed
      const bytes = [Buffer.byteLength(text), ...(await Promise.all(links.map(sizeOf)))]
      assert.ok(bytes.reduce((sum, each) => sum + each, 0) <= 9216, `${bytes}`)
      const size = await sizeOf(script)
      assert.ok(size > 1000 && size <= 6144, `${size}`)
    }
    assert.match(String((await send(latchkey.issuer, script)).headers['cache-control']), /immutable/)
  })

  test('pages without passkeys do not load the script for them', async () => {
    for (const path of ['/', '/logout/done'])
      assert.doesNotMatch((await newBrowser(latchkey.issuer).follow(path)).answer.text, /passkeys-/)
  })

  test('at an IP address there are no passkeys: no form, no script, no options', async () => {
    const browser = newBrowser(byAddress.server.origin)
    const { text } = (await browser.follow('/login')).answer
    assert.doesNotMatch(text, /passkey|webauthn/i)
    assert.equal((await browser.post('/login/passkey/options', [], { origin: issuerByAddress })).status, 404)
  })
})

// The last test, because it uses up the limit of the address
test('MF-05 of a hundred posts of one response at the same time, one opens a session', async () => {
  const browser = newBrowser(latchkey.issuer)
  const authenticator = createAuthenticator({ origin: latchkey.issuer, counts: false })
  await storePasskey(latchkey.server, { subject: alice.sub, authenticator })
  const { ceremony, options } = await begin(browser)
  const form = { ceremony, response: authenticator.get(options) }
  const posts = await Promise.all(Array.from({ length: 100 }, () => browser.post('/login/passkey', form)))
  const opened = posts.filter(({ cookies }) => cookies.some(line => line.startsWith('latchkey_session=ses_')))
  assert.equal(opened.length, 1)
  assert.ok(posts.every(({ status }) => status === 303))
})

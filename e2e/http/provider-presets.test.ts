/** Tests sign-ins at providers with a preset, against a local server with the responses that each provider documents. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type Faults, startTestProvider, type TestProvider } from '#lib/upstream/testing/provider.ts'
import type { Admin } from '../fixtures/dashboard/administrator.ts'
import type { Api } from '../fixtures/dashboard/administrators-by-role.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { codeRequest, delivered, newProof, type Proof, redeem } from '../fixtures/requests/code-flow.ts'
import { type HttpBrowser, newBrowser, type Visit } from '../fixtures/requests/http-browser.ts'
import { type Answer, bearer, send, withQuery } from '../fixtures/requests/http-client.ts'
import { decode } from '../fixtures/requests/jwt.ts'
import { app } from '../fixtures/server/suite.ts'

let issuer = ''
let mock: TestProvider
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const appleKey = String(privateKey.export({ format: 'pem', type: 'pkcs8' }))

before(async () => {
  mock = await startTestProvider()
})
after(() => mock.close())

const schemes = ['github', 'apple', 'oauth', 'google']
let owner: Admin
let api: Api

sharedStaff(async ({ all, apis }, main) => {
  issuer = main.issuer
  owner = all.owner
  api = apis.owner
  const shared = { client_id: 'latchkey', client_secret: 'a provider secret' }
  const endpoint = (path: string) => `${mock.issuer}${path}`
  const providers = [
    { ...shared, scheme: 'github', preset: 'github', display_name: 'GitHub', issuer: mock.issuer },
    {
      scheme: 'apple',
      preset: 'apple',
      display_name: 'Apple',
      issuer: mock.issuer,
      client_id: 'latchkey',
      client_secret: appleKey,
      team_id: 'TEAM123456',
      key_id: 'KEY1234567',
    },
    {
      ...shared,
      scheme: 'oauth',
      preset: 'oauth2',
      display_name: 'House',
      authorization_endpoint: endpoint('/authorize'),
      token_endpoint: endpoint('/token'),
      userinfo_endpoint: endpoint('/me'),
      claim_names: { sub: 'id' },
    },
    { ...shared, scheme: 'google', preset: 'google', display_name: 'Google' },
  ]
  for (const body of providers) {
    const { status, text } = await api.call('POST', '/providers', { body: { ...body, enabled: true } })
    assert.equal(status, 201, text)
    assert.ok(!text.includes(shared.client_secret) && !text.includes('PRIVATE KEY'))
  }
})

beforeEach(() => {
  mock.faults = {}
})

const octocat = { login: 'octocat', id: 583231, name: 'The Octocat', email: null, bio: null }
const github: Faults = {
  userinfo: octocat,
  emails: [{ email: 'octocat@octo.example', primary: true, verified: true, visibility: 'private' }],
  idToken: () => undefined,
}

describe('GitHub', () => {
  test('a user signs in to an app, and has the same account at the next sign-in', async () => {
    mock.faults = github
    const first = await signIn('github')
    assert.equal(first.claims.idp, 'github')
    assert.equal(first.claims.name, 'The Octocat')
    // GitHub lets users rename their login, which is not the subject
    mock.faults = { ...github, userinfo: { ...octocat, login: 'renamed' } }
    assert.equal((await signIn('github')).claims.sub, first.claims.sub)
  })

  test('FD-01 another user with the same login and address has another account', async () => {
    mock.faults = github
    const { claims } = await signIn('github')
    mock.faults = { ...github, userinfo: { ...octocat, id: 583232 } }
    assert.notEqual((await signIn('github')).claims.sub, claims.sub)
    mock.faults = { ...github, userinfo: { ...octocat, id: 583231 } }
    assert.notEqual((await signIn('oauth')).claims.sub, claims.sub, 'the same number at another provider')
  })

  test('FD-02 FD-04 the callback works once, and only in the browser of the request', async () => {
    mock.faults = github
    const { browser, callback } = await atCallback('github')
    const stranger = await newBrowser(issuer).follow(callback)
    assert.equal(stranger.location, null)
    assert.match(delivered(await browser.follow(callback)).get('code') ?? '', /^code_/)
    assert.equal((await browser.follow(callback)).location, null)
  })

  test('FD-04 an error with the status 200 leads back to the sign-in page without its text', async () => {
    const body = JSON.stringify({ error: 'bad_verification_code', error_description: 'Call 0800 EVIL' })
    mock.faults = { ...github, answers: { token: { body } } }
    const { browser, callback } = await atCallback('github')
    const { answer } = await browser.follow(callback)
    assert.match(answer.text, /Signing in with GitHub didn’t work/)
    assert.doesNotMatch(answer.text, /EVIL|bad_verification/)
  })
})

describe('Apple', () => {
  const user = {
    sub: '001473.fe6f83bf.2039',
    email: 'x7f2kq@privaterelay.appleid.com',
    email_verified: 'true',
  }
  const faults: Faults = {
    claims: ({ iss, aud, nonce, iat, exp }) => ({ iss, aud, nonce, iat, exp, ...user }),
  }
  /** Posts the callback from the site of Apple, which sends no cookies of this server. */
  const posted = async (callback: string, more: Readonly<Record<string, string>> = {}) => {
    const { pathname, searchParams } = new URL(callback, issuer)
    const headers = { origin: 'https://appleid.apple.com', 'sec-fetch-site': 'cross-site' }
    return send(issuer, pathname, { form: [...searchParams, ...Object.entries(more)], headers })
  }

  test('SE-04 the name in the form of the first callback becomes that of the user', async () => {
    mock.faults = faults
    const { browser, callback, proof } = await atCallback('apple')
    const name = { firstName: 'Zoë', lastName: 'Apple' }
    const { status, headers } = await posted(callback, {
      user: JSON.stringify({ name, email: 'victim@house.example' }),
    })
    assert.equal(status, 303)
    const { claims } = await redeemed(await browser.follow(headers.location ?? ''), proof)
    assert.deepEqual([claims.name, claims.email, claims.email_verified], ['Zoë Apple', user.email, true])
  })

  test('FD-02 the form of another site signs no other browser in', async () => {
    mock.faults = faults
    const { callback } = await atCallback('apple')
    const { headers } = await posted(callback)
    assert.equal((await newBrowser(issuer).follow(headers.location ?? '')).location, null)
  })

  test('a user who cancels comes back to the sign-in page', async () => {
    const { browser, callback } = await atCallback('apple')
    const state = new URL(callback, issuer).searchParams.get('state') ?? ''
    const { headers } = await posted(`/login/external/apple/callback?${new URLSearchParams({ state })}`, {
      error: 'user_cancelled_authorize',
    })
    const { answer } = await browser.follow(headers.location ?? '')
    assert.match(answer.text, /You canceled signing in with Apple/)
  })
})

describe('the dashboard', () => {
  test('a new provider begins with the choice of a preset, and then asks only for what it needs', async () => {
    const choice = await owner.get('/admin/providers/new')
    for (const preset of [
      'google',
      'microsoft',
      'apple',
      'github',
      'gitlab',
      'linkedin',
      'keycloak',
      'oauth2',
    ])
      assert.ok(choice.text.includes(`/admin/providers/new?preset=${preset}"`), preset)
    const { text } = await owner.get('/admin/providers/new?preset=apple&scheme=orchard')
    assert.ok(text.includes(`${issuer}/login/external/orchard/callback`))
    assert.match(text, /Certificates, Identifiers &amp; Profiles/)
    for (const field of ['client_id', 'client_secret', 'team_id', 'key_id'])
      assert.match(text, new RegExp(`<input[^>]*name="${field}"`), field)
    for (const field of ['issuer', 'tenants', 'token_endpoint', 'is_public'])
      assert.doesNotMatch(text, new RegExp(`name="${field}"`), field)
    assert.match(text, /<input type="hidden" name="preset" value="apple"/)
  })

  test('a scheme that is taken leads back to the name', async () => {
    const { text } = await owner.get('/admin/providers/new?preset=github')
    assert.match(text, /There is a provider &quot;github&quot; already/)
  })

  test('a test sign-in at GitHub shows the claims, and creates no account', async () => {
    mock.faults = github
    const { answer } = await testSignIn('github', callback => owner.get(callback))
    assert.match(answer.text, /The sign-in works/)
    assert.match(answer.text, /583299/)
    assert.match(answer.text, /The first sign-in would create one/)
  })

  test('a test sign-in at Apple comes back as a form from another site', async () => {
    mock.faults = {
      claims: ({ iss, aud, nonce, iat, exp }) => ({ iss, aud, nonce, iat, exp, sub: '001473.test' }),
    }
    const { answer } = await testSignIn('apple', async callback => {
      const { pathname, searchParams } = new URL(callback, issuer)
      const headers = { origin: 'https://appleid.apple.com', 'sec-fetch-site': 'cross-site' }
      const posted = await send(issuer, pathname, { form: [...searchParams], headers })
      return owner.get(posted.headers.location ?? '')
    })
    assert.match(answer.text, /001473\.test/)
  })

  test('a test with a wrong secret says what GitHub did not accept', async () => {
    mock.faults = { ...github, answers: { token: { body: '{"error":"incorrect_client_credentials"}' } } }
    const { answer } = await testSignIn('github', callback => owner.get(callback))
    assert.match(answer.text, /It did not accept the client ID and secret/)
  })

  /** Runs a test sign-in. `arrive` opens the callback, and returns the page that leads back to the dashboard. */
  async function testSignIn(scheme: string, arrive: (callback: string) => Promise<Answer>): Promise<Visit> {
    mock.faults = { ...mock.faults, ...(scheme === 'github' ? { userinfo: { ...octocat, id: 583299 } } : {}) }
    const away = await owner.browser.post('/admin/do/providers.start_test', { scheme })
    const parameters = mock.approve(away.headers.location ?? '')
    const landed = await arrive(withQuery(`/login/external/${scheme}/callback`, parameters))
    return owner.browser.follow(String(landed.headers.refresh ?? '').replace(/^0;url=/, ''))
  }
})

describe('the sign-in page', () => {
  // Other files sign in at the same server, whose sign-in page shows four providers
  after(async () => {
    const paths = ['/clients/with-marks', ...schemes.map(scheme => `/providers/${scheme}?confirm=${scheme}`)]
    for (const path of paths) {
      const { headers } = await api.call('GET', path.replace(/\?.*/, ''))
      const answer = await api.call('DELETE', path, { headers: { 'if-match': String(headers.etag) } })
      assert.equal(answer.status, 200, answer.text)
    }
  })

  test('buttons have the marks of the providers shown, and the page still has at most 9 KB', async () => {
    const metadata = {
      ...{ client_id: 'with-marks', client_name: 'Marked', scope: 'openid' },
      ...{ redirect_uris: [`${app}/callback`], identity_provider_restrictions: schemes },
    }
    const created = await api.call('POST', '/clients', { body: { kind: 'web', metadata } })
    assert.equal(created.status, 201, created.text)
    const asked = { client_id: 'with-marks', scope: 'openid' }
    const { answer } = await newBrowser(issuer).follow(
      withQuery('/connect/authorize', codeRequest(app, newProof(), asked)),
    )
    const buttons = [...answer.text.matchAll(/<a class="btn wide marked"[\s\S]*?<\/a>/g)].map(
      ([html]) => html,
    )
    const marked = buttons.filter(html => html.includes('<svg class="provider-mark"'))
    assert.ok(marked.length >= 2, `${marked.length} of ${buttons.length}`)
    assert.ok(marked.every(html => html.includes('aria-hidden="true"')))
    assert.ok(buttons.every(html => html.includes('<svg') === /GitHub|Apple|Google/.test(html)))
    const links = [...answer.text.matchAll(/<link\b[^>]*href="([^"]+)"[^>]*>/g)]
      .filter(([tag]) => /rel="(?:stylesheet|icon)"/.test(tag))
      .map(([, href = '']) => href)
    const files = await Promise.all(links.map(link => send(issuer, link)))
    const bytes = [answer.text, ...files.map(file => file.text)].map(content => gzipSync(content).length)
    assert.ok(bytes.reduce((sum, each) => sum + each, 0) <= 9216, `${bytes}`)
  })
})

type AtCallback = { readonly browser: HttpBrowser; readonly callback: string; readonly proof: Proof }

/** A browser that has signed in at the provider, and the path of the callback, which is not opened yet. */
async function atCallback(scheme: string): Promise<AtCallback> {
  const browser = newBrowser(issuer)
  const proof = newProof()
  const asked = { acr_values: `idp:${scheme}`, scope: 'openid profile email' }
  const away = await browser.follow(withQuery('/connect/authorize', codeRequest(app, proof, asked)))
  assert.equal(away.location?.origin, mock.issuer)
  const parameters = mock.approve(away.location?.href ?? '')
  return { browser, proof, callback: withQuery(`/login/external/${scheme}/callback`, parameters) }
}

async function signIn(scheme: string) {
  const { browser, callback, proof } = await atCallback(scheme)
  return redeemed(await browser.follow(callback), proof)
}

/** Redeems the code that the app received. Returns the claims of the ID token and of userinfo. */
async function redeemed(visit: Visit, proof: Proof) {
  const code = delivered(visit).get('code') ?? ''
  const inHand = { code, proof, clientId: 'trusted', redirectUri: `${app}/callback` }
  const tokens = (await redeem(issuer, inHand)).json()
  const userinfo = await send(issuer, '/connect/userinfo', { headers: bearer(String(tokens.access_token)) })
  const claims: Readonly<Record<string, unknown>> = {
    ...decode(String(tokens.id_token)).payload,
    ...userinfo.json(),
  }
  return { claims }
}

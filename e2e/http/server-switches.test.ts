/** Tests settings that turn a feature off: it is off at every address, and the dashboard still works. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Admin, enter, openAdmin } from '../fixtures/dashboard/administrator.ts'
import { authorize, codeRequest, delivered, newProof } from '../fixtures/requests/code-flow.ts'
import { attribute, newBrowser } from '../fixtures/requests/http-browser.ts'
import { basic, send, withQuery } from '../fixtures/requests/http-client.ts'
import {
  alice,
  clientSecret,
  introspectionScope,
  testConfiguration,
} from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { logged, newMasterKey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const
const asking = (changes = {}) => withQuery('/connect/authorize', codeRequest(app, newProof(), changes))
const metadataOf = async (issuer: string) => (await send(issuer, '/.well-known/openid-configuration')).json()

describe('a server without the token endpoint', () => {
  const latchkey = latchkeySuite({
    environment: { LATCHKEY_ENABLED_ENDPOINTS: 'authorize,userinfo,introspect,discovery' },
  })

  for (const name of [
    'token',
    'revocation',
    'endsession',
    'accesstokenvalidation',
    'identitytokenvalidation',
  ]) {
    test(`/connect/${name} is not found, by any method and in any letter case`, async () => {
      for (const method of methods)
        assert.equal((await send(latchkey.issuer, `/connect/${name}`, { method })).status, 404, method)
      assert.equal((await send(latchkey.issuer, `/Connect/${name.toUpperCase()}`)).status, 404)
    })
  }
  test('a preflight of a registered origin gets no CORS headers', async () => {
    const headers = { origin: app, 'access-control-request-method': 'POST' }
    const answer = await send(latchkey.issuer, '/connect/token', { method: 'OPTIONS', headers })
    assert.equal(answer.status, 404)
    assert.equal(answer.headers['access-control-allow-origin'], undefined)
  })
  test('other endpoints issue no tokens for client credentials or a refresh token', async () => {
    const headers = basic('machine', clientSecret)
    for (const path of ['/connect/introspect', '/connect/userinfo', '/connect/authorize'])
      for (const grant_type of ['client_credentials', 'refresh_token']) {
        const form = { grant_type, scope: 'api', token: 'x', refresh_token: 'x' }
        const answer = await send(latchkey.issuer, path, { form, headers })
        assert.doesNotMatch(answer.text, /access_token"/, path)
      }
  })
  test('the metadata has neither the endpoints nor what needs them', async () => {
    const metadata = await metadataOf(latchkey.issuer)
    for (const member of ['token_endpoint', 'revocation_endpoint', 'end_session_endpoint'])
      assert.equal(member in metadata, false, member)
    assert.deepEqual(metadata.grant_types_supported, ['implicit'])
    assert.ok(metadata.userinfo_endpoint)
  })
  test('the enabled endpoints answer', async () => {
    const browser = newBrowser(latchkey.issuer)
    const implicit = { client_id: 'spa', response_type: 'token', scope: 'api' }
    const visit = await authorize(
      browser,
      codeRequest(app, newProof(), { ...implicit, code_challenge: '', code_challenge_method: '' }),
    )
    const token = delivered(visit).get('access_token') ?? ''
    const headers = basic(introspectionScope.name, introspectionScope.secret)
    const answer = await send(latchkey.issuer, '/connect/introspect', { form: { token }, headers })
    assert.equal(answer.json().active, true)
  })
  test('the dashboard works, and a client test says why it fails', async () => {
    const admin: Admin = await openAdmin(latchkey.server)
    assert.equal((await admin.get('/admin')).status, 200)
    const secret = { client_id: 'machine', client_secret: clientSecret }
    const { answer } = await admin.submit('clients.begin_test', secret, '/admin/clients/machine/test')
    assert.match(answer.text, /The token endpoint is turned off/)
  })
})

describe('a server without the authorization endpoint', () => {
  const latchkey = latchkeySuite({
    environment: {
      LATCHKEY_ENABLED_ENDPOINTS: 'token,userinfo,discovery,endsession',
      LATCHKEY_SIGN_OUT_PROMPT: 'if-required',
    },
  })

  test('the authorization endpoint is not found by apps', async () => {
    for (const method of methods)
      assert.equal((await send(latchkey.issuer, asking(), { method })).status, 404, method)
    const both = `${asking({ client_id: 'latchkey-admin' })}&client_id=trusted`
    assert.equal((await send(latchkey.issuer, both)).status, 404)
    const posted = await send(latchkey.issuer, '/connect/authorize?client_id=latchkey-admin', {
      form: codeRequest(app, newProof()),
    })
    assert.equal(posted.status, 404)
  })
  test('a request with the client ID of the dashboard gets no redirect to an app', async () => {
    const visit = await newBrowser(latchkey.issuer).follow(asking({ client_id: 'latchkey-admin' }))
    assert.equal(visit.location, null)
    assert.equal(visit.answer.status, 400)
  })
  test('tokens are issued, and the metadata offers no grant that needs the endpoint', async () => {
    const form = { grant_type: 'client_credentials', scope: 'api' }
    const headers = basic('machine', clientSecret)
    assert.equal((await send(latchkey.issuer, '/connect/token', { form, headers })).status, 200)
    const metadata = await metadataOf(latchkey.issuer)
    assert.equal('authorization_endpoint' in metadata, false)
    assert.deepEqual(metadata.grant_types_supported, ['client_credentials', 'password', 'refresh_token'])
  })
  test('administrators sign in to the dashboard', async () => {
    await openAdmin(latchkey.server)
    const admin = await enter(latchkey.server)
    assert.equal((await admin.get('/admin')).status, 200)
  })
  for (const path of ['/connect/endsession', '/logout'])
    test(`without the prompt a link to ${path} signs out, an embedded or unreadable request does not`, async () => {
      const browser = newBrowser(latchkey.issuer)
      const login = await browser.follow('/login')
      await browser.submit(login, { username: alice.username, password: alice.password })
      const isSignedIn = async () => (await browser.get('/account')).text.includes(alice.name)
      const embedded = {
        'sec-fetch-dest': 'image',
        'sec-fetch-mode': 'no-cors',
        'sec-fetch-site': 'cross-site',
      }
      await browser.get(path, embedded)
      await browser.get('/connect/endsession', embedded)
      assert.equal(await isSignedIn(), true)
      assert.match((await browser.follow('/connect/endsession?posted=altered')).target, /^\/logout\?/)
      assert.equal(await isSignedIn(), true)
      const visit = await browser.follow(path)
      assert.match(visit.target, /^\/logout\/done/)
      assert.equal(await isSignedIn(), false)
    })
})

describe('a server without sign-in by password', () => {
  const latchkey = latchkeySuite({ environment: { LATCHKEY_LOCAL_LOGIN: 'false' } })
  const credentials = { username: alice.username, password: alice.password }

  test('no sign-in page has a password field, with and without an app', async () => {
    const dashboard = {
      client_id: 'latchkey-admin',
      redirect_uri: `${latchkey.issuer}/admin/callback`,
      scope: 'openid',
    }
    for (const target of ['/login', asking(), asking(dashboard), '/account']) {
      const visit = await newBrowser(latchkey.issuer).follow(target)
      assert.doesNotMatch(visit.answer.text, /type="password"/, target)
      assert.match(visit.answer.text, /Upstream House/, target)
    }
  })
  test('the right password does not sign in, with and without an app', async () => {
    for (const target of ['/login', asking()]) {
      const browser = newBrowser(latchkey.issuer)
      const visit = await browser.follow(target)
      const pending = new URL(visit.target, latchkey.issuer).searchParams.get('pending')
      const sent = pending === null ? credentials : { ...credentials, pending }
      const answer = await browser.post('/login', sent)
      assert.match(answer.headers.location ?? '', /error=not_allowed/, target)
      assert.doesNotMatch((await browser.get('/account')).text, new RegExp(alice.name))
    }
  })
  test('a request for the accounts of this server does not show the form', async () => {
    for (const idp of ['latchkey', 'idsrv']) {
      const visit = await newBrowser(latchkey.issuer).follow(asking({ acr_values: `idp:${idp}` }))
      assert.doesNotMatch(visit.answer.text, /type="password"/, idp)
    }
  })
  test('the password grant is refused and not in the metadata', async () => {
    const form = { grant_type: 'password', ...credentials, scope: 'api' }
    const answer = await send(latchkey.issuer, '/connect/token', {
      form,
      headers: basic('password', clientSecret),
    })
    assert.deepEqual([answer.status, answer.json().error], [400, 'unauthorized_client'])
    assert.ok(!JSON.stringify((await metadataOf(latchkey.issuer)).grant_types_supported).includes('password'))
  })
  test('the link of the first owner makes no account with a password', async () => {
    const line = await logged(latchkey.server, '/admin/setup?token=')
    const link = /\/admin\/setup\?token=[\w-]+/.exec(line)?.[0] ?? ''
    const browser = newBrowser(latchkey.issuer)
    const { answer } = await browser.follow(link)
    assert.doesNotMatch(answer.text, /type="password"/)
    assert.match(answer.text, /Sign in with an identity provider/)
    const token = new URL(link, latchkey.issuer).searchParams.get('token') ?? ''
    const posted = await browser.post('/admin/setup', {
      token,
      ...credentials,
      username: 'mallet',
      name: 'Mallet',
    })
    assert.match((await browser.follow(posted.headers.location ?? '')).answer.text, /accepts no passwords/)
  })
})

test('without mail, the link on the sign-in page leads to a page that says whom to ask', async t => {
  const port = await freePort()
  const ISSUER = `http://login.example.org:${port}`
  const environment = { ISSUER, LATCHKEY_INSECURE_HTTP: 'true', MASTER_KEY: newMasterKey() }
  const server = await startLatchkey({ port, configuration: testConfiguration({ app }), environment })
  t.after(() => server.stop())
  const browser = newBrowser(ISSUER)
  const [link = ''] = /<a class="aside"[^>]*>/.exec((await browser.follow('/login')).answer.text) ?? []
  const { answer } = await browser.follow(attribute(link, 'href'))
  assert.match(answer.text, /Passwords can’t be reset here\. Contact the administrator of /)
  assert.doesNotMatch(answer.text, /action="\/login\/forgot"/)
  const { headers } = await browser.post('/login/forgot', { username: alice.username })
  assert.equal(headers.location, '/login/forgot')
})

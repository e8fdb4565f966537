/** LG-06: tests requests to a server that has lost its database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { assertReadable } from '../fixtures/browser/readable-page.ts'
import {
  allowEverything,
  authorize,
  codeRequest,
  machineToken,
  newProof,
  obtainTokens,
  openConsent,
} from '../fixtures/requests/code-flow.ts'
import { type HttpBrowser, newBrowser, type Visit } from '../fixtures/requests/http-browser.ts'
import { basic, bearer, send, withQuery } from '../fixtures/requests/http-client.ts'
import { clientSecret, testConfiguration } from '../fixtures/server/configuration.ts'
import { openDatabase } from '../fixtures/server/database.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'

let server: Latchkey
let token: string
/** A browser that is signed in, and its pages to sign in again and to sign out. */
let browser: HttpBrowser
let login: Visit
let logout: Visit
/** Another browser, on the consent page. */
let consenting: Awaited<ReturnType<typeof openConsent>>
let identityToken: string

before(async () => {
  const database = await openDatabase('postgresql')
  server = await startLatchkey({
    port: await freePort(),
    configuration: testConfiguration({ app }),
    databaseUrl: database.url ?? '',
  })
  token = await machineToken(server.issuer)
  browser = newBrowser(server.issuer)
  await authorize(browser, codeRequest(app, newProof()))
  identityToken = (await obtainTokens(server.issuer, app, {}, browser)).id_token
  login = await browser.follow(request({ prompt: 'login' }))
  logout = await browser.follow('/logout')
  consenting = await openConsent(server.issuer, app)
  await database.close()
  // The server considers its keys current for half a second
  await delay(600)
})
after(() => server.stop())

function request(changes: Parameters<typeof codeRequest>[2] = {}): string {
  return withQuery('/connect/authorize', codeRequest(app, newProof(), changes))
}

test('LG-06 DB-01 endpoints return 503 with Retry-After while the database is unavailable', async () => {
  const headers = basic('machine', clientSecret)
  const form = { grant_type: 'client_credentials', scope: 'api' }
  const endsession = withQuery('/connect/endsession', { id_token_hint: identityToken })
  const validated = { token: identityToken, client_id: 'trusted' }
  const consent = await consenting.browser.submit(consenting.visit, allowEverything(consenting.visit))
  const answers = {
    token: await send(server.issuer, '/connect/token', { form, headers }),
    authorize: await send(server.issuer, request()),
    validation: await send(server.issuer, '/connect/accesstokenvalidation', { form: { token } }),
    identity: await send(server.issuer, '/connect/identitytokenvalidation', { form: validated }),
    userinfo: await send(server.issuer, '/connect/userinfo', { headers: bearer(token) }),
    introspection: await send(server.issuer, '/connect/introspect', { form: { token }, headers }),
    revocation: await send(server.issuer, '/connect/revocation', { form: { token }, headers }),
    discovery: await send(server.issuer, '/.well-known/openid-configuration'),
    keys: await send(server.issuer, '/.well-known/jwks'),
    endsession: await browser.get(endsession),
    logout: (await browser.submit(logout, {})).answer,
    consent: consent.answer,
    ready: await send(server.issuer, '/readyz'),
    signIn: (await browser.submit(login, { username: 'alice', password: 'x' })).answer,
  }
  for (const [name, answer] of Object.entries(answers)) {
    assert.equal(answer.status, 503, `${name}: ${answer.status} ${answer.text.slice(0, 200)}`)
    assert.match(String(answer.headers['retry-after']), /^\d+$/, name)
    assert.doesNotMatch(answer.text, /prisma|ECONNREFUSED|postgres/i, name)
  }
  assert.equal((await send(server.issuer, '/healthz')).status, 200)
})

test('LG-06 a page explains that the database is unavailable', async () => {
  const pending = new URL(login.target, server.issuer).search
  const paths = [
    '/',
    '/login',
    '/login/providers',
    '/account',
    '/account/password',
    '/account/profile',
    '/account/activity',
    '/account/data',
    '/account/delete',
    '/account/authenticator',
    '/logout',
    '/playground',
  ]
  const steps = ['/login', '/login/providers', '/consent', '/select-account'].map(path => path + pending)
  for (const path of [...paths, ...steps]) {
    const answer = await browser.get(path)
    assert.equal(answer.status, 503, `${path} ${answer.text.slice(0, 200)}`)
    assert.match(String(answer.headers['retry-after']), /^\d+$/)
    assertReadable(answer)
  }
  assert.doesNotMatch(server.output(), /\n\s+at /)
})

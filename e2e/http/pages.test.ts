/** Tests what pages have in common: security headers, caching, bypasses by framework headers, request IDs and languages. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { authorize, codeRequest, newProof, type Parameters } from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { send, withQuery } from '../fixtures/requests/http-client.ts'
import { registrationPaths } from '../fixtures/requests/registration-paths.ts'
import { alice } from '../fixtures/server/configuration.ts'
import { logged } from '../fixtures/server/latchkey.ts'
import { app, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const request = (changes: Parameters = {}) =>
  withQuery('/connect/authorize', codeRequest(app, newProof(), changes))

const addresses: readonly string[] = [
  '/',
  '/login',
  '/login/providers',
  '/login/new-password',
  '/login/forgot',
  '/login/forgot/sent',
  '/login/forgot/password',
  '/login/not-me',
  '/login/not-me/done',
  '/login/email-offer',
  ...registrationPaths,
  '/login/keep-account',
  '/login/confirm',
  '/login/link',
  '/login/passkey-offer',
  '/login/second-factor',
  '/login/second-factor/recovery-code',
  '/login/second-factor/passkey',
  '/login/enroll',
  '/logout',
  '/logout/done',
  '/account',
  '/account/password',
  '/account/profile',
  '/account/activity',
  '/account/data',
  '/account/delete',
  '/account/delete/keep',
  '/account/email',
  '/account/email/sent',
  '/account/email/confirm',
  '/account/lost-passkeys',
  '/account/passkeys/add',
  '/account/passkeys',
  '/account/authenticator',
  '/account/authenticator/remove',
  '/account/links/add?provider=none',
  '/account/links/confirm',
  '/account/links/remove',
  '/account/recovery-codes',
  '/account/recovery-codes/download',
  '/consent',
  '/select-account',
  '/playground',
  '/nowhere',
  '/login/nowhere',
  '/connect/authorize',
  '/connect/authorize/resume',
  '/connect/token',
  '/connect/userinfo',
  '/connect/endsession',
  '/connect/nowhere',
  '/connect/accesstokenvalidation',
  '/connect/identitytokenvalidation',
  '/connect/introspect',
  '/connect/revocation',
  '/.well-known/openid-configuration',
  '/.well-known/jwks',
  '/healthz',
  '/readyz',
  '/enhance.js',
  '/login/',
  '//evil.test',
]

describe('WF-01 WF-03 WF-05 AZ-11 responses have the security headers', () => {
  for (const address of addresses) {
    test(`WF-01 ${address} has the security headers`, async () => {
      const answer = await send(latchkey.issuer, address)
      const policy = String(answer.headers['content-security-policy'] ?? '')
      assert.match(policy, /default-src 'none'/)
      assert.match(policy, /frame-ancestors 'none'/)
      assert.match(policy, /base-uri 'none'/)
      assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval/)
      assert.equal(answer.headers['x-frame-options'], 'DENY')
      assert.ok(answer.headers['cross-origin-opener-policy'])
      assert.ok(answer.headers['cross-origin-resource-policy'])
      assert.ok(answer.headers['permissions-policy'])
      assert.equal(answer.headers['referrer-policy'], 'no-referrer')
      assert.equal(answer.headers['x-content-type-options'], 'nosniff')
      assert.equal(answer.headers['x-powered-by'], undefined)
      assert.equal(answer.headers.server, undefined)
      const loaded = [...answer.text.matchAll(/(?:src|href)="(https?:)?\/\/([^"]*)"/g)].map(match => match[0])
      assert.ok(
        loaded.every(link => link.startsWith('href')),
        `loads from elsewhere: ${loaded}`,
      )
    })
  }
})

describe('FW-08 pages with user data are not cached', () => {
  for (const address of [
    '/account',
    '/login',
    '/consent',
    '/logout',
    '/account.css',
    '/account/x.png',
    '/account/..%2fx.css',
  ]) {
    test(`FW-08 ${address} is not cached`, async () => {
      const browser = newBrowser(latchkey.issuer)
      await authorize(browser, codeRequest(app, newProof()))
      const answer = await browser.get(address)
      if (answer.text.includes(alice.name)) assert.match(answer.headers['cache-control'] ?? '', /no-store/)
      assert.doesNotMatch(answer.headers['cache-control'] ?? '', /public/)
    })
  }
})

test('WF-02 a nonce sent by the client is ignored', async () => {
  const headers = { 'content-security-policy': "script-src 'nonce-attacker'", 'x-nonce': 'attacker' }
  for (const address of ['/login', '/', '/nowhere', '/account']) {
    const answer = await send(latchkey.issuer, address, { headers })
    assert.ok(!(answer.text + JSON.stringify(answer.headers)).includes('attacker'), address)
  }
})

describe('FW-01 framework headers and paths bypass no check', () => {
  const tricks: readonly (readonly [string, Record<string, string>])[] = [
    ['/account', { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' }],
    ['/account', { rsc: '1', 'next-router-prefetch': '1' }],
    ['/account?_rsc=x', { rsc: '1' }],
    ['/account.rsc', {}],
    ['/_next/data/x/account.json', {}],
    ['/account/', {}],
    ['//account', {}],
    ['/de/account', {}],
    ['/%61ccount', {}],
    ['/account%2f', {}],
  ]
  for (const [path, headers] of tricks) {
    test(`FW-01 ${path} with ${Object.keys(headers)} bypasses no check`, async () => {
      const answer = await send(latchkey.issuer, path, { headers })
      assert.ok(answer.status < 500, `${answer.status}`)
      assert.ok(!answer.text.includes(alice.name))
    })
  }
})

test('FW-04 server actions are not exposed on public pages', async () => {
  for (const path of ['/login', '/consent', '/', '/logout']) {
    const answer = await send(latchkey.issuer, path, {
      body: '["x"]',
      headers: { 'next-action': 'a'.repeat(42), 'content-type': 'text/plain' },
    })
    assert.ok(answer.status >= 400 && answer.status < 500, `${path} ${answer.status}`)
  }
})

test('FW-04 an unreadable state of the router is refused with 400', async () => {
  for (const state of ['garbage', '%5B', '%', '%5B1%5D']) {
    const headers = { rsc: '1', 'next-router-state-tree': state }
    // Next first redirects to an address that contains a hash of these headers
    const asked = await send(latchkey.issuer, '/admin', { headers })
    const answer = await send(latchkey.issuer, asked.headers.location ?? '/admin', { headers })
    assert.equal(answer.status, 400, state)
  }
})

test('FW-06 the image optimizer and protocol upgrades are off', async () => {
  const image = await send(latchkey.issuer, '/_next/image?url=http%3A%2F%2F127.0.0.1%3A9%2Fx&w=64&q=75')
  assert.ok([400, 404].includes(image.status), String(image.status))
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    'sec-websocket-version': '13',
  }
  for (const path of ['/', '/login', '/connect/token', '/_next/webpack-hmr', '/_next/hmr']) {
    const [asked, plain] = [await send(latchkey.issuer, path, { headers }), await send(latchkey.issuer, path)]
    assert.equal(asked.status, plain.status, `${path} is answered like without the upgrade`)
    assert.equal(asked.headers.upgrade, undefined)
  }
})

describe('LG-05 a refusal has a request ID in the header, on the page and in the log', () => {
  for (const address of [
    '/connect/authorize',
    '/connect/authorize?client_id=unknown&redirect_uri=https://x.test',
    '/connect/authorize/resume?pending=x',
  ]) {
    test(`LG-05 the refusal of ${address} has a request ID`, async () => {
      const answer = await send(latchkey.issuer, address)
      assert.equal(answer.status, 400)
      const reference = String(answer.headers['x-reference-id'])
      assert.match(reference, /^[2-9A-Z]{4}-[2-9A-Z]{4}$/)
      assert.ok(answer.text.includes(reference))
      await logged(latchkey.server, reference)
    })
  }
})

describe('ui_locales takes precedence over the languages of the browser', () => {
  const english = { 'accept-language': 'en' }
  test('an error page uses the language of ui_locales', async () => {
    const page = await send(latchkey.issuer, '/connect/authorize?client_id=unknown&ui_locales=fr%20de', {
      headers: english,
    })
    assert.match(page.text, /<html lang="de"/)
    const unreadable = await send(latchkey.issuer, '/connect/authorize?client_id=%zz&ui_locales=de', {
      headers: english,
    })
    assert.match(unreadable.text, /<html lang="de"/)
  })
  test('a form_post page uses the language of ui_locales, with and without a sign-in', async () => {
    const asked = { response_mode: 'form_post', ui_locales: 'de' }
    const silent = await send(latchkey.issuer, request({ ...asked, prompt: 'none' }), { headers: english })
    assert.match(silent.text, /<html lang="de"/)
    const browser = newBrowser(latchkey.issuer)
    const visit = await authorize(browser, codeRequest(app, newProof(), asked))
    assert.match(visit.answer.text, /<html lang="de"/)
    assert.match(visit.answer.text, /name="code"/)
  })
})

test('LG-02 line breaks and color codes in names do not break the log line', async () => {
  const browser = newBrowser(latchkey.issuer)
  const visit = await browser.follow(request())
  await browser.submit(visit, { username: 'eve\r\n{"level":30,"msg":"forged"}\u001b[31m', password: 'x' })
  for (const line of latchkey.server
    .output()
    .split('\n')
    .filter(text => text.startsWith('{'))) {
    assert.notEqual(JSON.parse(line).msg, 'forged')
    assert.ok(!line.includes('\u001b'))
  }
})

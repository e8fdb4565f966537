/** Tests HSTS, the cookies of the server, and that forms of other sites are refused. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { authorize, codeRequest, newProof, type Parameters } from '../fixtures/requests/code-flow.ts'
import { type HttpBrowser, newBrowser, readForm } from '../fixtures/requests/http-browser.ts'
import { type Answer, send, withQuery } from '../fixtures/requests/http-client.ts'
import { registrationPaths } from '../fixtures/requests/registration-paths.ts'
import { alice } from '../fixtures/server/configuration.ts'
import { app, secureLatchkey, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const secure = secureLatchkey()
const request = (changes: Parameters = {}) =>
  withQuery('/connect/authorize', codeRequest(app, newProof(), changes))

test('WF-03 responses contain HSTS with an https issuer', async () => {
  for (const address of ['/login', '/connect/token', '/.well-known/jwks', '/nowhere']) {
    const answer = await send(secure.server.origin, address)
    const [, age = '0'] =
      /max-age=(\d+); includeSubDomains/.exec(String(answer.headers['strict-transport-security'])) ?? []
    assert.ok(Number(age) >= 31_536_000, address)
  }
})

describe('SE-03 cookies', () => {
  test('SE-03 cookies are __Host-, Secure, HttpOnly and SameSite=Lax, with Path=/ and no Domain', async () => {
    const first = await send(secure.server.origin, request())
    const cookies = [...first.cookies]
    const jar = first.cookies.map(line => line.split(';')[0]).join('; ')
    const login = await send(secure.server.origin, pathOf(first.headers.location), {
      headers: { cookie: jar },
    })
    const form = readForm(login.text)
    const answer = await send(secure.server.origin, form.action, {
      form: [...form.hidden, ['username', alice.username], ['password', alice.password]],
      headers: { cookie: jar, origin: 'https://id.example.org', 'sec-fetch-site': 'same-origin' },
    })
    cookies.push(...answer.cookies)
    assert.ok(
      cookies.some(line => line.startsWith('__Host-latchkey_session=ses_')),
      cookies.join('\n'),
    )
    for (const line of cookies) {
      assert.match(line, /^__Host-/)
      assert.match(line, /; ?Secure/i)
      assert.match(line, /; ?HttpOnly/i)
      assert.match(line, /; ?Path=\/(;|$)/i)
      assert.match(line, /; ?SameSite=Lax/i)
      assert.doesNotMatch(line, /Domain=/i)
    }
  })
  test('SE-02 a session cookie set before the sign-in never becomes valid, and each sign-in creates a new one', async () => {
    const browser = newBrowser(latchkey.issuer)
    const planted = `ses_${'a'.repeat(43)}`
    browser.cookies.set('latchkey_session', planted)
    await authorize(browser, codeRequest(app, newProof()))
    const first = browser.cookies.get('latchkey_session')
    assert.match(first ?? '', /^ses_/)
    assert.notEqual(first, planted)
    await authorize(browser, codeRequest(app, newProof(), { prompt: 'login' }))
    const second = browser.cookies.get('latchkey_session')
    assert.notEqual(second, first)
    const old = newBrowser(latchkey.issuer)
    old.cookies.set('latchkey_session', first ?? '')
    assert.ok(!(await old.get('/account')).text.includes(alice.name), 'the old one is dead')
  })
  for (const [name, value] of [
    ['malformed', 'nonsense'],
    ['empty', ''],
    ['oversized', 'a'.repeat(5000)],
    ['percent', '%zz'],
    ['quoted', '"ses_x"'],
  ] as const) {
    test(`SE-09 a ${name} session cookie counts as signed out`, async () => {
      const answer = await send(latchkey.issuer, '/account', {
        headers: { cookie: `latchkey_session=${value}` },
      })
      assert.ok(answer.status < 500)
      assert.ok(!answer.text.includes(alice.name))
    })
  }
})

describe('WF-04 forms from other sites are refused', () => {
  const posts = [
    '/login',
    '/login/providers',
    '/login/new-password',
    '/login/forgot',
    '/login/forgot/sent',
    '/login/forgot/password',
    '/login/not-me',
    '/login/email-offer',
    ...registrationPaths,
    '/login/confirm',
    '/login/confirm/passkey/options',
    '/login/link',
    '/login/passkey-offer',
    '/login/passkey-offer/options',
    '/login/cancel',
    '/language',
    '/login/second-factor',
    '/login/second-factor/recovery-code',
    '/login/second-factor/passkey',
    '/login/second-factor/passkey/options',
    '/login/passkey',
    '/login/passkey/options',
    '/login/enroll',
    '/login/enroll/passkey',
    '/login/enroll/passkey/options',
    '/consent',
    '/select-account',
    '/logout',
    '/account/apps/revoke',
    '/account/apps/narrow',
    '/account/sessions/end',
    '/account/password',
    '/account/profile',
    '/account/data',
    '/account/delete',
    '/account/delete/keep',
    '/login/keep-account',
    '/account/email',
    '/account/email/sent',
    '/account/email/confirm',
    '/account/lost-passkeys',
    '/account/lost-passkeys/cancel',
    '/account/passkeys/add',
    '/account/passkeys/add/options',
    '/account/passkeys/rename',
    '/account/passkeys/remove',
    '/login/confirm/passkey',
    '/account/authenticator',
    '/account/authenticator/remove',
    '/account/links/add',
    '/account/links/confirm',
    '/account/links/remove',
    '/account/recovery-codes',
    '/account/recovery-codes/saved',
    '/account/trusted-browsers/end',
  ]
  const origins: readonly (readonly [string, Record<string, string>])[] = [
    ['null origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['foreign origin', { origin: 'https://evil.test' }],
    ['another port', { origin: 'http://localhost:1' }],
    ['a sibling', { origin: 'http://x.localhost', 'sec-fetch-site': 'same-site' }],
    ['https instead of http', { origin: 'https://localhost' }],
    ['the browser says cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['the browser says same-site', { 'sec-fetch-site': 'same-site' }],
    ['neither header', {}],
  ]
  let browser: HttpBrowser
  before(async () => {
    browser = newBrowser(latchkey.issuer)
    await authorize(browser, codeRequest(app, newProof()))
  })
  for (const path of posts) {
    for (const [name, headers] of origins) {
      test(`WF-04 ${path} refuses a form with ${name}`, async () => {
        const cookie = [...browser.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
        const answer = await send(latchkey.issuer, path, {
          form: { decision: 'allow', username: 'alice', password: alice.password },
          headers: { cookie, ...headers },
        })
        assert.equal(answer.status, 403, answer.text.slice(0, 300))
        assert.deepEqual(
          answer.cookies.filter(line => line.includes('session=')),
          [],
        )
        assert.ok((await browser.get('/account')).text.includes(alice.name), 'still signed in')
      })
    }
  }
})

function pathOf(location: Answer['headers']['location']): string {
  const url = new URL(location ?? '/', 'https://id.example.org')
  return url.pathname + url.search
}

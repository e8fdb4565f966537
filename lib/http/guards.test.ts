/** Tests of small guards, most of them with a table, and of request IDs. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { isRequestId } from '#lib/protocol/text/request-ids.ts'
import { browserCookie, readCookies, sessionCookie } from './cookies.ts'
import { isPrefetch } from './endpoint.ts'
import { createRequestId } from './request-id.ts'
import { isOwnNavigation, requireSameOrigin } from './same-origin.ts'
import { corsHeaders, preflightHeaders } from './security-headers.ts'
import { backCookie, backPath, readBack } from './step-cookies.ts'

const https = 'https://id.example.org'
const loopback = 'http://localhost:3000'
const handle = (kind: 'session' | 'browser', letter: string) =>
  parseHandle(kind, `${kind === 'session' ? 'ses_' : 'brw_'}${letter.repeat(43)}`)

describe('WF-04 forms from other sites', () => {
  const table: ReadonlyArray<readonly [rule: string, headers: Record<string, string>, passes: boolean]> = [
    ['the browser says same-origin', { 'sec-fetch-site': 'same-origin' }, true],
    [
      'same-origin with Origin: null, as under no-referrer',
      { 'sec-fetch-site': 'same-origin', origin: 'null' },
      true,
    ],
    ['an old browser sends this origin', { origin: https }, true],
    ['cross-site', { 'sec-fetch-site': 'cross-site', origin: https }, false],
    ['same-site', { 'sec-fetch-site': 'same-site', origin: 'https://x.example.org' }, false],
    ['none, which is never a form post', { 'sec-fetch-site': 'none' }, false],
    ['contradiction', { 'sec-fetch-site': 'same-origin', origin: 'https://evil.test' }, false],
    ['only a null origin', { origin: 'null' }, false],
    ['wrong port', { origin: `${https}:8443` }, false],
    ['wrong scheme', { origin: 'http://id.example.org' }, false],
    ['sibling', { origin: 'https://a.id.example.org' }, false],
    ['prefix', { origin: `${https}.evil.test` }, false],
    ['neither header', {}, false],
  ]
  for (const [rule, headers, passes] of table) {
    test(`WF-04 origin check: ${rule}`, () => {
      const check = () => requireSameOrigin(new Request(https, { method: 'POST', headers }), https)
      if (passes) return check()
      assert.throws(check, error => isOauthError(error) && error.code === 'cross_site_post')
    })
  }
  test('WF-04 the error for another loopback name contains the address to open', () => {
    const headers = { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:3000' }
    const request = new Request('http://127.0.0.1:3000/login', { method: 'POST', headers })
    assert.throws(() => requireSameOrigin(request, 'http://localhost:3000'), {
      description: 'Forms are only taken from pages at http://localhost:3000: open that address.',
    })
  })
})

describe('TK-15 the headers that a preflight allows', () => {
  const allowed = (asked: string | null) => {
    const request = new Request(https)
    if (asked !== null) request.headers.set('access-control-request-headers', asked)
    return preflightHeaders(request, ['POST'])
  }
  const usual = 'Authorization, Content-Type'
  const table: ReadonlyArray<readonly [asked: string | null, expected: string]> = [
    ['x-requested-with,traceparent', 'x-requested-with,traceparent'],
    ['content-type, x-app', 'content-type, x-app'],
    [null, usual],
    ['*', '*'],
    ['x a', usual],
    ['x-a;b', usual],
    ['x,', usual],
    [`x-${'a'.repeat(1000)}`, usual],
  ]
  for (const [asked, expected] of table) {
    test(`TK-15 a request for ${String(asked).slice(0, 40)} allows ${expected.slice(0, 40)}`, () => {
      const headers = allowed(asked)
      assert.equal(headers['access-control-allow-headers'], expected)
      assert.equal(headers.vary, 'Origin, Access-Control-Request-Headers')
      assert.equal(headers['access-control-allow-credentials'], undefined)
    })
  }
})

describe('AZ-28 prefetch', () => {
  const table: ReadonlyArray<readonly [headers: Record<string, string>, expected: boolean]> = [
    [{ 'sec-purpose': 'prefetch' }, true],
    [{ 'sec-purpose': 'prefetch;prerender' }, true],
    [{ purpose: 'prefetch' }, true],
    [{ 'x-moz': 'prefetch' }, true],
    [{ 'next-router-prefetch': '1' }, true],
    [{ purpose: 'reading' }, false],
    [{}, false],
  ]
  for (const [headers, expected] of table) {
    test(`AZ-28 ${JSON.stringify(headers)} is ${expected ? '' : 'not '}a prefetch`, () =>
      assert.equal(isPrefetch(new Headers(headers)), expected))
  }
})

describe('WF-04 navigations from this site', () => {
  const table: ReadonlyArray<readonly [site: string | null, expected: boolean]> = [
    ['same-origin', true],
    ['none', true],
    ['same-site', false],
    ['cross-site', false],
    ['Same-Origin', false],
    ['', false],
    [null, false],
  ]
  for (const [site, expected] of table) {
    const headers: Record<string, string> = site === null ? {} : { 'sec-fetch-site': site }
    test(`WF-04 Sec-Fetch-Site ${site} is ${expected ? '' : 'not '}an own navigation`, () =>
      assert.equal(isOwnNavigation(new Request(https, { headers })), expected))
  }
})

describe('SE-03 SE-09 cookies', () => {
  const session = handle('session', 'a')
  test('SE-03 cookies over https are __Host-, Secure, HttpOnly and Lax, without Domain', () => {
    assert.ok(session !== null)
    const line = sessionCookie({ session, persistSeconds: null }, https)
    assert.equal(line, `__Host-latchkey_session=${session}; Path=/; HttpOnly; SameSite=Lax; Secure`)
  })
  test('SE-03 cookies on loopback have neither prefix nor Secure', () => {
    const browser = handle('browser', 'b')
    assert.ok(browser !== null)
    assert.equal(
      browserCookie(browser, loopback),
      `latchkey_browser=${browser}; Path=/; HttpOnly; SameSite=Lax`,
    )
  })
  test('SE-05 the cookie of a remembered session has its lifetime', () => {
    assert.ok(session !== null)
    assert.match(sessionCookie({ session, persistSeconds: 60 }, https), /; Max-Age=60$/)
  })
  const other = handle('session', 'z')
  const table: ReadonlyArray<
    readonly [rule: string, header: string | null, issuer: string, expected: string | null]
  > = [
    ['a valid session is read', `a=b; __Host-latchkey_session=${session}`, https, session],
    ['a session without prefix is read on loopback', `latchkey_session=${session}`, loopback, session],
    ['one without prefix over https is ignored', `latchkey_session=${session}`, https, null],
    [
      'two with the same name are ignored',
      `latchkey_session=${session}; latchkey_session=${other}`,
      loopback,
      null,
    ],
    ['a malformed value is ignored', 'latchkey_session=ses_short', loopback, null],
    ['a handle of another kind is ignored', `latchkey_session=${handle('browser', 'a')}`, loopback, null],
    ['a quoted value is ignored', `latchkey_session="${session}"`, loopback, null],
    ['one with a longer name is ignored', `xlatchkey_session=${session}`, loopback, null],
    ['no header gives no session', null, https, null],
  ]
  for (const [rule, header, issuer, expected] of table) {
    test(`SE-09 cookie: ${rule}`, () => assert.equal(readCookies(header, issuer).session, expected))
  }
})

describe('UXC-07 WF-07 the page to return to after the sign-in', () => {
  const table: ReadonlyArray<readonly [path: string | undefined, expected: string | null]> = [
    ['/account', '/account'],
    ['/account?x=1&y=a%20b', '/account?x=1&y=a%20b'],
    ['/login/../account', '/account'],
    ['/account/passkeys?x=1', '/account/passkeys?x=1'],
    ['/accounts', null],
    ['/account/../admin', null],
    ['/account/apps/revoke', null],
    ['/connect/endsession', null],
    ['//evil.test/account', null],
    ['/\\evil.test/account', null],
    ['https://evil.test/account', null],
    ['/account?x=\n', null],
    [`/account?${'x'.repeat(1000)}`, null],
    ['', null],
    [undefined, null],
  ]
  for (const [path, expected] of table) {
    test(`WF-07 ${expected === null ? 'refuses' : 'accepts'} the page ${String(path).slice(0, 40)}`, () =>
      assert.equal(backPath(path), expected))
  }
  test('WF-07 the page in the cookie is validated when it is read', () => {
    const sent = backCookie('/account?x=1;2', https).split(';')[0] ?? ''
    assert.equal(readBack(sent, https), '/account?x=1;2')
    for (const value of ['//evil.test', '%2F%2Fevil.test', '%', 'https%3A%2F%2Fevil.test', '']) {
      assert.equal(readBack(`__Host-latchkey_back=${value}`, https), null, value)
    }
  })
})

describe('TK-15 CORS', () => {
  const allows = async (origin: string) => origin === 'https://app.test' || origin === 'null'
  const ask = (headers: Record<string, string>) => corsHeaders(new Request(https, { headers }), allows)
  test('TK-15 a registered origin is allowed, without credentials', async () => {
    const headers = await ask({ origin: 'https://app.test' })
    assert.equal(headers['access-control-allow-origin'], 'https://app.test')
    assert.equal(headers['access-control-allow-credentials'], undefined)
    assert.equal(headers.vary, 'Origin')
  })
  for (const origin of ['https://evil.test', 'null']) {
    test(`TK-15 ${origin} gets no CORS headers`, async () =>
      assert.deepEqual(await ask({ origin }), { vary: 'Origin' }))
  }
  test('TK-15 a request without Origin gets no CORS headers', async () =>
    assert.deepEqual(await ask({}), { vary: 'Origin' }))
})

test('request IDs are well-formed and different', () => {
  const ids = Array.from({ length: 1000 }, () => createRequestId())
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.ok(isRequestId(id), id)
})

test('request IDs issued within a few hours sort by time, byte by byte', () => {
  const start = Date.parse('2026-11-20T12:00:00Z')
  const ids = [0, 100, 1000, 60_000, 3_600_000].map(later => createRequestId(start + later))
  assert.deepEqual(ids.toSorted(), ids)
})

test('any two request IDs of one moment differ in at least two letters, so a misheard letter finds no other one', () => {
  const start = Date.parse('2026-11-20T12:00:00Z')
  const ids = Array.from({ length: 1000 }, (_, index) => createRequestId(start + Math.floor(index / 2)))
  const blocks = Object.values(Object.groupBy(ids, id => id.slice(0, 4)))
  assert.equal(blocks.length, 5)
  const isNear = (left: string, right: string) =>
    [...left].filter((sign, at) => sign !== right[at]).length < 2
  for (const block of blocks)
    for (const [index, id] of (block ?? []).entries())
      assert.deepEqual(
        block?.slice(0, index).filter(other => isNear(id, other)),
        [],
      )
})

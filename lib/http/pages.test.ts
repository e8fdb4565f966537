/** Tests the pages that every endpoint may return, and the conversion of authorization outcomes. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import type { ResponseTarget } from '#lib/core/authorize/response-target.ts'
import { catalog, type ErrorCode } from '#lib/errors/catalog.ts'
import { locales } from '#lib/i18n/locales.ts'
import { clientIdSchema, parseHandle, providerSchemeSchema } from '#lib/protocol/ids.ts'
import { formPostReply, respondAuthorize } from './authorize.ts'
import { errorPageReply, isInDashboard, type RefusedVisit } from './error-page.ts'
import type { Exchange } from './exchange.ts'
import { refusalFromCode } from './http-refusal.ts'
import { pageFrame } from './page-frame.ts'

const hostile = `"><script>alert(1)</script>&'`
const browser = parseHandle('browser', `brw_${'b'.repeat(43)}`)
const pending = parseHandle('pending', `req_${'p'.repeat(43)}`)
assert.ok(browser !== null && pending !== null)

function exchangeAt(issuer: string): Exchange {
  return {
    request: new Request(issuer),
    services: {
      config: { issuer, siteName: hostile, isLoopback: issuer.startsWith('http:') },
      log: { request: () => {}, failure: () => {} },
      allowsOrigin: async () => false,
    },
    context: { requestId: '7QK4-M2P9', address: null, userAgent: null },
    cookies: {
      session: null,
      sessions: [],
      browser: null,
      knownBrowser: null,
      trustedBrowsers: [],
      locale: null,
      theme: 'system',
      admin: null,
    },
    segments: {},
  }
}

/**
 * Makes a target without verification: only `response-target.ts` makes real ones, but the writer needs only the plain
 * fields.
 */
function addressTo(redirectUri: string, responseMode: ResponseTarget['responseMode']): ResponseTarget {
  const uiLocales: readonly string[] = []
  const fields = {
    clientId: clientIdSchema.parse('web'),
    clientName: hostile,
    redirectUri,
    responseMode,
    state: null,
    uiLocales,
  }
  return fields as ResponseTarget
}

type Shown = Omit<RefusedVisit, 'refused' | 'config'> & {
  readonly code: ErrorCode
  readonly siteName?: string
  /** The details, which are shown on a local server only. */
  readonly description?: string
}

/** Returns the HTML of an error page; with a `description`, as developers see it. */
function errorPage({ code, siteName = 'Latchkey', description, ...visit }: Shown): string {
  const refused = refusalFromCode(code, description ?? null)
  const isLoopback = description !== undefined
  const config = { issuer: 'https://id.example.org', siteName, isLoopback }
  return errorPageReply({ ...visit, refused, config }).body ?? ''
}

const exchange = exchangeAt('https://id.example.org')
const fields = [
  ['code', 'code_x'],
  ['state', `a b&c=${hostile}`],
] as const

describe('AZ-10 the form_post page', () => {
  const reply = formPostReply(pageFrame(exchange), {
    clientId: 'web',
    clientName: hostile,
    redirectUri: `https://x.test/?a="b"`,
    fields,
  })
  const html = reply.body ?? ''
  test('AZ-10 the form_post page escapes values', () => {
    assert.equal(html.match(/<script/g)?.length, 1)
    assert.ok(html.includes('value="a b&amp;c=&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&#x27;"'))
    assert.ok(html.includes('action="https://x.test/?a=&quot;b&quot;"'))
  })
  test('AZ-10 only the origin that receives the response may frame the form_post page', () => {
    const policyFor = (redirectUri: string) =>
      formPostReply(pageFrame(exchange), { clientId: 'web', clientName: 'Web', redirectUri, fields }).headers[
        'content-security-policy'
      ]
    assert.match(
      policyFor('https://x.test:8443/callback?a=;b') ?? '',
      /; frame-ancestors https:\/\/x\.test:8443$/,
    )
    assert.match(policyFor('com.example.app:/callback') ?? '', /; frame-ancestors 'none'$/)
  })
  test('AZ-10 the policy of the form_post page allows only its script, by hash', () => {
    const script = /<script>(.*)<\/script>/.exec(html)?.[1] ?? ''
    const hash = createHash('sha256').update(script).digest('base64')
    const policy = reply.headers['content-security-policy'] ?? ''
    assert.ok(policy.includes(`script-src 'sha256-${hash}'`))
    assert.ok(!policy.includes('unsafe') && !policy.includes('form-action'))
  })
  test('AZ-10 the form_post page has a visible button without script', () =>
    assert.match(html, /<button type="submit"[^>]*>Continue</))
  test('AZ-10 the form_post page loads nothing from other origins', () => {
    for (const [, address] of html.matchAll(/(?:src|href)="([^"]*)"/g))
      assert.match(address ?? '', /^\/(?!\/)/)
  })
})

describe('authorization outcomes', () => {
  test('a query response keeps the query of the redirect URI and encodes the parameters', () => {
    const reply = respondAuthorize(
      { kind: 'respond', to: addressTo('https://x.test/cb?a=1', 'query'), fields },
      exchange,
      browser,
    )
    assert.equal(reply.status, 303)
    const { location = '' } = reply.headers
    assert.ok(location.startsWith('https://x.test/cb?a=1&code=code_x&state=a%20b%26c%3D'))
    assert.equal(new URL(location).searchParams.get('state'), `a b&c=${hostile}`)
  })
  test('a fragment response has its parameters in the fragment', () => {
    const reply = respondAuthorize(
      { kind: 'respond', to: addressTo('app:/cb', 'fragment'), fields },
      exchange,
      browser,
    )
    assert.ok(reply.headers.location?.startsWith('app:/cb#code=code_x&state='))
  })
  test('a form_post response is a page, not a redirect', () => {
    const reply = respondAuthorize(
      { kind: 'respond', to: addressTo('https://x.test', 'form_post'), fields },
      exchange,
      browser,
    )
    assert.equal(reply.status, 200)
    assert.equal(reply.headers.location, undefined)
  })
  const pauses = [
    ['login', '/login'],
    ['providers', '/login/providers'],
    ['select_account', '/select-account'],
    ['step_up', '/login/step-up'],
    ['consent', '/consent'],
  ] as const
  for (const [at, path] of pauses) {
    test(`AZ-08 a redirect to ${at} is a 303 that sets the browser cookie`, () => {
      const reply = respondAuthorize({ kind: 'interact', at, pending }, exchange, browser)
      assert.equal(reply.status, 303)
      assert.equal(reply.headers.location, `${path}?pending=${pending}`)
      assert.deepEqual(reply.cookies.length, 1)
    })
  }
  test('a redirect to a provider goes through the start address of this server', () => {
    const scheme = providerSchemeSchema.parse('acme')
    const reply = respondAuthorize({ kind: 'forward', scheme, pending }, exchange, browser)
    assert.equal(reply.headers.location, `/login/external/acme/start?pending=${pending}`)
  })
  test('AZ-03 an error that must not redirect is a page with its status', () => {
    const error = { reason: 'redirect_uri_mismatch', clientName: null } as const
    const reply = respondAuthorize({ kind: 'error_page', error }, exchange, browser)
    assert.equal(reply.status, 400)
    assert.equal(reply.headers.location, undefined)
    assert.equal(reply.cookies.length, 0)
    assert.doesNotMatch(reply.body ?? '', /http-equiv|<script>/)
    assert.ok(reply.body?.includes('7QK4-M2P9'))
  })
  for (const [issuer, isShown] of [
    ['http://localhost:3000', true],
    ['https://id.example.org', false],
  ] as const) {
    test(`the explanation for developers is ${isShown ? 'shown' : 'hidden'} at ${issuer}`, () => {
      const error = { reason: 'client_id_missing', clientName: null } as const
      const reply = respondAuthorize({ kind: 'error_page', error }, exchangeAt(issuer), null)
      assert.equal(reply.body?.includes('client_id is missing.'), isShown)
    })
  }
})

test('CN-09 hidden and reordering characters of a name are removed', () => {
  const clientName = `Bank\u202egpj.exe\u200b${'x'.repeat(200)}`
  const page = formPostReply(pageFrame(exchange), {
    clientId: 'web',
    clientName,
    redirectUri: 'https://x.test',
    fields,
  })
  const error = { reason: 'redirect_uri_not_sent', clientName } as const
  const refusal = respondAuthorize({ kind: 'error_page', error }, exchangeAt('http://localhost:3000'), null)
  for (const body of [page.body ?? '', refusal.body ?? '']) {
    assert.doesNotMatch(body, /[\u202e\u200b]|x{60}/)
    assert.match(body, /Bankgpj\.exe/)
  }
})

test('a page of a temporary error offers to try again, except after a POST', () => {
  const page = {
    locale: 'en',
    requestId: 'R',
    clientName: null,
  } as const
  const rows = [
    ['temporarily_unavailable', true, true],
    ['temporarily_unavailable', false, false],
    ['unknown_client', true, false],
  ] as const
  for (const [code, isRepeatable, offers] of rows) {
    assert.equal(
      errorPage({ ...page, code, isRepeatable }).includes('<a class="btn wide" href="">'),
      offers,
      code,
    )
  }
})

test('WF-06 error pages of every code and language escape what they show', () => {
  for (const locale of locales) {
    for (const name of Object.keys(catalog)) {
      const code = name as ErrorCode
      const page = {
        locale,
        code,
        requestId: 'R',
        siteName: hostile,
        clientName: hostile,
        description: hostile,
      }
      const scripts =
        errorPage(page)
          .match(/<script.*?>/g)
          ?.join('') ?? ''
      assert.match(scripts, /^<script src="\/enhance\.js" nonce="[^"]+" defer="">$/)
    }
  }
})

test('AZ-03 the error page for developers shows the sent redirect URI and the registered ones, the closest first', () => {
  const registered = ['https://other.example/back', 'https://app.example/callback']
  const mismatch = { sent: 'https://app.example/callback/<b>', registered }
  const html = errorPage({
    locale: 'en',
    code: 'redirect_uri_mismatch',
    requestId: 'AAAA-BBBB',
    clientName: null,
    description: 'redirect_uri is not exactly one of the registered ones.',
    mismatch,
  })
  assert.match(html, /<dd>https:\/\/app\.example\/callback\/&lt;b&gt;<\/dd>/)
  assert.ok(html.indexOf('app.example/callback</dd>') < html.indexOf('other.example/back</dd>'))
})

describe('themes of error pages, and error pages below the dashboard', () => {
  const page = { locale: 'de', code: 'not_found', requestId: 'AAAA-BBBB', clientName: null } as const

  for (const [theme, attribute] of [
    ['dark', ' data-theme="dark"'],
    ['light', ' data-theme="light"'],
    ['system', ''],
  ] as const) {
    test(`an error page has the theme ${theme}`, () => {
      assert.ok(errorPage({ ...page, theme }).includes(`<html lang="de" dir="ltr"${attribute}>`))
    })
  }

  test('an error page below the dashboard is English and links to the dashboard', () => {
    const html = errorPage({ ...page, isInDashboard: true })
    assert.match(html, /<html lang="en"/)
    assert.match(html, /href="\/admin">Go to the dashboard</)
    assert.doesNotMatch(html, /href="\/"/)
  })

  for (const [path, isInside] of [
    ['/admin', true],
    ['/admin/clients/x', true],
    ['/administrator', false],
    ['/connect/admin', false],
  ] as const) {
    test(`${path} is ${isInside ? '' : 'not '}in the dashboard`, () =>
      assert.equal(isInDashboard(path), isInside))
  }
})

/** Real HTTP in front of a stand-in for Next that writes as Next does. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { pagePolicy } from '#lib/http/page-policy.ts'
import { pageListener } from './page-listener.ts'
import { declarePageOutcomes, reportPageFailure } from './page-outcome.ts'

const referenceId = '7QK4-M2P9'
const config = { issuer: 'https://id.example.org', siteName: 'Latchkey', isLoopback: false }
const blank = '<!DOCTYPE html><html id="__next_error__"><head></head><body></body></html>'
const failures: unknown[] = []
declarePageOutcomes(error => failures.push(error))

type Next = (incoming: IncomingMessage, outgoing: ServerResponse) => void

async function ask(context: TestContext, next: Next, init: RequestInit = {}): Promise<Response> {
  const log = { request: () => {}, failure: () => {} }
  const pages = pageListener({ next, config, log, policy: pagePolicy, isDevelopment: false })
  const server = createServer((incoming, outgoing) =>
    pages(incoming, outgoing, { path: '/login', referenceId, address: '127.0.0.1' }),
  ).listen(0, '127.0.0.1')
  context.after(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return fetch(`http://127.0.0.1:${address.port}/login`, { redirect: 'manual', ...init })
}

/** In several writes and with flushed headers, as Next streams. */
function page(status: number, html: string, headers: Readonly<Record<string, string>> = {}): Next {
  return (_incoming, outgoing) => {
    outgoing.statusCode = status
    outgoing.setHeader('content-type', 'text/html; charset=utf-8')
    for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value)
    outgoing.flushHeaders()
    outgoing.writeHead(status)
    outgoing.write(html.slice(0, 40))
    outgoing.write(Buffer.from(html.slice(40)))
    outgoing.end()
  }
}

test('a page of ours names the status that Next cannot send', async t => {
  const html =
    '<!DOCTYPE html><html><head><meta name="latchkey:status" content="410"/></head><body>x</body></html>'
  const answer = await ask(t, page(200, html))
  assert.deepEqual([answer.status, (await answer.text()).includes('<body>x')], [410, true])
  const quoted = html.replaceAll('"', '&quot;')
  assert.equal((await ask(t, page(200, quoted))).status, 200)
})

test('a page of ours names how long to wait', async t => {
  const head = '<meta name="latchkey:status" content="429"/><meta name="latchkey:retry-after" content="77"/>'
  const answer = await ask(t, page(200, `<!DOCTYPE html><html><head>${head}</head><body>x</body></html>`))
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [429, '77'])
})

describe('a good page', () => {
  const html = [
    '<!DOCTYPE html><html><head><link rel="preload" as="script" href="/_next/a.js"/>',
    '<link rel="stylesheet" href="/_next/a.css"/><script src="/_next/a.js" async=""></script></head>',
    '<body><p>ä &lt;script&gt;kept&lt;/script&gt;</p>',
    '<script src="/enhance.js" nonce="x" defer=""></script>',
    '<script nonce="x">self.push(["\\u003cscript>"])</script></body></html>',
  ].join('\n')
  test('keeps our script, the style and the text, and nothing of the framework’s script', async context => {
    const answer = await ask(context, page(200, html))
    const text = await answer.text()
    assert.equal(answer.status, 200)
    assert.deepEqual(text.match(/<script[^>]*>/g), ['<script src="/enhance.js" nonce="x" defer="">'])
    assert.ok(text.includes('<link rel="stylesheet" href="/_next/a.css"/>'))
    assert.ok(text.includes('ä &lt;script&gt;kept&lt;/script&gt;'))
    assert.ok(!text.includes('as="script"'))
    assert.equal(answer.headers.get('content-length'), String(Buffer.byteLength(text)))
  })
  test('stays whole when its parts are put in place by script', async context => {
    const streamed = '<html><template id="B:0"></template><script>$RC("B:0")</script></html>'
    assert.equal(await (await ask(context, page(200, streamed))).text(), streamed)
  })
  test('of an endpoint is not touched', async context => {
    const own = '<script>document.forms[0].submit()</script>'
    const answer = await ask(context, page(503, own, { 'x-reference-id': 'own' }))
    assert.equal(answer.status, 503)
    assert.equal(await answer.text(), own)
  })
})

describe('a page that failed', () => {
  for (const status of [500, 200]) {
    test(`LG-05 with ${status} is a 500 with words and a reference`, async context => {
      const answer = await ask(context, page(status, blank))
      const text = await answer.text()
      assert.equal(answer.status, 500)
      assert.equal(answer.headers.get('x-reference-id'), referenceId)
      assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/)
      assert.ok(text.includes(referenceId) && text.includes('<h1>'))
    })
  }
  test('LG-06 because the database is away is a 503 that says when to come back', async context => {
    const away = new OauthError('database_unreachable', { retryAfterSeconds: 5 })
    const answer = await ask(context, (incoming, outgoing) => {
      reportPageFailure(away, { pattern: '/login', referenceId })
      page(500, blank)(incoming, outgoing)
    })
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('retry-after'), '5')
    assert.deepEqual(failures, [], 'expected, so no stack in the log')
  })
  test('the cause of one page is not the cause of the next', async context => {
    assert.equal((await ask(context, page(500, blank))).status, 500)
  })
  test('that does not exist is a 404 with words', async context => {
    const answer = await ask(context, page(404, blank))
    assert.equal(answer.status, 404)
    assert.match(await answer.text(), /Page not found/)
  })
  test('without any document is replaced too', async context => {
    const answer = await ask(context, (_incoming, outgoing) => {
      outgoing.statusCode = 500
      outgoing.end('Internal Server Error')
    })
    assert.equal(answer.status, 500)
    assert.match(await answer.text(), /<h1>/)
  })
  test('in the reader’s language', async context => {
    const answer = await ask(context, page(500, blank), { headers: { 'accept-language': 'de' } })
    assert.match(await answer.text(), /<html lang="de"/)
  })
})

test('a redirect carries no page', async context => {
  const answer = await ask(context, page(307, blank, { location: '/login', link: '</a.css>; rel=preload' }))
  assert.equal(answer.headers.get('location'), '/login')
  assert.equal(answer.headers.get('link'), null)
  assert.equal(await answer.text(), '')
})

test('HEAD has the status of GET', async context => {
  const answer = await ask(context, page(500, blank), { method: 'HEAD' })
  assert.equal(answer.status, 500)
  assert.equal(await answer.text(), '')
})

test('FW-01 the framework’s own format of a page cannot be asked for', async context => {
  const seen: Record<string, unknown> = {}
  const asked = {
    rsc: '1',
    'next-router-state-tree': '[]',
    'next-router-prefetch': '1',
    'accept-encoding': 'gzip',
  }
  const next: Next = (incoming, outgoing) => {
    Object.assign(seen, incoming.headers)
    outgoing.end()
  }
  await ask(context, next, { headers: asked })
  // AZ-28 endpoints refuse prefetches by this header
  assert.equal(seen['next-router-prefetch'], '1')
  for (const name of ['rsc', 'next-router-state-tree', 'accept-encoding'])
    assert.equal(seen[name], undefined, name)
})

test('what is no page passes as it comes', async context => {
  const answer = await ask(context, (_incoming, outgoing) => {
    outgoing.setHeader('content-type', 'text/plain')
    outgoing.write('<script></script>')
    outgoing.end()
  })
  assert.equal(answer.headers.get('content-length'), null)
  assert.equal(await answer.text(), '<script></script>')
})

test('a page that failed keeps the theme that was chosen; a made-up one is none', async t => {
  for (const [cookie, attribute] of [
    ['latchkey_theme=dark', ' data-theme="dark"'],
    ['latchkey_theme="><script>', ''],
  ] as const) {
    const answer = await ask(t, page(404, blank), { headers: { cookie } })
    assert.ok((await answer.text()).includes(`<html lang="en" dir="ltr"${attribute}>`), cookie)
  }
})

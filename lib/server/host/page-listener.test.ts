/** Tests what the server adds to the responses of Next. A function that writes like Next replaces Next. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { pagePolicy } from '#lib/http/page-policy.ts'
import { pageListener } from './page-listener.ts'
import { declarePageOutcomes, reportPageFailure, setPageStatus } from './page-outcome.ts'

const config = { issuer: 'https://id.example.org', siteName: 'Latchkey', isLoopback: false }
const events = { record: () => {} }
type Line = { readonly requestId: string; readonly status: number }

/** Returns the headers of the response, and the lines of the log. */
async function answerOf(path: string, next: (outgoing: ServerResponse) => void) {
  const lines: Line[] = []
  const log = { request: (line: Line) => lines.push(line), failure: () => {} }
  const listener = pageListener({
    dashboard: async () => (_incoming, outgoing) => next(outgoing),
    config,
    log,
    events,
    policy: pagePolicy,
    isDevelopment: false,
  })
  const request = { path, requestId: '7QK4-M2P9', address: '127.0.0.1' }
  const server = createServer((incoming, outgoing) => listener(incoming, outgoing, request))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const { headers } = await fetch(`http://127.0.0.1:${port}${path}`)
  server.closeAllConnections()
  server.close()
  return { headers, lines }
}

function sends(status: number, type: string, cache: string) {
  return (outgoing: ServerResponse) => {
    outgoing.statusCode = status
    outgoing.setHeader('content-type', type)
    outgoing.setHeader('cache-control', cache)
    outgoing.end('x')
  }
}

describe('FW-08 pages and failures are never cached, whatever Next allows', () => {
  const forever = 's-maxage=31536000'
  const table: ReadonlyArray<readonly [path: string, status: number, type: string, expected: string]> = [
    ['/login', 200, 'text/html; charset=utf-8', 'no-store'],
    ['/nowhere', 404, 'text/html; charset=utf-8', 'no-store'],
    ['/nowhere.css', 404, 'text/plain', 'no-store'],
    ['/_next/static/nowhere.js', 404, 'text/plain', 'no-store'],
    ['/login', 500, 'text/html', 'no-store'],
    ['/_next/static/x.js', 200, 'text/javascript', forever],
  ]
  for (const [path, status, type, expected] of table) {
    test(`${status} ${path}`, async () => {
      const { headers } = await answerOf(path, sends(status, type, forever))
      assert.equal(headers.get('cache-control'), expected)
      assert.equal(headers.get('x-reference-id'), '7QK4-M2P9')
    })
  }
})

describe('LG-02 files leave a line only when they are missing', () => {
  for (const [path, status, count] of [
    ['/enhance.js', 200, 0],
    ['/nowhere.css', 404, 1],
    ['/_next/static/nowhere.js', 404, 1],
    ['/nowhere', 404, 1],
    ['/login', 200, 1],
  ] as const) {
    test(`${status} ${path}`, async () => {
      const { lines } = await answerOf(path, sends(status, 'text/plain', 'no-store'))
      assert.deepEqual(
        lines.map(line => line.status),
        Array(count).fill(status),
      )
    })
  }
})

const requestId = '7QK4-M2P9'
const path = '/admin/clients'
const blank = '<!DOCTYPE html><html id="__next_error__"><head></head><body></body></html>'
const failures: unknown[] = []
declarePageOutcomes(error => failures.push(error))

type Next = (incoming: IncomingMessage, outgoing: ServerResponse) => void

async function ask(context: TestContext, next: Next, init: RequestInit = {}): Promise<Response> {
  const log = { request: () => {}, failure: () => {} }
  const dashboard = async () => next
  const pages = pageListener({ dashboard, config, log, events, policy: pagePolicy, isDevelopment: false })
  return fetch(`${await serve(context, pages)}${path}`, { redirect: 'manual', ...init })
}

async function serve(context: TestContext, pages: ReturnType<typeof pageListener>): Promise<string> {
  const server = createServer((incoming, outgoing) =>
    pages(incoming, outgoing, { path, requestId, address: '127.0.0.1' }),
  ).listen(0, '127.0.0.1')
  context.after(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return `http://127.0.0.1:${address.port}`
}

/** Writes a page in several parts and flushes the headers first, as Next does when it streams. */
function page(status: number, html: string): Next {
  return (_incoming, outgoing) => {
    outgoing.statusCode = status
    outgoing.setHeader('content-type', 'text/html; charset=utf-8')
    outgoing.flushHeaders()
    outgoing.write(html.slice(0, 40))
    outgoing.write(Buffer.from(html.slice(40)))
    outgoing.end()
  }
}

test('a good page passes unchanged', async context => {
  const html = '<!DOCTYPE html><html><body><script nonce="x">self</script>ä</body></html>'
  const answer = await ask(context, page(200, html))
  assert.deepEqual([answer.status, await answer.text()], [200, html])
})

test('a failed page is replaced by the error page with the request ID', async context => {
  for (const next of [page(500, blank), (_: IncomingMessage, out: ServerResponse) => fail(out)]) {
    const answer = await ask(context, next)
    const text = await answer.text()
    assert.equal(answer.status, 500)
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.equal(answer.headers.get('x-reference-id'), requestId)
    assert.ok(text.includes(requestId) && text.includes('<h1>') && !text.includes('__next_error__'))
  }
})

function fail(outgoing: ServerResponse): void {
  outgoing.statusCode = 500
  outgoing.end('Internal Server Error')
}

test('LG-06 a page with an unavailable database is a 503 with Retry-After, without a stack in the log', async context => {
  const unavailable = new OauthError('database_unreachable', { retryAfterSeconds: 5 })
  const answer = await ask(context, (incoming, outgoing) => {
    reportPageFailure(unavailable, { pattern: path, requestId })
    page(500, blank)(incoming, outgoing)
  })
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5'])
  assert.deepEqual(failures, [])
  const next = await ask(context, page(500, blank))
  assert.equal(next.status, 500, 'the cause of one page is not the cause of the next')
})

test('a page that draws a refusal has the status that it names', async context => {
  for (const status of [403, 404] as const) {
    const answer = await ask(context, (incoming, outgoing) => {
      setPageStatus(requestId, status)
      page(200, '<p>There is no such client</p>')(incoming, outgoing)
    })
    assert.deepEqual([answer.status, await answer.text()], [status, '<p>There is no such client</p>'])
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  }
})

test('HEAD has the status of GET', async context => {
  const answer = await ask(context, page(500, blank), { method: 'HEAD' })
  assert.deepEqual([answer.status, await answer.text()], [500, ''])
})

test('a dashboard that cannot be loaded is a logged 503, until it can', async context => {
  const failed: unknown[] = []
  const error = new Error('no build')
  const results = [() => Promise.reject(error), async () => page(200, '<p>Clients</p>')]
  const log = { request: () => {}, failure: (each: unknown) => failed.push(each) }
  const dashboard = () => results.shift()?.() ?? assert.fail('loaded again')
  const pages = pageListener({ dashboard, config, log, events, policy: pagePolicy, isDevelopment: false })
  const origin = await serve(context, pages)
  const answer = await fetch(`${origin}${path}`)
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5'])
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.match(await answer.text(), new RegExp(requestId))
  assert.deepEqual(failed, [error])
  assert.equal((await fetch(`${origin}${path}`)).status, 200)
})

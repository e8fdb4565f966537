/** Tests the HTTP server over raw connections, because client libraries cannot send most of these requests. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { server as limits } from '#lib/config/limits.ts'
import { declareStampingHost } from '#lib/http/request-context.ts'
import type { Event } from '#lib/ports/events.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { adminAllowList } from './admin-allow-list.ts'
import type { Listener } from './direct-routes.ts'
import { createHttpServer, serve } from './http-server.ts'
import { addressReader } from './request-headers.ts'
import { requestListener } from './request-listener.ts'

const config = { issuer: 'https://id.example.org', siteName: 'Latchkey', isLoopback: false }
const canary = 'hunter2-canary'
const readAddress = addressReader({
  trustProxy: true,
  trustedProxies: ['127.0.0.1'],
  isOnSocket: false,
})
type Line = { readonly requestId: string; readonly status: number; readonly reason?: string | undefined }
const lines: Line[] = []
const unexpected = () => assert.fail('nothing failed')
const log = { request: (line: Line) => lines.push(line), failure: unexpected, write: unexpected }
const refusesAddress = adminAllowList({ adminAddresses: ['10.0.0.0/8', '2001:db8::/32'] })
const recorded: (Event & RequestContext)[] = []
const events = {
  record: (event: Event, context: RequestContext) => recorded.push({ ...event, ...context }),
}
let server: Server

before(async () => {
  server = createHttpServer({ config, log, events, readAddress }, false)
  declareStampingHost()
  const pages = (_incoming: IncomingMessage, outgoing: ServerResponse, { path }: { path: string }) =>
    path.startsWith('/admin') ? outgoing.end('inside') : assert.fail('no page is asked')
  // Waits for the body, as an endpoint does
  const direct = new Map<string, Listener>([
    ['/wait', incoming => incoming.resume().on('error', e => bodyErrors.push(e))],
    ['/limited', refuseAfterOneChunk],
  ])
  const allowsOrigin = async (origin: string) => origin === 'https://app.test'
  const hosts = {
    allowsOrigin,
    config,
    log,
    direct,
    pages,
    readAddress,
    refusesAddress,
    events,
    isDevelopment: false,
  }
  serve(server, requestListener(hosts))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(() => server.close())
beforeEach(() => {
  lines.length = 0
  bodyErrors.length = 0
  recorded.length = 0
})
const bodyErrors: NodeJS.ErrnoException[] = []

/** Refuses a body after its first part, as `lib/http/read-params.ts` does. */
async function refuseAfterOneChunk(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  await Readable.toWeb(incoming).getReader().read()
  outgoing.writeHead(413).end()
}

/** Sends a request and returns the whole response, until the connection ends. */
async function exchange(text: string): Promise<string> {
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1', () => socket.write(text))
  const chunks: Buffer[] = []
  socket.on('data', chunk => chunks.push(chunk))
  socket.on('error', () => {})
  await new Promise(resolve => socket.once('close', resolve))
  return Buffer.concat(chunks).toString()
}

const asked = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n')
const long = `x=${canary}${'a'.repeat(33_000)}`

describe('WF-01 WF-03 an early refusal has the security headers, a request ID and a line in the log', () => {
  const table: ReadonlyArray<readonly [rule: string, text: string, status: number, reason: string]> = [
    ['a bad host', asked('GET /login', 'Host: ['), 400, 'bad_host'],
    ['a port out of range', asked('GET /login', 'Host: evil.com:99999'), 400, 'bad_host'],
    ['an empty host', asked('GET /login', 'Host:'), 400, 'bad_host'],
    ['no host', asked('GET /login'), 400, 'bad_host'],
    ['two hosts', asked('GET /login', 'Host: a.test', 'Host: b.test'), 400, 'bad_host'],
    [
      'a path that cannot be decoded',
      asked('GET /admin/clients/%E0%A4%A', 'Host: a.test'),
      400,
      'bad_target',
    ],
    ['another server', asked('GET http://evil.test/', 'Host: a.test'), 400, 'bad_target'],
    ['TRACE', asked('TRACE /login', 'Host: a.test'), 501, 'method_unknown'],
    ['CONNECT', asked('CONNECT evil.test:443', 'Host: evil.test:443'), 501, 'method_unknown'],
    ['an odd Expect', asked('GET /login', 'Host: a.test', 'Expect: tea'), 417, 'expectation'],
    ['a hidden path', asked('GET /.env', 'Host: a.test'), 404, 'not_found'],
    [
      'a post to a page',
      asked('POST /login', 'Host: a.test', 'Content-Length: 0'),
      405,
      'method_not_allowed',
    ],
    ['an upgrade is ignored', asked('GET /.env', 'Host: a.test', 'Upgrade: websocket'), 404, 'not_found'],
    ['no HTTP', `${canary}\r\n\r\n`, 400, 'malformed'],
    ['a bad header', asked('GET /login', 'Host: a.test', `x y: ${canary}`), 400, 'malformed'],
    ['SE-08 long cookies', asked('GET /login', 'Host: a.test', `Cookie: ${long}`), 431, 'cookies_too_long'],
    [
      'SE-08 many cookies',
      asked('GET /login', 'Host: a.test', `Cookie: ${'a=b; '.repeat(200)}`),
      431,
      'cookies_too_long',
    ],
    ['a long address', asked(`GET /login?${long}`, 'Host: a.test'), 414, 'address_too_long'],
    ['a long path', asked(`GET /admin/${'a/'.repeat(2048)}`, 'Host: a.test'), 414, 'address_too_long'],
    [
      'many parameters',
      asked(`GET /_next/static/a.js?${'a&'.repeat(200)}`, 'Host: a.test'),
      400,
      'too_many_parameters',
    ],
    [
      'a long header',
      asked('GET /admin', 'Host: a.test', `Accept: ${'a'.repeat(8191)}`),
      431,
      'header_too_long',
    ],
    [
      'many headers',
      asked('GET /admin', ...Array.from({ length: 101 }, (_, index) => `x-${index}: a`)),
      431,
      'too_many_headers',
    ],
    ['headers without end', asked('GET /login', `x: ${long}${long}`), 431, 'headers_too_long'],
    ['an address without end', asked(`GET /?${long}${long}`), 431, 'headers_too_long'],
  ]
  for (const [rule, text, status, reason] of table) {
    test(rule, async () => {
      const answer = await exchange(text)
      assert.ok(answer.startsWith(`HTTP/1.1 ${status} `), answer.slice(0, 40))
      assert.match(answer, /\r\ncontent-security-policy: default-src 'none'/)
      assert.match(answer, /\r\nstrict-transport-security: /)
      assert.match(answer, /\r\nx-content-type-options: nosniff\r\n/)
      assert.match(answer, /\r\ncache-control: no-store\r\n/)
      assert.match(answer, /\r\nconnection: close\r\n/i)
      assert.ok(!answer.includes(canary) && !JSON.stringify(lines).includes(canary))
      assert.deepEqual(
        lines.map(line => [line.status, line.reason]),
        [[status, reason]],
      )
      const [, reference = 'none'] = /\r\nx-reference-id: (\S+)/.exec(answer) ?? []
      assert.equal(reference, lines[0]?.requestId)
      const page = answer.split('\r\n\r\n')[1] ?? ''
      assert.ok(page.includes(reference), 'the page shows the same request ID')
      // A request for an unknown path is only in the log
      const isTraced = status !== 404
      const events = recorded.map(event => [event.name, event.reason, event.requestId])
      assert.deepEqual(events, isTraced ? [['request_refused', reason, reference]] : [])
    })
  }
})

describe('SE-08 LO-03 cookies are cleared when they are too long, but not for a long address', () => {
  test('long cookies', async () => {
    assert.match(
      await exchange(asked('GET /login', 'Host: a.test', `Cookie: ${long}`)),
      /clear-site-data: "cookies"/,
    )
  })
  test('a long address', async () => {
    assert.doesNotMatch(await exchange(asked(`GET /?${long}${long}`, 'Host: a.test')), /clear-site-data/)
  })
})

describe('a body that never arrives completely', () => {
  const head = asked('POST /wait', 'Host: a.test', 'Transfer-Encoding: chunked')
  test('the client gets a 400, and the reader of the body gets the error', async () => {
    assert.match(await exchange(`${head}5\r\na=b&c\r\nnonsense\r\n`), /^HTTP\/1.1 400 /)
    assert.match(bodyErrors[0]?.code ?? '', /^HPE_/)
    assert.deepEqual(lines, [])
  })
  test('a body that is too slow is a 408', async () => {
    server.once('request', incoming => setImmediate(timeOut, incoming.socket))
    assert.match(await exchange(head), /^HTTP\/1.1 408 /)
    assert.equal(bodyErrors[0]?.code, 'ERR_HTTP_REQUEST_TIMEOUT')
  })
})

describe('AD-09 only listed addresses can reach the dashboard', () => {
  const from = (address: string, line = 'GET /admin/keys') =>
    asked(line, 'Host: a.test', 'User-Agent: Mallory', `X-Forwarded-For: ${address}`)

  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '[2001:db8::5]:443']) {
    test(`${address} can reach it`, async () => {
      assert.match(await exchange(from(address)), /^HTTP\/1.1 200 .*inside/s)
      assert.deepEqual(recorded, [])
    })
  }
  test('another address gets 403 with a request ID, a line in the log, and an event with the reason', async () => {
    const answer = await exchange(from('10.1.2.3, 203.0.113.9'))
    assert.match(answer, /^HTTP\/1.1 403 .*restricted to certain networks/s)
    const [, requestId] = /x-reference-id: (\S+)/i.exec(answer) ?? []
    assert.ok(requestId !== undefined && answer.includes(`>${requestId}<`))
    const seen = { requestId, address: '203.0.113.9', userAgent: 'Mallory' }
    const why = { outcome: 'failure', reason: 'address_not_allowed', details: { endpoint: '/admin' } }
    assert.deepEqual(recorded, [{ name: 'admin_refused', ...why, ...seen }])
    assert.partialDeepStrictEqual(lines, [{ requestId, status: 403, reason: 'address_not_allowed' }])
  })
  test('a caller of the API gets a problem instead of a page', async () => {
    const answer = await exchange(from('203.0.113.9', 'DELETE /api/admin/clients/web'))
    assert.match(answer, /^HTTP\/1.1 403 .*application\/problem\+json.*"status":403/s)
    assert.deepEqual(recorded[0]?.details, { endpoint: '/api/admin' })
  })
})

test('HTTP/1.0 needs no Host, which health checks of some proxies omit', async () => {
  const answer = await exchange('GET /admin HTTP/1.0\r\nX-Forwarded-For: 10.1.2.3\r\n\r\n')
  assert.match(answer, /^HTTP\/1.1 200 .*inside/s)
})

test('LIM-02 after a body over the limit the connection accepts the next request', async () => {
  const chunk = `${(65_536).toString(16)}\r\n${'a'.repeat(65_536)}\r\n`
  const large = `POST /limited HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(10)}0\r\n\r\n`
  const answer = await exchange(`${large}${asked('GET /.env', 'Host: a.test')}`)
  assert.deepEqual(answer.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 413', 'HTTP/1.1 404'])
})

describe('a client that still sends when its body over the limit is refused', () => {
  const megabytes = 8
  const megabyte = 'a'.repeat(1_048_576)
  const large = (connection: string) =>
    `POST /limited HTTP/1.1\r\nHost: a.test\r\nContent-Length: ${megabytes * megabyte.length}\r\nConnection: ${connection}\r\n\r\n`

  for (const connection of ['close', 'keep-alive']) {
    test(`WF-03 can read the whole answer, ${connection}`, async () => {
      const { port } = server.address() as AddressInfo
      const socket = connect(port, '127.0.0.1')
      socket.write(large(connection))
      for (let sent = 0; sent < megabytes; sent++) {
        socket.write(megabyte)
        await setTimeout(20)
      }
      if (connection === 'keep-alive') socket.write(asked('GET /.env', 'Host: a.test'))
      assert.match(await text(socket), /^HTTP\/1.1 413 /)
    })

    test(`LIM-02 is disconnected after a time limit, ${connection}`, async ({ mock }) => {
      mock.timers.enable({ apis: ['setTimeout'] })
      const { port } = server.address() as AddressInfo
      const served = once(server, 'connection')
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      socket.on('error', () => {}).write(large(connection) + megabyte)
      await once(socket, 'data')
      const [serving] = await served
      assert.equal(serving.destroyed, false)
      mock.timers.tick(limits.lingerMs)
      if (!serving.closed) await once(serving, 'close', { signal: AbortSignal.timeout(5000) })
      socket.destroy()
    })
  }
})

test('LIM-02 the sender of a very large refused body is disconnected by size, not only by time', async ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const warnings: string[] = []
  process.on('warning', ({ message }) => warnings.push(message))
  const { port } = server.address() as AddressInfo
  const served = once(server, 'connection')
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const megabyte = Buffer.alloc(1_048_576, 'a')
  const rest = 100 * megabyte.length
  socket.write(`POST /limited HTTP/1.1\r\nHost: a.test\r\nContent-Length: ${rest}\r\n\r\n`)
  for (let sent = 0; sent < 100 && !socket.destroyed; sent += 1) socket.write(megabyte)
  const [serving] = await served
  if (!serving.closed) await once(serving, 'close', { signal: AbortSignal.timeout(10_000) })
  assert.ok(serving.bytesRead < limits.lingerBytes + 4 * megabyte.length, String(serving.bytesRead))
  assert.deepEqual(warnings, [], 'the connection is closed once, not for each further chunk')
  socket.destroy()
})

/** Emits the error that Node emits at its time limits. */
function timeOut(socket: Duplex): void {
  server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
}

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { server as limits, maxConnections } from '#lib/config/limits.ts'
import { createHttpServer, createHttpServers, serve } from './http-server.ts'
import { rememberRequest } from './refuse-broken.ts'

const config = { issuer: 'https://id.example.org', siteName: 'Latchkey', isLoopback: false }
const waiting = 'POST /wait HTTP/1.1\r\nHost: a.test\r\nContent-Length: 9\r\n\r\n'
const recorded: string[] = []
const complete = 'GET / HTTP/1.1\r\nHost: a.test\r\n\r\n'
const host: Parameters<typeof createHttpServer>[0] = {
  config,
  log: {
    write: (level, message, fields) => recorded.push(`${level} ${message} ${fields?.count}`),
    request: ({ reason }) => recorded.push(`line ${reason}`),
    failure: () => {},
  },
  events: { record: ({ reason }) => recorded.push(`event ${reason}`) },
  readAddress: () => '',
}
let server: Server

before(async () => {
  server = createHttpServer(host, false)
  serve(server, (incoming, outgoing) => {
    rememberRequest({ incoming, outgoing, requestId: 'reference' })
    incoming.resume().on('error', () => {})
    if (incoming.method === 'GET') outgoing.end('served')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
beforeEach(() => {
  recorded.length = 0
})
after(() => {
  server.closeAllConnections()
  server.close()
})

describe('LIM-02 the first request of a connection has its time from the connection, not from its first byte', () => {
  const late = [
    ['headers', limits.headersTimeoutMs, 'GET / HTTP/1.1\r\n'],
    ['a body', limits.requestTimeoutMs, `${waiting}a`],
  ] as const
  for (const [name, limitMs, sent] of late) {
    test(`a late start of ${name}`, async ({ mock }) => {
      mock.timers.enable({ apis: ['setTimeout'] })
      const { port } = server.address() as AddressInfo
      const served = once(server, 'connection')
      const socket = connect(port, '127.0.0.1')
      const [serving] = await served
      mock.timers.tick(limits.headersTimeoutMs - 1)
      socket.write(sent)
      if (limitMs === limits.requestTimeoutMs) await once(server, 'request')
      while (serving.bytesRead < sent.length) await setImmediate()
      mock.timers.tick(limitMs - limits.headersTimeoutMs + 1)
      const [answer] = await once(socket, 'data', { signal: AbortSignal.timeout(5000) })
      assert.match(String(answer), /^HTTP\/1.1 408 /)
      socket.destroy()
    })
  }

  test('a second request has its own time', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const { port } = server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.write(complete)
    await once(socket, 'data')
    socket.write(waiting)
    const [, outgoing] = await once(server, 'request')
    mock.timers.tick(limits.requestTimeoutMs)
    outgoing.end('served')
    assert.match(String(await once(socket, 'data')), /^HTTP\/1.1 200 /)
    socket.destroy()
  })
})

describe('LIM-02 the end of the time for a first request', () => {
  const rows: ReadonlyArray<readonly [what: string, sent: string, answer: RegExp, found: readonly string[]]> =
    [
      ['closes a connection on which nothing arrived, and records nothing', '', /^$/, []],
      [
        'answers and records a request whose headers are incomplete',
        'GET / HTTP/1.1\r\nHost: a',
        /^HTTP\/1.1 408 /,
        ['event request_timeout', 'line request_timeout'],
      ],
    ]
  for (const [what, sent, answer, found] of rows) {
    test(what, async ({ mock }) => {
      mock.timers.enable({ apis: ['setTimeout'] })
      const { port } = server.address() as AddressInfo
      const served = once(server, 'connection')
      const socket = connect(port, '127.0.0.1')
      const [serving] = await served
      socket.write(sent)
      while (serving.bytesRead < sent.length) await setImmediate()
      mock.timers.tick(limits.headersTimeoutMs)
      assert.match(await text(socket), answer)
      assert.deepEqual(recorded, found)
    })
  }
})

test('LIM-02 the log has one line in a minute for all connections that were closed at the limit', ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  for (let count = 0; count < 3; count += 1) server.emit('drop')
  assert.deepEqual(recorded, [])
  mock.timers.tick(limits.reportDroppedMs)
  assert.deepEqual(recorded, ['warn connections_dropped 3'])
  server.emit('drop')
  mock.timers.tick(limits.reportDroppedMs)
  assert.deepEqual(recorded.slice(1), ['warn connections_dropped 1'])
})

test('LIM-02 connections are limited; at the limit the idle ones are closed', async () => {
  assert.equal(server.maxConnections, maxConnections)
  const { port } = server.address() as AddressInfo
  server.maxConnections = 1
  try {
    const idle = connect(port, '127.0.0.1')
    idle.write(complete)
    await once(idle, 'data')
    const closed = once(idle, 'close')
    const surplus = connect(port, '127.0.0.1').on('error', () => {})
    await once(surplus.resume(), 'close')
    idle.resume()
    await closed
  } finally {
    server.maxConnections = maxConnections
  }
})

test('LIM-02 the servers of several addresses share one limit of connections', async t => {
  const servers = createHttpServers(2, { ...host, share: { workers: maxConnections / 2 } }, false)
  for (const each of servers) await once(each.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    for (const each of servers) each.close().closeAllConnections()
  })
  const ports = servers.map(each => (each.address() as AddressInfo).port)
  const open = (at: 0 | 1) => connect(ports[at] ?? 0, '127.0.0.1').on('error', () => {})
  const most = servers[0].maxConnections
  const first: ReturnType<typeof open>[] = []
  for (let count = 0; count < most; count += 1) {
    const accepted = once(servers[0], 'connection')
    first.push(open(0))
    await accepted
  }
  assert.equal(servers[1]?.maxConnections, 0)
  const refused = open(1)
  await once(refused.resume(), 'close')
  for (const socket of first) socket.destroy()
  while (servers[1]?.maxConnections !== most) await setImmediate()
  const accepted = once(servers[1], 'connection')
  const later = open(1)
  await accepted
  later.destroy()
})

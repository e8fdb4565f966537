/** What our server adds to whatever Next answers. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { pagePolicy } from '#lib/http/page-policy.ts'
import { pageListener } from './page-listener.ts'

const config = { issuer: 'https://id.example.org', siteName: 'Latchkey', isLoopback: false }
type Line = { readonly referenceId: string; readonly status: number }

/** What goes out, and into the log, when Next answers like this. */
async function answerOf(path: string, next: (outgoing: ServerResponse) => void) {
  const lines: Line[] = []
  const log = { request: (line: Line) => lines.push(line), failure: () => {} }
  const listener = pageListener({
    next: (_incoming, outgoing) => next(outgoing),
    config,
    log,
    policy: pagePolicy,
    isDevelopment: false,
  })
  const request = { path, referenceId: '7QK4-M2P9', address: '127.0.0.1' }
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

describe('FW-08 nobody keeps a page or a failure, whatever Next says', () => {
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

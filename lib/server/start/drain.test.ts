import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { closeServer } from './drain.ts'

const farAwayMs = 60_000

async function startServer() {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { server, origin: `http://127.0.0.1:${port}` }
}

test('SHUT-01 requests in progress complete, their kept connections do not delay the end, and no new request is accepted', async () => {
  const { server, origin } = await startServer()
  const asked = get(origin, { agent: new Agent({ keepAlive: true }) })
  const outgoing = await new Promise<ServerResponse>(resolve => {
    server.once('request', (_incoming, answering) => resolve(answering))
  })
  const closed = closeServer(server, farAwayMs)
  await assert.rejects(fetch(origin))
  outgoing.end('done')
  const [answer] = await once(asked, 'response')
  assert.equal(answer.statusCode, 200)
  answer.resume()
  await closed
})

test('SHUT-01 requests in progress are aborted at the deadline', async () => {
  const { server, origin } = await startServer()
  const asked = fetch(origin)
  await once(server, 'request')
  await Promise.all([closeServer(server, 0), assert.rejects(asked)])
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { declarePageOutcomes, reportPageFailure } from '../host/page-outcome.ts'
import { redirectConsole } from './process-log.ts'

/** Returns the error of making a `Request` of a message whose client has disconnected, as Next does. */
async function closedConnection(): Promise<unknown> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const socket = connect(address.port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab')
  const [incoming]: IncomingMessage[] = await once(server, 'request')
  const closed = new Promise(resolve => incoming?.once('close', resolve))
  socket.destroy()
  await closed
  server.close()
  const body = incoming as unknown as ReadableStream
  try {
    const init = { method: 'POST', body, duplex: 'half' }
    new Request('http://x/', init)
    return null
  } catch (error) {
    return error
  }
}

test('a client that closed its connection while sending a body is not logged as an error of the framework', async t => {
  const written: (readonly unknown[])[] = []
  const kept = { ...console }
  t.after(() => Object.assign(console, kept))
  redirectConsole({ write: (...given) => written.push(given) })
  console.error(await closedConnection())
  console.error(new TypeError('a different error'))
  Object.assign(console, kept)
  assert.deepEqual(
    written.map(([level]) => level),
    ['debug', 'error'],
  )
})

test('a client that closed its connection while sending a body is not reported as a failed page', async () => {
  const reported: unknown[] = []
  declarePageOutcomes(error => reported.push(error))
  const fields = { pattern: '/login', requestId: '2222-2222' }
  reportPageFailure(await closedConnection(), fields)
  const failure = new TypeError('a different error')
  reportPageFailure(failure, fields)
  assert.deepEqual(reported, [failure])
})

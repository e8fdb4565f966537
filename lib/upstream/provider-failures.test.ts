/** Tests the messages to an admin about an identity provider that cannot be reached. */
import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { failureOf, providerFailureSentence } from '#lib/errors/provider-failures.ts'
import { asProviderFailure } from './provider-requests.ts'
import { safeFetch } from './safe-fetch.ts'

const get = { method: 'GET', headers: {}, body: null }

async function sentenceOf(address: string, resolve?: () => Promise<readonly string[]>): Promise<string> {
  const network = {
    allowLoopback: true,
    ports: [],
    timeoutMs: 300,
    ...(resolve === undefined ? {} : { resolve }),
  }
  try {
    await asProviderFailure(() => safeFetch(address, get, network))
  } catch (error) {
    return isOauthError(error) ? providerFailureSentence(failureOf(error)) : assert.fail(String(error))
  }
  return assert.fail('it answered')
}

function failing(code: string): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error(code), { code }))
}

/** Starts a server that calls `onConnection` for each connection, and returns its port. */
async function listen(t: TestContext, onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer(socket => {
    socket.on('error', () => {})
    onConnection(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : assert.fail()
}

test('FD-07 a provider whose port is closed is reported in one sentence', async () => {
  const sentence = 'It refused the connection: no server listens at its host and port.'
  assert.equal(await sentenceOf('http://127.0.0.1:9'), sentence)
  assert.equal(await sentenceOf('http://localhost:9', async () => ['127.0.0.1', '::1']), sentence)
})

test('FD-07 a provider that accepts the connection and does not answer is reported', async t => {
  const port = await listen(t, () => {})
  assert.equal(await sentenceOf(`http://127.0.0.1:${port}`), 'It did not answer in time.')
})

test('FD-07 a provider that closes the connection is reported', async t => {
  const port = await listen(t, socket => socket.resetAndDestroy())
  assert.equal(await sentenceOf(`http://127.0.0.1:${port}`), 'It closed the connection without an answer.')
})

test('FD-07 a provider with an https address that does not speak TLS is reported', async t => {
  const port = await listen(t, socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  assert.equal(
    await sentenceOf(`https://127.0.0.1:${port}`),
    'It does not speak TLS at this address: is it http?',
  )
})

const lookups: ReadonlyArray<readonly [string, string]> = [
  ['ENOTFOUND', 'Its host name is unknown: check its spelling, or the DNS of this server.'],
  ['EAI_AGAIN', 'Its host name could not be resolved just now: DNS did not answer.'],
  ['ETIMEDOUT', 'It did not accept the connection in time: check its address and the firewalls.'],
]
for (const [code, sentence] of lookups) {
  test(`FD-07 the network error ${code} is reported in one sentence`, async () => {
    assert.equal(await sentenceOf('http://provider.example', failing(code)), sentence)
  })
}

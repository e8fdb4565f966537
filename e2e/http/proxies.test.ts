/** Tests the configurations of docs/proxies.md in the real proxies: each passes on what the server sends and accepts. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import {
  connect as connectByHttp2,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { connect as connectByTls } from 'node:tls'
import {
  hasIpv6,
  proxyNames,
  type RunningProxy,
  reasonAgainst,
  startProxy,
} from '../fixtures/outside/proxies.ts'
import { authorize, obtainTokens } from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { basic, bearer, reachAt, send } from '../fixtures/requests/http-client.ts'
import { alice, testConfiguration } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, logged, newMasterKey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'

const issuer = 'https://login.example.com'
/** The address from which requests are sent, which differs from the address of the proxy. */
const caller = '127.0.0.2'
/** Claims that are nearly as large as a user's claims may be. */
const groups = Array.from({ length: 150 }, (_, index) => `department-${index}-members-with-access`)

const metricsToken = 'metrics-'.repeat(5)

let server: Latchkey
let port: number
before(async () => {
  port = await freePort()
  server = await startLatchkey({
    port,
    host: '127.0.0.1',
    configuration: configurationWithGroups(),
    environment: {
      ISSUER: issuer,
      MASTER_KEY: newMasterKey(),
      TRUST_PROXY: '127.0.0.1',
      METRICS_TOKEN: metricsToken,
    },
  })
})
after(() => server.stop())

function configurationWithGroups() {
  const { scopes, users, ...rest } = testConfiguration({ app })
  return {
    ...rest,
    scopes: scopes.map(scope => (scope.name === 'api' ? { ...scope, claims: ['groups'] } : scope)),
    users: users.map(user =>
      user.username === alice.username ? { ...user, claims: { ...user.claims, groups } } : user,
    ),
  }
}

/** The address in the log for a request. */
async function loggedAddress(requestId: string, from: number): Promise<unknown> {
  return JSON.parse(await logged(server, requestId, from)).address
}

type Http2Request = {
  readonly host?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
}

/** Sends a request by HTTP/2, and returns the headers of the response. Throws if the proxy does not offer HTTP/2. */
async function sendByHttp2(
  { port, certificate }: RunningProxy,
  path: string,
  { host = '127.0.0.1', headers = {}, form }: Http2Request = {},
): Promise<IncomingHttpHeaders & IncomingHttpStatusHeader> {
  const socket = connectByTls({
    ...{ host, port, ca: certificate, servername: new URL(issuer).hostname, ALPNProtocols: ['h2'] },
    ...(host === '127.0.0.1' ? { localAddress: caller } : {}),
  })
  await once(socket, 'secureConnect')
  assert.equal(socket.alpnProtocol, 'h2')
  const session = connectByHttp2(issuer, { createConnection: () => socket })
  const body = form === undefined ? null : new URLSearchParams(form).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const method = body === null ? 'GET' : 'POST'
  const stream = session.request({ ':method': method, ':path': path, ...type, ...headers })
  if (body !== null) stream.end(body)
  const [answer] = await once(stream, 'response')
  stream.resume()
  session.close()
  return answer
}

/** A server that records what arrives, in the place of Latchkey. */
async function startRecorder() {
  const seen: { readonly version: string; readonly headers: IncomingMessage['headers'] }[] = []
  const sockets = new Set<Socket>()
  const recorder = createServer({ maxHeaderSize: 65_536, keepAliveTimeout: 65_000 }, (incoming, outgoing) => {
    seen.push({ version: incoming.httpVersion, headers: incoming.headers })
    incoming.resume()
    // A response head of nearly 8 kB
    outgoing.writeHead(200, { location: `https://app.example/#${'x'.repeat(7500)}` }).end('done')
  })
  recorder.on('connection', socket => sockets.add(socket))
  recorder.listen(0, '127.0.0.1')
  await once(recorder, 'listening')
  const { port } = recorder.address() as AddressInfo
  return { recorder, port, seen, sockets }
}

for (const name of proxyNames) {
  describe(`between ${name} with the configuration of the documents and the server`, {
    skip: await reasonAgainst(name),
  }, () => {
    let proxy: RunningProxy
    let inside: Awaited<ReturnType<typeof startRecorder>>
    const recorded = 'https://login.example.com:443'
    before(async () => {
      inside = await startRecorder()
      proxy = await startProxy(name, inside.port)
      reachAt(recorded, { ...proxy, localAddress: caller })
    })
    after(async () => {
      await proxy.stop()
      inside.recorder.close()
      inside.recorder.closeAllConnections()
    })

    test('connections of HTTP/1.1 are kept, with the host and only the address of the caller', async () => {
      const forged = { 'x-forwarded-for': '203.0.113.9' }
      for (let count = 0; count < 10; count += 1)
        assert.equal((await send(recorded, '/', { headers: forged })).status, 200)
      for (const { version, headers } of inside.seen) {
        assert.equal(version, '1.1')
        assert.equal(headers['x-forwarded-for'], caller)
        assert.equal(headers.host, 'login.example.com')
      }
      assert.ok(inside.sockets.size <= 2, `${inside.sockets.size} connections`)
    })

    test('a kept connection that the server has closed does not fail the next request', async () => {
      for (const method of ['GET', 'POST']) {
        assert.equal((await send(recorded, '/')).status, 200)
        for (const socket of inside.sockets) socket.end()
        await delay(200)
        const { status } = await send(recorded, '/', {
          method,
          ...(method === 'POST' ? { body: 'a=b' } : {}),
        })
        assert.equal(status, 200, method)
      }
    })

    test('a request head of nearly 64 kB arrives, and a response head of nearly 8 kB', async () => {
      const cookie = (number: number) => ({ [`x-long-${number}`]: 'x'.repeat(15_000) })
      const headers = { ...cookie(1), ...cookie(2), ...cookie(3), ...cookie(4) }
      const answer = await send(recorded, '/', { headers })
      assert.equal(answer.status, 200)
      assert.ok(String(answer.headers.location).length > 7500)
      assert.equal(inside.seen.at(-1)?.headers['x-long-4']?.length, 15_000)
    })
  })

  describe(`through ${name} with the configuration of the documents`, {
    skip: await reasonAgainst(name),
  }, () => {
    let proxy: RunningProxy
    before(async () => {
      proxy = await startProxy(name, port)
      reachAt(issuer, { ...proxy, localAddress: caller })
    })
    after(() => proxy.stop())

    test('a user signs in, and the client exchanges its code', async () => {
      const tokens = await obtainTokens(issuer, app, { client_id: 'trusted' }, newBrowser(issuer))
      assert.ok(tokens.access_token.length > 100)
    })

    test('a redirect of more than 8 kB arrives, with tokens in its fragment', async () => {
      const request = {
        client_id: 'spa',
        redirect_uri: `${app}/callback`,
        nonce: 'n',
        state: 's'.repeat(500),
      }
      const { location } = await authorize(newBrowser(issuer), {
        ...request,
        response_type: 'id_token token',
        scope: 'openid api',
      })
      assert.ok(location !== null && location.href.length > 8192, `${location?.href.length}`)
      assert.match(location.hash, /access_token=.*token_type=Bearer/)
    })

    test('the longest query arrives', async () => {
      const manual = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
      const queryCharacters = Number(/`queryCharacters` \| (\d+) \|/.exec(manual)?.[1])
      assert.ok(queryCharacters > 15_000)
      const path = '/connect/endsession?'
      const target = `${path}id_token_hint=`.padEnd(path.length + queryCharacters, 'x')
      const { status, headers } = await newBrowser(issuer).get(target)
      assert.ok(status < 500 && status !== 414 && status !== 431, String(status))
      assert.notEqual(headers['x-reference-id'], undefined, 'the proxy answered by itself')
    })

    test('an encoded slash in a path arrives as it was sent', async () => {
      const { status, headers } = await send(issuer, '/api/admin/clients/a%2Fb')
      assert.equal(status, 401)
      assert.notEqual(headers['x-reference-id'], undefined)
    })

    test('the address of the caller counts, and not one that the caller invents', async () => {
      const from = server.output().length
      const headers = { ...basic('machine', 'wrong'), 'x-forwarded-for': '203.0.113.9' }
      const form = { grant_type: 'client_credentials', scope: 'api' }
      const { status, headers: sent } = await send(issuer, '/connect/token', { form, headers })
      assert.equal(status, 401)
      assert.equal(await loggedAddress(String(sent['x-reference-id']), from), caller)
    })

    test('HTTP/2 works, with the longest query, a form and the address of the caller', async () => {
      const from = server.output().length
      const form = { grant_type: 'client_credentials', scope: 'api' }
      const headers = { ...basic('machine', 'wrong'), 'x-forwarded-for': '203.0.113.9' }
      const answer = await sendByHttp2(proxy, '/connect/token', { headers, form })
      assert.equal(answer[':status'], 401)
      assert.equal(await loggedAddress(String(answer['x-reference-id']), from), caller)
      const path = '/connect/endsession?id_token_hint='
      const long = await sendByHttp2(proxy, path.padEnd(path.length + 28_000, 'x'))
      assert.notEqual(long['x-reference-id'], undefined)
    })

    test('IPv6 works, by HTTP/2', { skip: hasIpv6 ? false : 'This machine has no IPv6.' }, async () => {
      const from = server.output().length
      const answer = await sendByHttp2(proxy, '/connect/userinfo', { host: '::1' })
      assert.equal(answer[':status'], 401)
      assert.equal(await loggedAddress(String(answer['x-reference-id']), from), '::1')
    })

    test('the letter case of a path under /connect does not matter', async () => {
      const { status, headers } = await send(issuer, '/Connect/UserInfo')
      assert.equal(status, 401)
      assert.notEqual(headers['x-reference-id'], undefined)
    })

    test('a body of 4 MB arrives', async () => {
      const sent = { body: 'x'.repeat(4_194_304), headers: { 'content-type': 'application/json' } }
      const { status, headers } = await send(issuer, '/api/admin/clients', sent)
      assert.equal(status, 401)
      assert.notEqual(headers['x-reference-id'], undefined)
    })

    test('static files are compressed, and pages are not', async () => {
      const encoded = { 'accept-encoding': 'gzip' }
      const page = await send(issuer, '/login', { headers: encoded })
      assert.equal(page.headers['content-encoding'], undefined)
      const [, style = ''] = /href="(\/assets\/[^"]+\.css)"/.exec(page.text) ?? []
      const file = await send(issuer, style, { headers: encoded })
      assert.equal(file.headers['content-encoding'], 'gzip')
      assert.match(String(file.headers['cache-control']), /immutable/)
    })

    for (const path of ['/metrics', '/%6detrics', '/metrics?x', '//metrics', '/x/../metrics']) {
      test(`${path} is hidden from strangers, even with the token`, async () => {
        const { status, text } = await send(issuer, path, { headers: bearer(metricsToken) })
        assert.notEqual(status, 200)
        assert.doesNotMatch(text, /latchkey_/)
      })
    }

    test('http leads to https', {
      skip: name === 'caddy' ? 'Caddy redirects from its own port.' : false,
    }, async () => {
      const { status, headers } = await send(`http://127.0.0.1:${proxy.httpPort}`, '/account?a=b')
      assert.deepEqual([status, headers.location], [301, `${issuer}/account?a=b`])
    })
  })
}

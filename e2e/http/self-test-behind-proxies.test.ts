/** Tests that the self-test finds what bad proxies do, behind a real proxy that changes requests and responses. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { testConfiguration } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'

type Headers = Record<string, string | string[] | undefined>
type Passed = { status: number; headers: Headers; body: string }

/** The changes of the proxy; each test sets its own. */
type Changes = {
  readonly request?: (headers: IncomingHttpHeaders, path: string) => void
  readonly response?: (passed: Passed, path: string) => void
  /** Whether it answers equal requests with the first response. */
  readonly caches?: boolean
}

let changes: Changes = {}
const cached = new Map<string, Passed>()
let server: Latchkey
let front: Server

before(async () => {
  const [port, publicPort] = [await freePort(), await freePort()]
  front = createServer(async (incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming
    const body = await text(incoming)
    changes.request?.(headers, url)
    const key = `${method} ${url} ${headers.cookie} ${body}`
    const known = changes.caches === true ? cached.get(key) : undefined
    const passed = known ?? (await pass(port, { method, headers, url, body }))
    changes.response?.(passed, url)
    cached.set(key, passed)
    outgoing.writeHead(passed.status, passed.headers).end(passed.body)
  }).listen(publicPort, '127.0.0.1')
  await once(front, 'listening')
  server = await startLatchkey({
    port,
    configuration: testConfiguration({ app }),
    environment: { ISSUER: `http://localhost:${publicPort}`, TRUST_PROXY: '127.0.0.1' },
  })
})
after(async () => {
  await server.stop()
  front.closeAllConnections()
  front.close()
})

type Sent = { method?: string | undefined; headers: IncomingHttpHeaders; url: string; body: string }

async function pass(port: number, { method, headers, url, body }: Sent): Promise<Passed> {
  const passedOn = request({ port, path: url, method, headers })
  passedOn.end(body)
  const [answer] = await once(passedOn, 'response')
  const { 'content-length': _length, 'transfer-encoding': _encoding, ...kept } = answer.headers
  return { status: answer.statusCode, headers: kept, body: await text(answer) }
}

const outputSchema = z.object({ results: z.array(z.object({ check: z.string(), severity: z.string() })) })

async function problemsWith(changed: Changes): Promise<readonly string[]> {
  changes = changed
  cached.clear()
  const parts = ['--import', './lib/server/read-environment-file.mjs', 'lib/server/cli/doctor-command.ts']
  const options = { cwd: resolve(import.meta.dirname, '../..'), env: server.environment }
  const output = await new Promise<string>(done => {
    execFile(process.execPath, [...parts, '--self-test', '--json'], options, (_error, out, problem) =>
      done(out === '' ? problem : out),
    )
  })
  return outputSchema
    .parse(JSON.parse(output))
    .results.filter(({ severity }) => severity !== 'good')
    .map(({ check }) => check)
}

test('a proxy that changes nothing has no problem', async () => {
  assert.deepEqual(await problemsWith({}), [])
})

const remove =
  (name: string) =>
  ({ headers }: Passed) => {
    delete headers[name]
  }
const add =
  (name: string, value: string, at: string) =>
  ({ headers }: Passed, path: string) => {
    if (path.startsWith(at)) headers[name] = value
  }

for (const [title, changed, expected] of [
  ['lost Vary', { response: remove('vary') }, ['metadata: caches', 'key set: caches']],
  [
    'added CORS headers',
    { response: add('access-control-allow-origin', '*', '/connect/token') },
    ['token cors'],
  ],
  [
    'compressed tokens',
    { response: add('content-encoding', 'gzip', '/connect/token') },
    ['compressed tokens'],
  ],
  [
    'tokens in caches',
    { response: add('cache-control', 'max-age=60', '/connect/token') },
    ['tokens in caches'],
  ],
  [
    'lost cookies',
    {
      request: (headers: IncomingHttpHeaders) => {
        delete headers.cookie
      },
    },
    ['code'],
  ],
  [
    'short response heads',
    {
      response: (passed: Passed) => {
        if (String(passed.headers.location).length > 1500)
          Object.assign(passed, { status: 502, headers: {}, body: 'upstream sent too big header' })
      },
    },
    ['silent', 'long state'],
  ],
  [
    'metadata of a different issuer',
    {
      response: (passed: Passed, path: string) => {
        if (path.startsWith('/.well-known/openid'))
          passed.body = JSON.stringify({ issuer: 'https://other.example' })
      },
    },
    ['issuer', 'endpoints', 'code flow', 'pkce offered', 'not tested'],
  ],
] as const)
  test(`the self-test finds ${title}`, async () => {
    assert.deepEqual(await problemsWith(changed), expected)
  })

test('the self-test finds a proxy that repeats responses: a used code and revoked tokens seem to work', async () => {
  const problems = await problemsWith({ caches: true })
  for (const check of ['code twice', 'tokens of such a code', 'access after revocation'])
    assert.ok(problems.includes(check), problems.join())
})

test('the self-test finds a proxy that redirects users for a wrong redirect URI', async () => {
  const problems = await problemsWith({
    response: (passed, path) => {
      if (path.includes('unknown.example%2Fcallback'))
        Object.assign(passed, { status: 302, headers: { location: 'https://unknown.example/callback' } })
    },
  })
  assert.ok(problems.includes('redirect URI, different host'), problems.join())
})

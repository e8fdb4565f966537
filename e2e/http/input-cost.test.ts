/**
 * Tests that no request without a session costs much more than a small one, whatever its address, headers and body contain. The
 * cost is the processor time of the thread that answers all requests: while it works on one, the others wait.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import {
  bodyInputs,
  headInputs,
  type Input,
  parameterInputs,
  pathsOf,
  usualParameters,
} from '../fixtures/requests/hostile-inputs.ts'
import { send, withQuery } from '../fixtures/requests/http-client.ts'
import { type Meter, medianOf, meteredEnvironment, openMeter } from '../fixtures/runner/processor-meter.ts'
import { latchkeySuite } from '../fixtures/server/suite.ts'

const mostMs = 50
let meter: Meter
let pending = ''
let cookie = ''
const suite = latchkeySuite({
  environment: { ...meteredEnvironment, TRUST_PROXY: 'true' },
  onceStarted: async server => {
    meter = await openMeter(server)
    const answer = await send(server.issuer, withQuery('/connect/authorize', usualParameters))
    pending = /pending=([\w-]+)/.exec(answer.headers.location ?? '')?.[1] ?? ''
    cookie = answer.cookies[0]?.split(';')[0] ?? ''
    assert.ok(pending !== '' && cookie !== '', answer.text)
  },
})
after(() => meter.close())

const framework = [
  '/admin/nothing',
  '/_next/static/nothing.js',
  '/_next/image',
  '/nothing',
  '/connect/nothing',
  '/favicon.ico',
]

const routes = pathsOf('route')
for (const path of [...new Set([...routes, ...pathsOf('page'), ...framework])]) {
  test(`no request to ${path} costs ${mostMs} ms more than a small one`, async () => {
    const method = (await exchange(path, { method: 'GET' })) === 405 ? 'POST' : 'GET'
    const isPosted = (await exchange(path, { method: 'POST' })) !== 405
    const read = [...(routes.includes(path) ? parameterInputs : []), ...(isPosted ? bodyInputs : [])]
    for (const input of [...headInputs, ...read]) {
      const request = { method, ...input }
      const small = { method: request.method }
      // One measurement far below the limit is enough, because noise only adds to it
      if ((await costOf(path, request)) < mostMs / 2) continue
      const extraMs = await medianOfFive(path, request, small)
      assert.ok(extraMs <= mostMs, `${input.name}: ${extraMs.toFixed(0)} ms more`)
    }
  })
}

/** The additional cost of the request, compared with a small one that is sent in turn with it. */
async function medianOfFive(path: string, request: Request, small: Request): Promise<number> {
  const differences: number[] = []
  for (let turn = 0; turn < 5; turn++)
    differences.push((await costOf(path, request)) - (await costOf(path, small)))
  return medianOf(differences)
}

async function costOf(path: string, request: Request): Promise<number> {
  const earlier = await meter.read()
  const status = await exchange(path, request)
  const costMs = (await meter.read()) - earlier
  assert.notEqual(status, 500, JSON.stringify(request).slice(0, 200))
  return costMs
}

type Request = Partial<Input> & { readonly method: string }

/** Sends the request with the usual headers that it lacks, waits until the connection is closed, and returns the status. */
async function exchange(
  path: string,
  { method, suffix = '', headers = [], body: template = '', type }: Request,
): Promise<number> {
  const { host, port } = new URL(suite.issuer)
  const fill = (text: string) => text.replace('{pending}', pending)
  const body = fill(template)
  const names = headers.map(line => line.slice(0, line.indexOf(':')).toLowerCase())
  const usual = [`Host: ${host}`, `Cookie: ${cookie}`, 'Sec-Fetch-Site: same-origin', 'Connection: close']
  const lines = [
    `${method} ${path === '/' && suffix.startsWith('/') ? '' : path}${suffix} HTTP/1.1`,
    ...usual.filter(line => !names.includes(line.slice(0, line.indexOf(':')).toLowerCase())),
    ...headers,
    ...(method === 'POST' ? [`Content-Length: ${Buffer.byteLength(body)}`] : []),
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
  ]
  const socket = connect(Number(port), '127.0.0.1')
  let answer = ''
  socket.on('error', () => {})
  socket.on('data', chunk => {
    answer ||= String(chunk)
  })
  socket.write(`${fill(lines.join('\r\n'))}\r\n\r\n${body}`)
  await once(socket, 'close')
  const head = answer.slice(0, answer.indexOf('\r\n\r\n'))
  assert.ok(head.length < 8192, `${path} ${method}: a head of ${head.length} characters`)
  return Number(answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
}

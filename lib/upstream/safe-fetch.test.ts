import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import {
  type AddressKind,
  addressKind,
  requireReachable,
  type SafeFetchOptions,
  safeFetch,
} from './safe-fetch.ts'

const get = { method: 'GET', headers: {}, body: null }
const outside: SafeFetchOptions = { allowLoopback: false, ports: [], resolve: async () => ['10.0.0.1'] }
const inside: SafeFetchOptions = { allowLoopback: true, ports: [] }

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return `http://127.0.0.1:${address.port}`
}

function refusedWith(code: string) {
  return (error: unknown) => error instanceof Error && 'code' in error && error.code === code
}

const forbidden: ReadonlyArray<readonly [string, string]> = [
  ['not a url', 'url_malformed'],
  ['http://idp.example/', 'scheme_not_allowed'],
  ['file:///etc/passwd', 'scheme_not_allowed'],
  ['gopher://idp.example/', 'scheme_not_allowed'],
  ['data:application/json,{}', 'scheme_not_allowed'],
  ['https://user:secret@idp.example/', 'url_with_credentials'],
  ['https://idp.example/#fragment', 'url_with_fragment'],
  ['https://idp.example:8443/', 'port_not_allowed'],
  ['https://idp.example:22/', 'port_not_allowed'],
  ['https://127.0.0.1/', 'address_not_allowed'],
  ['https://127.1/', 'address_not_allowed'],
  ['https://2130706433/', 'address_not_allowed'],
  ['https://0x7f000001/', 'address_not_allowed'],
  ['https://0177.0.0.1/', 'address_not_allowed'],
  ['https://[::1]/', 'address_not_allowed'],
  ['https://[::ffff:127.0.0.1]/', 'address_not_allowed'],
  ['https://[64:ff9b::7f00:1]/', 'address_not_allowed'],
  ['https://169.254.169.254/latest/meta-data/', 'address_not_allowed'],
  ['https://internal.example/', 'address_not_allowed'],
  ['https://localhost/', 'address_not_allowed'],
]

for (const [url, code] of forbidden) {
  test(`FD-07 refuses ${url}`, async () => {
    await assert.rejects(safeFetch(url, get, outside), refusedWith(code))
  })
}

test('FD-07 plain HTTP is limited to loopback addresses, even in development', async () => {
  const resolve = async () => ['8.8.8.8']
  await assert.rejects(
    safeFetch('http://idp.example/', get, { ...inside, resolve }),
    refusedWith('address_not_allowed'),
  )
  await assert.rejects(safeFetch('http://192.168.0.1/', get, inside), refusedWith('address_not_allowed'))
})

test('FD-07 the connection uses the address that was checked', async t => {
  const origin = await serve(t, (_, response) =>
    response.setHeader('content-type', 'application/json').end('{}'),
  )
  const answers = [['127.0.0.1'], ['10.0.0.1']]
  let asked = 0
  const resolve = async () => answers[asked++] ?? []
  const url = origin.replace('127.0.0.1', 'rebinding.example')
  assert.equal((await safeFetch(url, get, { ...inside, resolve })).status, 200)
  assert.equal(asked, 1)
  await assert.rejects(safeFetch(url, get, { ...inside, resolve }), refusedWith('address_not_allowed'))
})

test('sends method, headers and body, and returns status and JSON', async t => {
  const origin = await serve(t, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const body = {
      method: request.method,
      header: request.headers['x-test'],
      body: Buffer.concat(chunks).toString(),
    }
    response
      .writeHead(400, { 'content-type': 'application/problem+json; charset=utf-8' })
      .end(JSON.stringify(body))
  })
  const response = await safeFetch(
    origin,
    { method: 'POST', headers: { 'x-test': 'yes' }, body: 'a=1' },
    inside,
  )
  assert.equal(response.status, 400)
  assert.deepEqual(await response.json(), { method: 'POST', header: 'yes', body: 'a=1' })
})

const json = { 'content-type': 'application/json' }
const badAnswers: ReadonlyArray<readonly [string, string, RequestListener]> = [
  [
    'a redirect',
    'redirected',
    (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
  ],
  [
    'a page',
    'content_type_not_json',
    (_, response) => response.setHeader('content-type', 'text/html').end('<p>'),
  ],
  ['no content', 'status_without_content', (_, response) => response.writeHead(204).end()],
  [
    'a compressed body',
    'content_encoded',
    (_, response) => response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('x'),
  ],
  [
    'a body that never ends',
    'body_too_large',
    (_, response) => {
      response.writeHead(200, json)
      response.end('x'.repeat(1_100_000))
    },
  ],
  [
    'broken UTF-8',
    'ERR_ENCODING_INVALID_ENCODED_DATA',
    (_, response) => response.writeHead(200, json).end(Buffer.from([0xff])),
  ],
  ['nothing in time', 'timeout', () => {}],
  [
    'a body that stalls',
    'timeout',
    (_, response) => {
      response.writeHead(200, json)
      response.write('{')
    },
  ],
]

for (const [what, code, listener] of badAnswers) {
  test(`FD-07 refuses ${what}`, async t => {
    const origin = await serve(t, listener)
    await assert.rejects(safeFetch(origin, get, { ...inside, timeoutMs: 300 }), refusedWith(code))
  })
}

const corpus: ReadonlyArray<readonly [string, AddressKind]> = [
  ['8.8.8.8', 'public'],
  ['172.15.255.255', 'public'],
  ['172.32.0.1', 'public'],
  ['2606:4700::1111', 'public'],
  ['::ffff:8.8.8.8', 'public'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['0.0.0.0', 'special'],
  ['0.1.2.3', 'special'],
  ['10.0.0.1', 'special'],
  ['100.64.0.1', 'special'],
  ['169.254.169.254', 'special'],
  ['172.16.0.1', 'special'],
  ['172.31.255.255', 'special'],
  ['192.0.0.1', 'special'],
  ['192.0.2.1', 'special'],
  ['192.88.99.1', 'special'],
  ['192.168.0.1', 'special'],
  ['198.18.0.1', 'special'],
  ['198.51.100.1', 'special'],
  ['203.0.113.1', 'special'],
  ['224.0.0.1', 'special'],
  ['240.0.0.1', 'special'],
  ['255.255.255.255', 'special'],
  ['::', 'special'],
  ['::ffff:10.0.0.1', 'special'],
  ['::ffff:a9fe:a9fe', 'special'],
  ['::7f00:1', 'special'],
  ['::ffff:0:127.0.0.1', 'special'],
  ['64:ff9b::7f00:1', 'special'],
  ['64:ff9b:1::1', 'special'],
  ['100::1', 'special'],
  ['2001::1', 'special'],
  ['2001:db8::1', 'special'],
  ['2002:7f00:1::', 'special'],
  ['3fff::1', 'special'],
  ['5f00::1', 'special'],
  ['4000::1', 'special'],
  ['fc00::1', 'special'],
  ['fd00:ec2::254', 'special'],
  ['fe80::1', 'special'],
  ['fe80::1%eth0', 'special'],
  ['fec0::1', 'special'],
  ['ff02::1', 'special'],
  ['not an address', 'special'],
]

for (const [address, kind] of corpus) {
  test(`FD-07 ${address} is ${kind}`, () => assert.equal(addressKind(address), kind))
}

const publicOnly = new Set<AddressKind>(['public'])

test('FD-07 refuses a host with one private address among public ones', () => {
  requireReachable(['8.8.8.8', '2606:4700::1111'], publicOnly)
  for (const addresses of [['8.8.8.8', '10.0.0.1'], ['127.0.0.1'], []]) {
    assert.throws(() => requireReachable(addresses, publicOnly), /address/)
  }
})

/** Tests the checks of the public address against servers that answer as Latchkey does behind a good or a bad proxy. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { before, type TestContext, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import forge from 'node-forge'
import { checkPublicAddress } from './public-address.ts'

type Changes = Readonly<Record<string, string | readonly string[] | null>>

/** The parts of an installation that a test changes; `null` removes a header. */
type Installation = {
  readonly metadata?: Changes
  readonly page?: Changes
  readonly issuer?: string
  /** The difference between its clock and the clock of the test. */
  readonly offsetSeconds?: number
  readonly longStatus?: number
  readonly metricsStatus?: number
  /** The status of the dashboard’s sign-in page. */
  readonly dashboardStatus?: number
}

const pageHeaders = {
  'content-security-policy': "default-src 'none'",
  'cache-control': 'no-store',
  'set-cookie': ['latchkey_browser=1; Path=/; HttpOnly; Secure; SameSite=Lax'],
}

function listener(installation: Installation, issuer: () => string): RequestListener {
  const { metadata = {}, page = {}, longStatus = 200, metricsStatus = 404 } = installation
  return ({ url = '' }: IncomingMessage, response: ServerResponse) => {
    const send = (status: number, headers: Changes, body = '') => {
      for (const [name, value] of Object.entries({ 'x-reference-id': '7QK4-M2P9', ...headers }))
        if (value !== null) response.setHeader(name, value)
      response.writeHead(status).end(body)
    }
    if (url.startsWith('/.well-known/'))
      return send(
        200,
        { date: dateIn(installation.offsetSeconds ?? 0), ...metadata },
        JSON.stringify({ issuer: installation.issuer ?? issuer() }),
      )
    if (url.startsWith('/admin') && installation.dashboardStatus !== undefined)
      return send(installation.dashboardStatus, {})
    if (url.startsWith('/metrics')) return send(metricsStatus, {})
    return send(url.includes('padding') ? longStatus : 200, { ...pageHeaders, ...page })
  }
}

async function start(t: TestContext, installation: Installation, certificate: Certificate | null = null) {
  let issuer = ''
  const answer = listener(installation, () => issuer)
  const server = certificate === null ? createServer(answer) : createTlsServer(certificate, answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  issuer = `${certificate === null ? 'http' : 'https'}://localhost:${port}`
  return issuer
}

async function problems(issuer: string, plain?: string): Promise<readonly string[]> {
  const findings = await checkPublicAddress(issuer, plain)
  for (const { severity, fix } of findings) assert.equal(fix === null, severity === 'good')
  return findings
    .filter(({ severity }) => severity !== 'good')
    .map(({ severity, check, text }) => `${severity} ${check}: ${text}`)
}

test('a good installation has no problem', async t => {
  assert.deepEqual(await problems(await start(t, {})), [])
})

const rows: ReadonlyArray<readonly [title: string, installation: Installation, expected: RegExp]> = [
  ['a different server', { metadata: { 'x-reference-id': null } }, /^error address: Something else answers/],
  [
    'a different issuer',
    { issuer: 'https://other.example' },
    /^error address: .* names https:\/\/other\.example/,
  ],
  ['a slow clock', { offsetSeconds: -12 }, /^warning clock: .* differ by 1[1-3] s/],
  ['a wrong clock', { offsetSeconds: 60 }, /^error clock: .* differ by (59|60) s/],
  ['a lost policy', { page: { 'content-security-policy': null } }, /^error policy/],
  ['pages that a proxy caches', { page: { 'cache-control': 'max-age=60' } }, /^error cache/],
  ['pages that a proxy compresses', { page: { 'content-encoding': 'gzip' } }, /^warning compression/],
  [
    'a cookie without attributes',
    { page: { 'set-cookie': ['latchkey_browser=1; Path=/'] } },
    /^error cookie: The cookie latchkey_browser arrives without HttpOnly, SameSite\.$/,
  ],
  ['a short limit for addresses', { longStatus: 414 }, /^error long requests/],
  ['open metrics', { metricsStatus: 200 }, /^error metrics/],
]

for (const [title, installation, expected] of rows)
  test(`${title} is the only problem`, async t => {
    const found = await problems(await start(t, installation))
    assert.equal(found.length, 1, found.join('\n'))
    assert.match(found.join(), expected)
  })

test('an address at which nothing listens is a problem with its cause', async () => {
  const found = await problems('http://localhost:9')
  assert.match(
    found.join(),
    /^error address: http:\/\/localhost:9 cannot be reached: nothing listens there\.$/,
  )
})

function dateIn(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toUTCString()
}

type Certificate = { readonly key: string; readonly cert: string }

const pem = { format: 'pem', type: 'spki' } as const
const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: pem,
  privateKeyEncoding: { ...pem, type: 'pkcs8' },
})
const keys = {
  publicKey: forge.pki.publicKeyFromPem(publicKey),
  privateKey: forge.pki.privateKeyFromPem(privateKey),
}

function certificateOf(name: string, days: number): Certificate {
  const certificate = forge.pki.createCertificate()
  const hour = 3_600_000
  Object.assign(certificate, { publicKey: keys.publicKey, serialNumber: `0${Math.abs(days) + 1}` })
  certificate.validity.notBefore = new Date(Date.now() - 100 * 24 * hour)
  certificate.validity.notAfter = new Date(Date.now() + days * 24 * hour + hour)
  const subject = [{ name: 'commonName', value: `${name} ${days}` }]
  certificate.setSubject(subject)
  certificate.setIssuer(subject)
  certificate.setExtensions([{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }])
  certificate.sign(keys.privateKey, forge.md.sha256.create())
  return { key: forge.pki.privateKeyToPem(keys.privateKey), cert: forge.pki.certificateToPem(certificate) }
}

const lasting = certificateOf('localhost', 60)
const ending = certificateOf('localhost', 5)
const ended = certificateOf('localhost', -1)
const foreign = certificateOf('other.example', 60)
const unknown = certificateOf('localhost', 61)
before(() =>
  setDefaultCACertificates([
    ...getCACertificates(),
    ...[lasting, ending, ended, foreign].map(({ cert }) => cert),
  ]),
)

const hsts = { 'strict-transport-security': 'max-age=63072000' }
const closed = 'http://localhost:9'

test('a good certificate, HSTS and a closed port without TLS are as they should be', async t => {
  assert.deepEqual(await problems(await start(t, { metadata: hsts }, lasting), closed), [])
})

for (const [title, certificate, expected] of [
  ['ends soon', ending, /^warning certificate: The certificate is valid for 5 more days/],
  ['has ended', ended, /^error address: .* its certificate has expired\.$/],
  ['has a different name', foreign, /^error address: .* is for a different name\.$/],
  ['is self-signed', unknown, /^error address: .* is self-signed\.$/],
] as const)
  test(`a certificate that ${title} is the only problem`, async t => {
    const found = await problems(await start(t, { metadata: hsts }, certificate), closed)
    assert.equal(found.length, 1, found.join('\n'))
    assert.match(found.join(), expected)
  })

test('a dashboard that refuses this machine is a problem, because its cookies cannot be checked', async t => {
  const installation = { metadata: hsts, dashboardStatus: 403 }
  const found = await problems(await start(t, installation, lasting), closed)
  assert.match(found.join(), /^warning cookie: Cookies cannot be checked[^,]*$/)
})

test('over TLS, a response without HSTS, a cookie without Secure and an open port without TLS are problems', async t => {
  const page = { 'set-cookie': ['latchkey_browser=1; HttpOnly; SameSite=Lax'] }
  const found = await problems(await start(t, { page }, lasting), await start(t, {}))
  assert.deepEqual(
    found.map(text => text.split(':')[0]),
    ['warning hsts', 'warning http', 'error cookie'],
  )
})

test('a redirect to https is as it should be', async t => {
  const redirecting = createServer((_request, response) =>
    response.writeHead(301, { location: 'https://localhost/' }).end(),
  ).listen(0, '127.0.0.1')
  await once(redirecting, 'listening')
  t.after(() => redirecting.close())
  const { port } = redirecting.address() as AddressInfo
  const issuer = await start(t, { metadata: hsts }, lasting)
  assert.deepEqual(await problems(issuer, `http://localhost:${port}`), [])
})

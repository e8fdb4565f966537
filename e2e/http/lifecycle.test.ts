/** Tests starts and stops of the server. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { machineToken } from '../fixtures/requests/code-flow.ts'
import { type HttpBrowser, newBrowser } from '../fixtures/requests/http-browser.ts'
import { basic, send } from '../fixtures/requests/http-client.ts'
import { alice, canary, clientSecret, testConfiguration } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import {
  type Latchkey,
  logged,
  newMasterKey,
  spawnLatchkey,
  startLatchkey,
} from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'

const configuration = testConfiguration({ app })
const directory = await mkdtemp(join(tmpdir(), 'latchkey-lifecycle-'))
after(() => rm(directory, { recursive: true, force: true }))

/** The exit code and the output of a start that must fail. */
async function refusedStart(
  environment: Readonly<Record<string, string>>,
  content: unknown = configuration,
  folder?: string,
) {
  const port = await freePort()
  const dataDirectory = folder ?? (await mkdtemp(join(directory, 'start-')))
  const child = await spawnLatchkey({
    port,
    dataDirectory,
    issuer: `http://localhost:${port}`,
    configuration: content,
    environment,
  })
  const forced = setTimeout(() => child.process.kill('SIGKILL'), 20_000)
  const [code] = await once(child.process, 'exit')
  clearTimeout(forced)
  return { code: Number(code), output: child.output() }
}

describe('a start with an invalid setting is refused with one sentence', () => {
  const cases: readonly (readonly [string, Record<string, string>, RegExp])[] = [
    ['PORT that is not a number', { PORT: 'ninety' }, /PORT.*ninety/],
    ['unknown LATCHKEY_ variable', { LATCHKEY_COMFIG: 'x' }, /LATCHKEY_COMFIG.*LATCHKEY_CONFIG/s],
    ['CF-01 http issuer that is not loopback', { ISSUER: 'http://id.example.org' }, /ISSUER.*https/s],
    ['issuer with a query', { ISSUER: 'https://id.example.org/?x' }, /ISSUER/],
    ['CR-04 short master key', { MASTER_KEY: 'short' }, /MASTER_KEY/],
    ['unknown database', { DATABASE_URL: 'mysql://x' }, /DATABASE_URL/],
    [
      'CF-02 the demo on another address',
      { LATCHKEY_DEMO: 'true', ISSUER: 'https://id.example.org', MASTER_KEY: newMasterKey() },
      /demo/i,
    ],
    [
      'missing configuration file',
      { LATCHKEY_CONFIG: '/nowhere/config.json' },
      /LATCHKEY_CONFIG.*nowhere|nowhere.*config/s,
    ],
    ['missing extensions file', { LATCHKEY_EXTENSIONS: '/nowhere/extensions.ts' }, /extensions/i],
  ]
  for (const [name, environment, words] of cases) {
    test(`refuses to start: ${name}`, async () => {
      const { code, output } = await refusedStart(environment)
      assert.notEqual(code, 0)
      assert.match(output, words)
      assert.doesNotMatch(output, /\n\s+at /, 'no stack')
    })
  }
  test('CR-04 an error message does not contain the master key', async () => {
    const { output } = await refusedStart({ MASTER_KEY: 'CANARY-short' })
    assert.ok(!output.includes('CANARY'))
  })
  const files: readonly (readonly [string, unknown, RegExp])[] = [
    [
      'a mistyped field',
      { clients: [{ client_id: 'x', redirect_uri: ['https://x.test/'] }] },
      /clients.*redirect_uris/s,
    ],
    [
      'AZ-07 a redirect URI with a script scheme',
      { clients: [{ client_id: 'x', redirect_uris: ['javascript:alert(1)'] }] },
      /clients.*redirect_uris/s,
    ],
    [
      'AZ-07 plain http on the internet',
      { clients: [{ client_id: 'x', redirect_uris: ['http://app.example.org/callback'] }] },
      /redirect_uris/,
    ],
    [
      'AZ-07 a fragment',
      { clients: [{ client_id: 'x', redirect_uris: ['https://app.example.org/#x'] }] },
      /fragment/,
    ],
    ['an unknown value', { scopes: [{ name: 'x', kind: 'nonsense' }] }, /scopes.*kind/s],
    [
      'a public client with client_credentials',
      {
        clients: [
          { client_id: 'x', token_endpoint_auth_method: 'none', grant_types: ['client_credentials'] },
        ],
      },
      /grant_types/,
    ],
    ['no object', [], /config/i],
    [
      'an unknown grant type',
      { clients: [{ client_id: 'x', client_secret: 'long enough', grant_types: ['urn:foo:bar'] }] },
      /clients\[0\]\.grant_types\[0\]: .*; there are authorization_code/,
    ],
  ]
  for (const [name, content, words] of files) {
    test(`refuses to start with a configuration file with ${name}`, async () => {
      const { code, output } = await refusedStart({}, content)
      assert.notEqual(code, 0)
      assert.match(output, words)
      assert.doesNotMatch(output, /\n\s+at /)
    })
  }
})

test('a grant type of an extension is accepted, and an unknown one is refused by name', async context => {
  const dataDirectory = await mkdtemp(join(directory, 'extended-'))
  const file = join(dataDirectory, 'extensions.mjs')
  await writeFile(
    file,
    `export default { customGrants: [{ grantType: 'urn:example:pin', validate: async () => ({}) }] }`,
  )
  const environment = { LATCHKEY_EXTENSIONS: file }
  const client = { client_id: 'x', client_secret: 'long enough' }
  const wrong = { clients: [{ ...client, grant_types: ['urn:foo:bar'] }] }
  const { code, output } = await refusedStart(environment, wrong)
  assert.equal(code, 2)
  assert.match(output, /"urn:foo:bar" is not a known grant type; there are .*, urn:example:pin\.\n$/)
  const right = { clients: [{ ...client, grant_types: ['urn:example:pin'] }] }
  const server = await startLatchkey({ port: await freePort(), configuration: right, environment })
  context.after(() => server.stop())
})

describe('restarts with the same data folder', () => {
  const dataDirectory = join(directory, 'data')
  let port: number
  let server: Latchkey
  before(async () => {
    await mkdir(dataDirectory)
    port = await freePort()
    server = await startLatchkey({ port, configuration, dataDirectory })
  })
  after(() => server.stop())

  test('a second process on the same SQLite file is refused with a hint to PostgreSQL', async () => {
    const { code, output } = await refusedStart({}, configuration, dataDirectory)
    assert.notEqual(code, 0)
    assert.match(output, /postgresql/i)
    assert.equal((await send(server.issuer, '/readyz')).status, 200)
  })

  test('tokens and changed passwords stay valid after a restart', async () => {
    const tokens = [await machineToken(server.issuer), await machineToken(server.issuer, 'machine-reference')]
    const own = `${canary} chosen before the restart`
    const browser = await signedIn(server.issuer, alice.password)
    const form = await browser.follow('/account/password')
    const changed = await browser.submit(form, { current: alice.password, password: own, again: own })
    assert.equal(changed.target, '/account?done=password')
    assert.equal(await server.stop(), 0)
    server = await startLatchkey({ port, configuration, dataDirectory })
    for (const token of tokens) {
      const answer = await send(server.issuer, '/connect/accesstokenvalidation', { form: { token } })
      assert.equal(answer.status, 200)
    }
    const opens = async (password: string) =>
      (await (await signedIn(server.issuer, password)).follow('/account')).target === '/account'
    assert.deepEqual([await opens(own), await opens(alice.password)], [true, false], 'AU-03')
  })

  test('SHUT-01 SIGTERM completes requests in progress, refuses new ones, and exits with 0', async () => {
    const socket = createConnection({ host: '127.0.0.1', port: Number(new URL(server.issuer).port) })
    await once(socket, 'connect')
    const body = 'grant_type=client_credentials&scope=api'
    const { authorization } = basic('machine', clientSecret)
    socket.write(
      `POST /connect/token HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    await send(server.issuer, '/healthz')
    server.process.kill('SIGTERM')
    // The listener is closed first, so that no new request is accepted.
    while (await connects(server.issuer)) await setImmediate()
    socket.write(body)
    let answer = ''
    socket.on('data', chunk => {
      answer += chunk
    })
    const [code] = await once(server.process, 'exit')
    assert.match(answer, /^HTTP\/1\.1 200/)
    assert.equal(code, 0)
  })

  test('a rejected password of the configuration file is reported with the name of the file', async () => {
    const users = [...configuration.users, { username: 'nina', password: 'password' }]
    const { code, output } = await refusedStart({}, { ...configuration, users }, dataDirectory)
    assert.equal(code, 2)
    assert.match(output, /^LATCHKEY_CONFIG is "\S+", but users\[\d+\]\.password is one of [^\n]+\.\n$/m)
  })

  test('CR-04 a start with a different master key from the one of the data is refused', async () => {
    const { code, output } = await refusedStart({ MASTER_KEY: newMasterKey() }, configuration, dataDirectory)
    assert.notEqual(code, 0)
    assert.match(output, /MASTER_KEY|master key/i)
  })

  test('CR-04 a missing master.key is reported and not replaced', async () => {
    await server.stop()
    await rm(join(dataDirectory, 'master.key'))
    const { code, output } = await refusedStart({}, configuration, dataDirectory)
    assert.equal(code, 2)
    assert.match(
      output,
      /^\S*\/master\.key is missing, .*restore it from your copy, or set MASTER_KEY[^\n]*\.\n$/,
    )
    assert.equal(existsSync(join(dataDirectory, 'master.key')), false)
  })
})

async function signedIn(issuer: string, password: string): Promise<HttpBrowser> {
  const browser = newBrowser(issuer)
  await browser.submit(await browser.follow('/login'), { username: alice.username, password })
  return browser
}

test('AU-11 CF-02 a server with an empty configuration has no default accounts', async context => {
  const server = await startLatchkey({ port: await freePort(), configuration: {} })
  context.after(() => server.stop())
  const browser = newBrowser(server.issuer)
  for (const name of ['admin', 'alice', 'bob', 'root']) {
    for (const password of [name, 'password', 'admin', '']) {
      await browser.submit(await browser.follow('/login'), { username: name, password })
      assert.equal(browser.cookies.get('latchkey_session'), undefined)
    }
  }
})

test('the log lines of a start come before its summary', async context => {
  const server = await startLatchkey({ port: await freePort() })
  context.after(() => server.stop())
  await logged(server, 'is ready')
  const [start = ''] = server.output().split('is ready')
  assert.match(start, /"msg":"audit"/)
})

function connects(origin: string): Promise<boolean> {
  return send(origin, '/healthz').then(
    () => true,
    () => false,
  )
}

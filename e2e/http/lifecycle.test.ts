/** Starting, stopping, and living without a database. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { alice, canary, clientSecret, testConfiguration } from '../fixtures/configuration.ts'
import { openDatabase } from '../fixtures/database.ts'
import { codeRequest, machineToken, newProof } from '../fixtures/flow.ts'
import { freePort } from '../fixtures/free-port.ts'
import { basic, bearer, send, withQuery } from '../fixtures/http-client.ts'
import {
  type Latchkey,
  newMasterKey,
  type StartOptions,
  spawnLatchkey,
  startLatchkey,
} from '../fixtures/latchkey.ts'
import { newPerson, type Person } from '../fixtures/person.ts'
import { app } from '../fixtures/suite.ts'

const configuration = testConfiguration({ app })
const directory = await mkdtemp(join(tmpdir(), 'latchkey-lifecycle-'))
after(() => rm(directory, { recursive: true, force: true }))

/** Started for one test, and stopped after it whatever happens. */
async function start(context: TestContext, options: Partial<StartOptions> = {}): Promise<Latchkey> {
  const server = await startLatchkey({ port: await freePort(), configuration, ...options })
  context.after(() => server.stop())
  return server
}

/** The exit code and the words of a start that must not succeed. */
async function refusedStart(environment: Readonly<Record<string, string>>, content: unknown = configuration) {
  const port = await freePort()
  const dataDirectory = await mkdtemp(join(directory, 'start-'))
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

describe('a start that cannot be right is refused with one sentence', () => {
  const cases: readonly (readonly [string, Record<string, string>, RegExp])[] = [
    ['PORT that is none', { PORT: 'ninety' }, /PORT.*ninety/],
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
    test(name, async () => {
      const { code, output } = await refusedStart(environment)
      assert.notEqual(code, 0)
      assert.match(output, words)
      assert.doesNotMatch(output, /\n\s+at /, 'no stack')
    })
  }
  test('the master key’s value is not repeated', async () => {
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
      'AZ-07 a dangerous redirect address',
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
    ['an unknown word', { scopes: [{ name: 'x', kind: 'nonsense' }] }, /scopes.*kind/s],
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
  ]
  for (const [name, content, words] of files) {
    test(`configuration file: ${name}`, async () => {
      const { code, output } = await refusedStart({}, content)
      assert.notEqual(code, 0)
      assert.match(output, words)
      assert.doesNotMatch(output, /\n\s+at /)
    })
  }
})

test('CR-04 another master key than the data was made with is refused', async context => {
  const dataDirectory = await mkdtemp(join(directory, 'key-'))
  const first = await start(context, { dataDirectory, environment: { MASTER_KEY: newMasterKey() } })
  await machineToken(first.issuer)
  await first.stop()
  const port = await freePort()
  const second = await spawnLatchkey({
    port,
    dataDirectory,
    issuer: `http://localhost:${port}`,
    configuration,
    environment: { MASTER_KEY: newMasterKey() },
  })
  const [code] = await once(second.process, 'exit')
  assert.notEqual(code, 0)
  assert.match(second.output(), /MASTER_KEY|master key/i)
})

test('a second process on the same SQLite file is refused and told about PostgreSQL', async context => {
  const dataDirectory = await mkdtemp(join(directory, 'lease-'))
  const first = await start(context, { dataDirectory })
  const port = await freePort()
  const second = await spawnLatchkey({
    port,
    dataDirectory,
    issuer: `http://localhost:${port}`,
    configuration,
  })
  const [code] = await once(second.process, 'exit')
  assert.notEqual(code, 0)
  assert.match(second.output(), /postgresql/i)
  assert.equal((await send(first.issuer, '/readyz')).status, 200)
  await first.stop()
})

test('what was issued before a restart is good after it, and so is a password that was chosen', async context => {
  const dataDirectory = await mkdtemp(join(directory, 'restart-'))
  const port = await freePort()
  const first = await start(context, { port, dataDirectory })
  const tokens = [await machineToken(first.issuer), await machineToken(first.issuer, 'machine-reference')]
  const own = `${canary} chosen before the restart`
  const person = await signedIn(first.issuer, alice.password)
  const form = await person.follow('/account/password')
  const changed = await person.submit(form, { current: alice.password, password: own, again: own })
  assert.equal(changed.target, '/account?done=password')
  assert.equal(await first.stop(), 0)
  const second = await start(context, { port, dataDirectory })
  for (const token of tokens) {
    assert.equal(
      (await send(second.issuer, '/connect/accesstokenvalidation', { form: { token } })).status,
      200,
    )
  }
  const opens = async (password: string) =>
    (await (await signedIn(second.issuer, password)).follow('/account')).target === '/account'
  assert.deepEqual([await opens(own), await opens(alice.password)], [true, false], 'AU-03')
  assert.equal(await second.stop(), 0)
})

async function signedIn(issuer: string, password: string): Promise<Person> {
  const person = newPerson(issuer)
  await person.submit(await person.follow('/login'), { username: alice.username, password })
  return person
}

test('SIGTERM lets a request in flight finish, lets nobody new in, and exits 0', async context => {
  const server = await start(context)
  const socket = createConnection({ host: '127.0.0.1', port: Number(new URL(server.issuer).port) })
  await once(socket, 'connect')
  const body = 'grant_type=client_credentials&scope=api'
  const { authorization } = basic('machine', clientSecret)
  socket.write(
    `POST /connect/token HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  await send(server.issuer, '/healthz')
  server.process.kill('SIGTERM')
  // The listener is closed first: from then on nobody new gets in.
  while (await connects(server.issuer)) await setImmediate()
  socket.write(body)
  let answer = ''
  socket.on('data', chunk => {
    answer += chunk
  })
  const [code] = await once(server.process, 'exit')
  assert.match(answer, /^HTTP\/1\.1 200/)
  assert.equal(code, 0)
  await server.stop()
})

test('LG-06 without its database every endpoint says 503 with Retry-After, and recovers nothing wrongly', async context => {
  const database = await openDatabase('postgresql')
  const server = await start(context, { databaseUrl: database.url ?? '' })
  const token = await machineToken(server.issuer)
  const person = newPerson(server.issuer)
  const login = await person.follow(withQuery('/connect/authorize', codeRequest(app, newProof())))
  await database.close()
  const headers = basic('machine', clientSecret)
  const answers = {
    token: await send(server.issuer, '/connect/token', {
      form: { grant_type: 'client_credentials', scope: 'api' },
      headers,
    }),
    authorize: await send(server.issuer, withQuery('/connect/authorize', codeRequest(app, newProof()))),
    validation: await send(server.issuer, '/connect/accesstokenvalidation', { form: { token } }),
    userinfo: await send(server.issuer, '/connect/userinfo', { headers: bearer(token) }),
    introspection: await send(server.issuer, '/connect/introspect', { form: { token }, headers }),
    revocation: await send(server.issuer, '/connect/revocation', { form: { token }, headers }),
    discovery: await send(server.issuer, '/.well-known/openid-configuration'),
    ready: await send(server.issuer, '/readyz'),
    signIn: (await person.submit(login, { username: 'alice', password: 'x' }).catch(() => null))?.answer,
  }
  for (const [name, answer] of Object.entries(answers)) {
    if (answer === undefined || name === 'discovery') continue
    assert.equal(answer.status, 503, `${name}: ${answer.status} ${answer.text.slice(0, 200)}`)
    assert.match(String(answer.headers['retry-after']), /^\d+$/, name)
    assert.doesNotMatch(answer.text, /prisma|ECONNREFUSED|postgres/i, name)
  }
  assert.equal((await send(server.issuer, '/healthz')).status, 200)
  await server.stop()
})

test('AU-11 CF-02 without demo and configuration nobody can sign in', async context => {
  const server = await start(context, { configuration: {} })
  const person = newPerson(server.issuer)
  for (const name of ['admin', 'alice', 'bob', 'root']) {
    for (const password of [name, 'password', 'admin', '']) {
      await person.submit(await person.follow('/login'), { username: name, password })
      assert.equal(person.cookies.get('latchkey_session'), undefined)
    }
  }
  await server.stop()
})

test('CF-02 the playground is for loopback issuers only', async context => {
  const server = await start(context, {
    environment: { ISSUER: 'https://id.example.org', MASTER_KEY: newMasterKey() },
  })
  for (const path of ['/playground', '/playground/start', '/playground/callback']) {
    assert.equal((await send(server.origin, path)).status, 404, path)
  }
  await server.stop()
})

function connects(origin: string): Promise<boolean> {
  return send(origin, '/healthz').then(
    () => true,
    () => false,
  )
}

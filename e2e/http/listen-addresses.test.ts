/** Tests where the server listens: several addresses, IPv6 with and without IPv4, and a Unix socket. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { testConfiguration } from '../fixtures/server/configuration.ts'
import { openPostgresDatabases, type PostgresDatabases } from '../fixtures/server/database.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { logged, newMasterKey, spawnLatchkey } from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'

const configuration = testConfiguration({ app })
const folder = await mkdtemp(join(tmpdir(), 'latchkey-listen-'))
let databases: PostgresDatabases
before(async () => {
  databases = await openPostgresDatabases()
})
after(async () => {
  await databases.close()
  await rm(folder, { recursive: true, force: true })
})

const hasIpv6 = Object.values(networkInterfaces()).some(all => all?.some(({ address }) => address === '::1'))
const withoutIpv6 = hasIpv6 ? false : 'This machine has no IPv6.'

type Place = { readonly host: string; readonly port: number } | { readonly socketPath: string }

/** Starts a server, and resolves when it answers at `place`. */
async function start(
  environment: Readonly<Record<string, string>>,
  place: Place,
  { databaseUrl, workers = 1 }: { readonly databaseUrl?: string; readonly workers?: number } = {},
) {
  const options = {
    configuration,
    port: await freePort(),
    dataDirectory: await mkdtemp(join(folder, 'data-')),
    issuer: 'https://login.example.com',
    environment: { MASTER_KEY: newMasterKey(), ...environment },
    workers,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
  }
  const child = await spawnLatchkey(options)
  after(() => child.process.kill('SIGKILL'))
  while ((await ask(place).catch(() => null))?.status !== 200) {
    if (child.process.exitCode !== null) break
    await delay(50)
  }
  return {
    ...child,
    dataDirectory: options.dataDirectory,
    end: async () => {
      const ended = once(child.process, 'exit')
      child.process.kill('SIGTERM')
      return (await ended)[0]
    },
  }
}

/** Sends a request, and returns the status and the request ID. */
async function ask(place: Place, path = '/readyz', headers: Readonly<Record<string, string>> = {}) {
  const asked = request({ ...place, path, agent: false, headers: { host: 'login.example.com', ...headers } })
  asked.end()
  const [answer] = await once(asked, 'response')
  answer.resume()
  return { status: answer.statusCode, id: String(answer.headers['x-reference-id']) }
}

type Started = Awaited<ReturnType<typeof start>>

/** The address that the server logs for a request with these headers. */
async function loggedAddress(server: Started, place: Place, forwarded?: string) {
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const { id } = await ask(place, '/connect/userinfo', headers)
  return JSON.parse(await logged(server as never, id)).address
}

describe('HOST', { skip: withoutIpv6 }, () => {
  test('lists addresses, at each of which the server answers until it ends', async () => {
    const port = await freePort()
    const places = ['127.0.0.1', '::1'].map(host => ({ host, port }))
    const server = await start({ HOST: '127.0.0.1,::1', PORT: String(port) }, { host: '::1', port })
    for (const place of places) assert.equal(await loggedAddress(server, place), place.host)
    assert.equal(await server.end(), 0)
    for (const place of places) await assert.rejects(ask(place), /ECONNREFUSED/)
  })

  test('an IPv4 address is the same on an IPv6 socket: in the log, for TRUST_PROXY and for the dashboard', async () => {
    const port = await freePort()
    const environment = {
      HOST: '::',
      PORT: String(port),
      TRUST_PROXY: '127.0.0.1',
      LATCHKEY_ADMIN_ADDRESSES: '127.0.0.0/8',
    }
    const place = { host: '127.0.0.1', port }
    const server = await start(environment, place)
    assert.equal(await loggedAddress(server, place), '127.0.0.1')
    assert.equal(await loggedAddress(server, place, '6.6.6.6, ::ffff:c633:6401'), '198.51.100.1')
    assert.equal((await ask(place, '/api/admin/clients')).status, 401)
    assert.equal((await ask({ host: '::1', port }, '/api/admin/clients')).status, 403)
    assert.equal(await server.end(), 0)
  })

  test('all addresses of both families can be listed, also with workers', async () => {
    const port = await freePort()
    const environment = { HOST: '::,0.0.0.0', PORT: String(port) }
    const databaseUrl = await databases.create()
    const server = await start(environment, { host: '127.0.0.1', port }, { databaseUrl, workers: 2 })
    for (const host of ['127.0.0.1', '::1', '127.0.0.1', '::1'])
      assert.equal(await loggedAddress(server, { host, port }), host)
    assert.equal(await server.end(), 0)
  })
})

describe('a Unix socket', () => {
  const environmentOf = (file: string) => ({ PORT: `unix:${file}`, TRUST_PROXY: 'true' })

  for (const workers of [1, 2]) {
    test(`is a socket that the proxy opens, with ${workers} worker${workers === 1 ? '' : 's'}`, async () => {
      const socketPath = join(folder, `http-${workers}.sock`)
      const given = workers === 1 ? {} : { databaseUrl: await databases.create(), workers }
      const server = await start(environmentOf(socketPath), { socketPath }, given)
      assert.equal((await stat(socketPath)).mode & 0o777, 0o660)
      assert.equal(await loggedAddress(server, { socketPath }, '6.6.6.6, 198.51.100.1'), '198.51.100.1')
      assert.equal(await loggedAddress(server, { socketPath }), '127.0.0.1')
      const health = [
        '--import',
        './lib/server/read-environment-file.mjs',
        'lib/server/cli/health-command.ts',
      ]
      const { stdout } = await promisify(execFile)(process.execPath, health, { env: server.environment })
      assert.equal(stdout, `Ready: unix:${socketPath}\n`)
      const second = await start(environmentOf(socketPath), { socketPath: '/nowhere' })
      assert.match(second.output(), /^PORT is "unix:.*", but something else is listening there; stop it/)
      assert.equal(second.process.exitCode, 2)
      assert.equal((await ask({ socketPath })).status, 200)
      assert.equal(await server.end(), 0)
      assert.equal(existsSync(socketPath), false)
    })
  }

  test('that an ended server left is replaced, and another file is not', async () => {
    const socketPath = join(folder, 'left.sock')
    const first = await start(environmentOf(socketPath), { socketPath })
    const ended = once(first.process, 'exit')
    first.process.kill('SIGKILL')
    await ended
    assert.equal(existsSync(socketPath), true)
    const next = await start(environmentOf(socketPath), { socketPath })
    assert.equal(await next.end(), 0)
    await writeFile(socketPath, 'notes')
    const refused = await start(environmentOf(socketPath), { socketPath })
    assert.match(refused.output(), /^PORT is "unix:.*", but that is not a socket; remove it, or name another/)
    const missing = join(folder, 'missing/http.sock')
    const without = await start(environmentOf(missing), { socketPath: missing })
    assert.match(without.output(), /cannot create a socket in \S+missing \(E\w+\); name a folder that exists/)
  })
})

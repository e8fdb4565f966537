/** Replaces the master key under load, on PostgreSQL with two nodes, and on SQLite through the running server. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { machineToken, obtainTokens, refresh } from '../fixtures/requests/code-flow.ts'
import { basic, send } from '../fixtures/requests/http-client.ts'
import { clientSecret, testConfiguration } from '../fixtures/server/configuration.ts'
import { openPostgresDatabases } from '../fixtures/server/database.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, newMasterKey, type StartOptions, startLatchkey } from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'

const root = resolve(import.meta.dirname, '../..')
const directory = await mkdtemp(join(tmpdir(), 'latchkey-master-key-'))
after(() => rm(directory, { recursive: true, force: true }))
const configuration = testConfiguration({ app })
const [first, second] = [newMasterKey(), newMasterKey()]

/** Runs a command with the settings of a server. */
async function run(script: string, given: readonly string[], environment: NodeJS.ProcessEnv) {
  const child = promisify(execFile)(process.execPath, [`lib/server/cli/${script}.ts`, ...given], {
    cwd: root,
    env: environment,
  })
  return child.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

/** Requests tokens from nodes that serve, one after the other, until `end` returns the statuses. */
function loadOn(nodes: readonly Latchkey[]) {
  let isOver = false
  const statuses: number[] = []
  const work = (async () => {
    for (let index = 0; !isOver; index += 1) {
      const node = nodes[index % nodes.length]
      if (node === undefined) throw new Error('no node serves')
      const form = { grant_type: 'client_credentials', scope: 'api' }
      const headers = basic('machine-reference', clientSecret)
      statuses.push((await send(node.origin, '/connect/token', { form, headers })).status)
    }
  })()
  return {
    end: async () => {
      isOver = true
      await work
      return statuses
    },
  }
}

test('MK-02 two nodes get a new master key one after the other, and no request fails', async context => {
  const databases = await openPostgresDatabases()
  context.after(databases.close)
  const options = {
    configuration,
    databaseUrl: await databases.create(),
    environment: { ISSUER: 'https://id.example.org', TRUST_PROXY: '127.0.0.1' },
  }
  const start = async (keys: Readonly<Record<string, string>>, port: number) => {
    const node = await startLatchkey({ ...options, port, environment: { ...options.environment, ...keys } })
    context.after(() => node.stop())
    return node
  }
  const serving: Latchkey[] = []
  const ports = [await freePort(), await freePort()]
  const both = { MASTER_KEY: first, MASTER_KEY_NEXT: second }
  for (const port of ports) serving.push(await start(both, port))
  const load = loadOn(serving)
  /** Restarts the nodes one by one with other keys. The other node serves, as behind a proxy that asks for readiness. */
  const restart = async (keys: Readonly<Record<string, string>>, restarted = ports) => {
    for (const port of restarted) {
      const node = serving.find(({ origin }) => origin.endsWith(`:${port}`)) ?? assert.fail('serves')
      serving.splice(serving.indexOf(node), 1)
      await node.stop()
      serving.push(await start(keys, port))
    }
  }
  const { environment } = serving[0] ?? assert.fail('serves')
  const rotated = await run('master-key-command', ['rotate'], environment)
  assert.deepEqual([rotated.code, rotated.stderr.includes('Error')], [0, false])
  assert.match(rotated.stdout, /^The master key is replaced\. On every node, set MASTER_KEY to /)
  assert.match(
    (await run('master-key-command', ['rotate'], environment)).stdout,
    /^The master key was replaced before\. /,
  )
  // A node that has not got its new settings yet can still start
  await restart(both, ports.slice(0, 1))
  await restart({ MASTER_KEY: second })
  const statuses = await load.end()
  assert.ok(statuses.length > 100)
  assert.deepEqual([...new Set(statuses)], [200])
  await assert.rejects(
    start({ MASTER_KEY: first }, await freePort()),
    /MASTER_KEY is \(not shown\), but it was replaced on \d{4}-\d\d-\d\d; set MASTER_KEY to the key that replaced it\./,
  )
  const verified = await run('verify-audit', [], { ...environment, MASTER_KEY: second, MASTER_KEY_NEXT: '' })
  assert.match(verified.stdout, /^Intact: /)
})

const isPostgres = process.env.E2E_DATABASE === 'postgresql'

test('MK-02 on SQLite the running server replaces the master key, and tokens from before stay valid', {
  skip: isPostgres,
}, async context => {
  const options: StartOptions = { port: await freePort(), configuration, dataDirectory: directory }
  const start = async (environment: Readonly<Record<string, string>>) => {
    const server = await startLatchkey({ ...options, environment })
    context.after(() => server.stop())
    return server
  }
  const before = await start({ MASTER_KEY: first })
  const issued = await obtainTokens(before.issuer, app)
  const missing = await run('master-key-command', ['rotate'], before.environment)
  assert.deepEqual([missing.code, missing.stdout], [2, ''])
  assert.match(missing.stderr, /^MASTER_KEY_NEXT is not set to another key; /)
  const other = await run('master-key-command', ['rotate'], {
    ...before.environment,
    MASTER_KEY_NEXT: second,
  })
  assert.deepEqual([other.code, other.stdout], [1, ''])
  assert.match(other.stderr, /^The server was started with other master keys than those of this command: /)
  await before.stop()
  const during = await start({ MASTER_KEY: first, MASTER_KEY_NEXT: second })
  const backup = await run('backup-command', [join(directory, 'earlier')], during.environment)
  assert.deepEqual(
    await run('master-key-command', ['rotate'], during.environment).then(({ code }) => code),
    0,
  )
  const later = await run('backup-command', [join(directory, 'later')], during.environment)
  assert.equal((await refresh(during.issuer, issued.refresh_token)).status, 200)
  await during.stop()
  const server = await start({ MASTER_KEY: second })
  assert.ok(await machineToken(server.issuer, 'machine-reference'))
  const check = (made: typeof backup, key: string) =>
    run('restore-command', [made.stdout.split('\n')[0] ?? '', '--check'], {
      ...server.environment,
      MASTER_KEY: key,
    })
  assert.deepEqual([(await check(backup, first)).code, (await check(later, second)).code], [0, 0])
  const refused = await check(backup, second)
  assert.equal(refused.code, 2)
  assert.match(
    refused.stderr,
    /was made with a different master key; set MASTER_KEY to the key that the server had at 20/,
  )
})

/** Tests a node with several workers, and three such nodes, on PostgreSQL. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { machineToken, obtainCode, obtainTokens, redeem, refresh } from '../fixtures/requests/code-flow.ts'
import { basic, send } from '../fixtures/requests/http-client.ts'
import { clientSecret, testConfiguration } from '../fixtures/server/configuration.ts'
import { openPostgresDatabases, type PostgresDatabases } from '../fixtures/server/database.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, newMasterKey, spawnLatchkey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { onTablesOf } from '../fixtures/server/stored-rows.ts'
import { app } from '../fixtures/server/suite.ts'

const configuration = testConfiguration({ app })
let databases: PostgresDatabases
before(async () => {
  databases = await openPostgresDatabases()
})
after(() => databases.close())

async function startNode(options: Partial<Parameters<typeof startLatchkey>[0]> = {}): Promise<Latchkey> {
  const databaseUrl = options.databaseUrl ?? (await databases.create())
  const node = await startLatchkey({
    port: await freePort(),
    workers: 2,
    configuration,
    ...options,
    databaseUrl,
  })
  await untilRunning(node, 2)
  return node
}

type Line = Readonly<Record<string, unknown>>

/** The complete lines of the log that contain `{`. Throws if one of them is not valid JSON. */
function linesOf(node: Latchkey): readonly Line[] {
  const complete = node.output().split('\n').slice(0, -1)
  return complete.filter(line => line.includes('{')).map(line => JSON.parse(line))
}

/** The process IDs of the running workers. */
function workersOf(node: Latchkey): readonly number[] {
  const lines = linesOf(node)
  const ended = lines.filter(({ msg }) => msg === 'worker_ended').map(({ worker }) => worker)
  const started = lines.filter(({ msg, worker }) => msg === 'worker_started' && !ended.includes(worker))
  return started.map(({ pid }) => Number(pid))
}

/** The details of the events of workers that were replaced. */
async function recordedEnds(node: Latchkey): Promise<readonly Line[]> {
  const rows = await onTablesOf(node, tables => tables.event.findMany({ where: { name: 'worker_replaced' } }))
  return rows.map(({ details }) => JSON.parse(details ?? '{}'))
}

async function untilRunning(node: Latchkey, running: number): Promise<void> {
  await until(async () => {
    const answer = await send(node.origin, '/readyz').catch(() => null)
    return JSON.stringify(answer?.json().workers) === JSON.stringify({ wanted: 2, running })
  })
}

async function until(isTrue: () => boolean | Promise<boolean>, withinMs = 20_000): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error('it did not happen in time')
    await delay(50)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('a node with two workers', () => {
  let node: Latchkey
  before(async () => {
    node = await startNode()
  })
  after(() => node.stop())

  test('prints one summary, answers for all workers, and both write to one log', async () => {
    await Promise.all(Array.from({ length: 20 }, () => send(node.origin, '/healthz')))
    await until(() => new Set(linesOf(node).map(({ worker }) => worker)).size === 2)
    const health = await send(node.origin, '/healthz')
    assert.deepEqual(health.json(), { status: 'ok', workers: { wanted: 2, running: 2 } })
    assert.equal(node.output().split('is ready').length, 2)
    assert.match(node.output(), /Workers +2 processes/)
    const [first, second] = linesOf(node).filter(({ msg }) => msg === 'worker_started')
    assert.deepEqual([first?.worker, second?.worker], [1, 2])
  })

  test('a second start on the port is refused with a message that names the port', async context => {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'latchkey-workers-'))
    context.after(() => rm(dataDirectory, { recursive: true }))
    const port = Number(new URL(node.origin).port)
    const environment = { DATABASE_URL: await databases.create(), LATCHKEY_WORKERS: '2' }
    const second = await spawnLatchkey({
      port,
      dataDirectory,
      issuer: node.issuer,
      environment,
      configuration,
    })
    const [code] = await once(second.process, 'exit')
    assert.equal(code, 2)
    assert.match(
      second.output(),
      new RegExp(
        `^PORT is "${port}", but something else is listening there; stop it, or set another PORT\\.$`,
        'm',
      ),
    )
    assert.equal((await send(node.origin, '/readyz')).status, 200)
  })

  test('SIGTERM and Ctrl-C of a terminal do not end a worker', async () => {
    for (const pid of workersOf(node))
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.kill(pid, signal)
    await delay(500)
    assert.ok(workersOf(node).every(isAlive))
    assert.equal((await send(node.origin, '/readyz')).status, 200)
  })

  test('workers that are killed under load lose nothing that was acknowledged, and are replaced', async () => {
    const issued: string[] = []
    const newest: string[] = []
    while (newest.length < 4) newest.push((await obtainTokens(node.issuer, app)).refresh_token)
    let isOver = false
    const issue = async () => {
      while (!isOver)
        await machineToken(node.issuer, 'machine-reference').then(
          token => issued.push(token),
          () => delay(5),
        )
    }
    const rotate = async (family: number) => {
      while (!isOver) {
        const answer = await refresh(node.issuer, newest[family] ?? '').catch(() => null)
        if (answer?.status === 200) newest[family] = String(answer.json().refresh_token)
        else assert.ok(answer === null || answer.status === 503, answer?.text)
      }
    }
    const load = [issue(), issue(), issue(), issue(), ...[0, 1, 2, 3].map(rotate)]
    for (let kills = 0; kills < 4; kills += 1) {
      await delay(300)
      const [victim] = workersOf(node)
      process.kill(victim ?? 0, 'SIGKILL')
      await until(() => !workersOf(node).includes(victim ?? 0))
      await untilRunning(node, 2)
    }
    isOver = true
    await Promise.all(load)
    await until(async () => (await recordedEnds(node)).length === 4)
    const [end] = await recordedEnds(node)
    assert.deepEqual([end?.signal, end?.wasSilent], ['SIGKILL', false])
    assert.ok(issued.length > 20, `${issued.length} tokens`)
    for (const token of issued) {
      const answer = await send(node.origin, '/connect/accesstokenvalidation', { form: { token } })
      assert.equal(answer.status, 200, answer.text)
    }
    for (const token of newest) assert.equal((await refresh(node.issuer, token)).status, 200)
  })
})

test('SIGTERM under load cuts no request, and the log has only whole lines', async context => {
  const node = await startNode()
  context.after(() => node.stop())
  const statuses: unknown[] = []
  const load = Array.from({ length: 16 }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let isKept = true; isKept; ) {
      const answer = await requestToken(node, agent).catch(error => ({ status: error, isKept: false }))
      statuses.push(answer.status)
      isKept = answer.isKept
    }
    agent.destroy()
  })
  await until(() => statuses.length > 200)
  const ended = once(node.process, 'exit')
  node.process.kill('SIGTERM')
  await Promise.all(load)
  assert.deepEqual(await ended, [0, null])
  assert.deepEqual([...new Set(statuses)], [200])
  const lines = linesOf(node).filter(({ pattern }) => pattern === '/connect/token')
  assert.equal(lines.length, statuses.length)
  assert.deepEqual(workersOf(node).filter(isAlive), [])
  assert.match(node.output(), /Stopping … stopped\.\n$/)
})

/** Requests a token. `isKept`: the connection can be used again. */
function requestToken({ origin }: Latchkey, agent: Agent): Promise<{ status: unknown; isKept: boolean }> {
  const headers = { ...basic('machine', clientSecret), 'content-type': 'application/x-www-form-urlencoded' }
  const { promise, resolve, reject } = Promise.withResolvers<{ status: unknown; isKept: boolean }>()
  const outgoing = request(`${origin}/connect/token`, { method: 'POST', headers, agent }, answer => {
    answer.resume().once('error', reject)
    answer.once('end', () =>
      resolve({ status: answer.statusCode, isKept: answer.headers.connection !== 'close' }),
    )
  })
  outgoing.once('error', reject).end('grant_type=client_credentials&scope=api')
  return promise
}

test('five workers that end within a minute end the node with exit code 1', async context => {
  const node = await startNode()
  context.after(() => node.stop())
  const ended = once(node.process, 'exit')
  for (let deaths = 0; deaths < 5; deaths += 1) {
    await until(() => workersOf(node).length === 2)
    process.kill(workersOf(node)[0] ?? 0, 'SIGKILL')
    await until(() => linesOf(node).filter(({ msg }) => msg === 'worker_ended').length > deaths)
  }
  assert.deepEqual(await ended, [1, null])
  assert.equal(linesOf(node).filter(({ msg }) => msg === 'node_ends').length, 1)
  assert.deepEqual(workersOf(node).filter(isAlive), [])
})

test('workers end within four seconds after their primary process was killed', async context => {
  const node = await startNode()
  context.after(() => node.stop())
  const workers = workersOf(node)
  node.process.kill('SIGKILL')
  await until(() => !workers.some(isAlive), 4000)
  await assert.rejects(send(node.origin, '/healthz'))
})

test('a worker that no longer answers is killed and replaced', async context => {
  const node = await startNode()
  context.after(() => node.stop())
  const [hung = 0, sound = 0] = workersOf(node)
  process.kill(hung, 'SIGSTOP')
  await until(() => linesOf(node).some(({ msg }) => msg === 'worker_silent'))
  await until(() => workersOf(node).length === 2 && !workersOf(node).includes(hung))
  assert.ok(workersOf(node).includes(sound))
  await until(async () => (await recordedEnds(node)).length === 1)
  const [end] = await recordedEnds(node)
  assert.deepEqual([end?.signal, end?.wasSilent], ['SIGKILL', true])
  assert.equal(await node.stop(), 0)
})

describe('three nodes with two workers each', () => {
  const nodes: Latchkey[] = []
  before(async () => {
    const databaseUrl = await databases.create()
    const ports = [await freePort(), await freePort(), await freePort()]
    const environment = { ISSUER: `http://localhost:${ports[0]}`, MASTER_KEY: newMasterKey() }
    const started = ports.map(port => startNode({ port, databaseUrl, environment }))
    nodes.push(...(await Promise.all(started)))
  })
  after(() => Promise.all(nodes.map(node => node.stop())))
  const origins = () => nodes.map(({ origin }) => origin)
  const racers = () => Array.from({ length: 18 }, (_, index) => origins()[index % 3] ?? '')

  test('start together on an empty database, with one set of keys', async () => {
    const sets = await Promise.all(racers().map(origin => send(origin, '/.well-known/jwks')))
    assert.equal(new Set(sets.map(({ text }) => text)).size, 1)
  })

  test('CD-02 one of eighteen simultaneous redemptions of a code succeeds', async () => {
    for (let round = 0; round < 10; round += 1) {
      const code = await obtainCode(origins()[0] ?? '', app)
      const answers = await Promise.all(racers().map(origin => redeem(origin, code)))
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
      assert.ok(answers.every(({ status }) => status === 200 || status === 400))
    }
  })

  test('simultaneous refreshes with one token return one new token, from every process', async () => {
    const { refresh_token: token } = await obtainTokens(origins()[0] ?? '', app)
    const answers = await Promise.all(racers().map(origin => refresh(origin, token)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    const next = new Set(answers.map(answer => String(answer.json().refresh_token)))
    assert.equal(next.size, 1)
  })

  test('a revoked token is refused by every process immediately', async () => {
    const token = await machineToken(origins()[1] ?? '', 'machine-reference')
    const form = { token }
    const validate = (origin: string) => send(origin, '/connect/accesstokenvalidation', { form })
    const statuses = async () => [
      ...new Set((await Promise.all(racers().map(validate))).map(({ status }) => status)),
    ]
    assert.deepEqual(await statuses(), [200])
    const headers = basic('machine-reference', clientSecret)
    assert.equal((await send(origins()[2] ?? '', '/connect/revocation', { form, headers })).status, 200)
    assert.deepEqual(await statuses(), [400])
  })
})

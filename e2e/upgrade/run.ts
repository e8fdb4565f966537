/**
 * `npm run upgrade:test`: replaces the nodes of an earlier release one after another on PostgreSQL while users sign in and apps use
 * tokens, restarts an earlier node in between, goes back, and counts failed requests. By default the earlier release is the first
 * one from which upgrades can be rolling. `-- --old FOLDER --new FOLDER` compares two prepared checkouts.
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { visitApps } from '../fixtures/requests/app-visit.ts'
import { startBalancer } from '../fixtures/server/balancer.ts'
import { testConfiguration } from '../fixtures/server/configuration.ts'
import { openDatabase } from '../fixtures/server/database.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, newMasterKey, startAsInstalled } from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'
import { contraction, prepareCheckout, problemWith } from './checkouts.ts'

/** The first commit that accepts a database of the next release. */
const firstCommit = 'c0a336b55d7ec558f24a88109f065155ba61111d'

const { values } = parseArgs({
  options: {
    old: { type: 'string' },
    new: { type: 'string', default: join(import.meta.dirname, '../..') },
    seconds: { type: 'string', default: '60' },
    users: { type: 'string', default: '4' },
  },
})
const skipped = values.old === undefined ? problemWith(firstCommit) : null
if (skipped !== null) end(skipped)
const checkouts = { old: values.old ?? prepareCheckout(firstCommit), new: values.new }
const contract = contraction(checkouts.old, checkouts.new)
if (contract !== null) end(`Skipped: for the migration ${contract}, all nodes must stop.`)
const users = Array.from({ length: Number(values.users) }, (_, index) => ({
  ...{ username: `user-${index}`, sub: `user-${index}`, password: `a harbor in the morning ${index}` },
  claims: { name: `User ${index}` },
}))

type Release = keyof typeof checkouts
type Phase = { readonly name: string; visits: number; readonly failures: string[] }

const database = await openDatabase('postgresql')
const port = await freePort()
const ports = [await freePort(), await freePort()] as const
const environment = {
  ISSUER: `http://localhost:${port}`,
  MASTER_KEY: newMasterKey(),
  // A node behind a proxy accepts requests until the proxy has asked whether it is ready
  TRUST_PROXY: '127.0.0.1',
  LATCHKEY_WORKERS: '1',
}
const balancer = await startBalancer(port, ports)
const nodes: Latchkey[] = []
const phases: Phase[] = []
let isOver = false

try {
  await replaceAll()
  report()
} finally {
  isOver = true
  await balancer.close()
  for (const node of nodes) await node.stop()
  await database.close()
}

async function replaceAll(): Promise<void> {
  await begin('both nodes have the earlier release', async () => {
    nodes.push(await start(0, 'old'))
    nodes.push(await start(1, 'old'))
  })
  const load = users.map(keepVisiting)
  await delay(phaseMs())
  await begin('the first node gets the new release, and migrates', () => replace(0, 'new'))
  await begin('the second node, of the earlier release, is restarted', () => replace(1, 'old'))
  await begin('the second node gets the new release', () => replace(1, 'new'))
  await begin('the first node goes back to the earlier release', () => replace(0, 'old'))
  isOver = true
  await Promise.all(load)
}

function end(sentence: string): never {
  console.log(sentence)
  process.exit(0)
}

function phaseMs(): number {
  return (Number(values.seconds) * 1000) / 5
}

async function begin(name: string, change: () => Promise<void>): Promise<void> {
  console.log(name)
  phases.push({ name, visits: 0, failures: [] })
  await change()
  if (phases.length > 1) await delay(phaseMs())
}

function start(index: 0 | 1, release: Release): Promise<Latchkey> {
  return startAsInstalled({
    ...{ port: ports[index], databaseUrl: database.url ?? '', environment, checkout: checkouts[release] },
    configuration: { ...testConfiguration({ app }), users },
  })
}

async function replace(index: 0 | 1, release: Release): Promise<void> {
  await nodes[index]?.stop()
  nodes[index] = await start(index, release)
}

/** Lets a user visit apps until the end. A failure counts for the phase in which it happened. */
async function keepVisiting(user: (typeof users)[number]): Promise<void> {
  while (!isOver) {
    const failure = await visitApps(environment.ISSUER, app, user).then(
      () => null,
      (error: unknown) => String(error),
    )
    const phase = phases.at(-1)
    if (phase === undefined) continue
    phase.visits += 1
    if (failure !== null) phase.failures.push(failure)
  }
}

function report(): void {
  const isMeasured = phases.every(({ visits }) => visits > 0)
  const failures = phases.flatMap(phase => phase.failures)
  for (const { name, visits, failures: failed } of phases)
    console.log(`${visits} visits, ${failed.length} failed: ${name}`)
  console.log(`${balancer.requests()} requests in all`)
  for (const failure of failures.slice(0, 10)) console.error(failure)
  for (const node of failures.length > 0 ? nodes : []) console.error(node.output().slice(-3000))
  if (!isMeasured) console.error('Some phase had no visit: give it more time with --seconds.')
  process.exitCode = isMeasured && failures.length === 0 ? 0 : 1
}

/** Tests the outbox with processes and a real SMTP server: a node that is killed while it sends, and three nodes together. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openAdmin } from '../fixtures/dashboard/administrator.ts'
import { startSmtp, type TestSmtp } from '../fixtures/outside/smtp-server.ts'
import { testConfiguration } from '../fixtures/server/configuration.ts'
import { openDatabase } from '../fixtures/server/database.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, newMasterKey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { storeMails } from '../fixtures/server/stored-mails.ts'
import { onTablesOf } from '../fixtures/server/stored-rows.ts'
import { app } from '../fixtures/server/suite.ts'

const masterKey = newMasterKey()

/** Returns a function that starts nodes with one database and one data folder, which send mail to this server. */
async function nodesOf(context: TestContext, smtp: TestSmtp, kind: 'sqlite' | 'postgresql') {
  const database = await openDatabase(kind)
  context.after(() => database.close())
  const dataDirectory = await mkdtemp(join(tmpdir(), 'latchkey-e2e-'))
  context.after(() => rm(dataDirectory, { recursive: true, force: true }))
  const ports = [await freePort(), await freePort(), await freePort()]
  const environment = {
    ISSUER: `http://localhost:${ports[0]}`,
    MASTER_KEY: masterKey,
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MAIL_FROM: 'Harbor <noreply@example.org>',
  }
  return async (index: number): Promise<Latchkey> => {
    const node = await startLatchkey({
      ...{ port: ports[index] ?? 0, dataDirectory, environment },
      configuration: testConfiguration({ app }),
      ...(database.url === null ? {} : { databaseUrl: database.url }),
    })
    context.after(() => node.stop())
    return node
  }
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error('it did not happen in time')
    await delay(20)
  }
}

/** The message IDs of the mails to an address, or to all. */
function sentTo({ received }: TestSmtp, address: string | null): readonly string[] {
  const mails = received.filter(({ to }) => address === null || to.includes(address))
  return mails.map(({ source }) => /^Message-ID: (.+)\r$/im.exec(source)?.[1] ?? assert.fail(source))
}

const deliveriesOf = (node: Latchkey) => onTablesOf(node, tables => tables.delivery.findMany())

async function deliveryTo(node: Latchkey, address: string) {
  return (await deliveriesOf(node)).find(({ target }) => target === address)
}

for (const kind of ['sqlite', 'postgresql'] as const)
  test(`a node that is killed while it sends loses no mail: a different one sends it after the lease, with the same ID (${kind})`, async context => {
    const smtp = await startSmtp({
      beforeAnswer: async count => (count === 1 ? new Promise(() => {}) : null),
    })
    context.after(() => smtp.close())
    const startNode = await nodesOf(context, smtp, kind)
    const first = await startNode(0)
    const owner = await openAdmin(first)
    const sendTo = (to: string) => owner.post('mail.send_test', { to }, '/admin/mail')
    await sendTo('alice@example.org')
    await until(() => smtp.received.length === 1)
    first.process.kill('SIGKILL')
    await once(first.process, 'exit')
    const lost = await deliveryTo(first, 'alice@example.org')
    assert.deepEqual([lost?.state, lost?.attempts, (lost?.nextAt ?? 0) > new Date()], ['waiting', 1, true])
    const second = await startNode(0)
    await sendTo('bob@example.org')
    await until(async () => (await deliveryTo(second, 'bob@example.org'))?.state === 'delivered')
    assert.equal(sentTo(smtp, 'alice@example.org').length, 1, 'nothing is sent before the lease ends')
    await onTablesOf(second, tables =>
      tables.delivery.updateMany({ where: { target: 'alice@example.org' }, data: { nextAt: new Date() } }),
    )
    await until(async () => (await deliveryTo(second, 'alice@example.org'))?.state === 'delivered')
    const [one, two, ...others] = sentTo(smtp, 'alice@example.org')
    assert.deepEqual([one, others], [two, []])
  })

test('three nodes send sixty mails, each exactly once', async context => {
  let [open, mostOpen] = [0, 0]
  const smtp = await startSmtp({
    onConnect: (_session, done) => {
      open += 1
      mostOpen = Math.max(mostOpen, open)
      done()
    },
    onClose: () => {
      open -= 1
    },
    beforeAnswer: () => delay(100),
  })
  context.after(() => smtp.close())
  const startNode = await nodesOf(context, smtp, 'postgresql')
  const [first] = await Promise.all([startNode(0), startNode(1), startNode(2)])
  const addresses = Array.from({ length: 60 }, (_one, index) => `user-${index}@example.org`)
  await storeMails(first, addresses, masterKey)
  await until(async () => (await deliveriesOf(first)).every(({ state }) => state === 'delivered'))
  assert.deepEqual([smtp.received.length, new Set(sentTo(smtp, null)).size], [60, 60])
  assert.ok((await deliveriesOf(first)).every(({ attempts }) => attempts === 1))
  assert.ok(mostOpen > 3, `one node sends three mails at the same time, and there were ${mostOpen}`)
})

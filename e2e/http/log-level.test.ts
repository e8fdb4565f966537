/** Tests that the operator can set the level of the log of all processes for a while. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { runAdminCommand } from '../fixtures/dashboard/administrator.ts'
import { basic, send } from '../fixtures/requests/http-client.ts'
import { clientSecret, testConfiguration } from '../fixtures/server/configuration.ts'
import { openPostgresDatabases } from '../fixtures/server/database.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { onTablesOf } from '../fixtures/server/stored-rows.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

/** Returns the number of requests that a server logs, of some on several connections. */
async function loggedRequests(server: Latchkey, requests = 8): Promise<number> {
  const form = { grant_type: 'client_credentials', scope: 'api' }
  const from = server.output().length
  for (let count = 0; count < requests; count += 1)
    await send(server.origin, '/connect/token', { form, headers: basic('machine', clientSecret) })
  await delay(300)
  return server.output().slice(from).split('"pattern":"/connect/token"').length - 1
}

test('TL-05 all processes change their level within a second, and return by themselves, with an audit row', async context => {
  const databases = await openPostgresDatabases()
  context.after(() => databases.close())
  const node = await startLatchkey({
    ...{ port: await freePort(), workers: 2, databaseUrl: await databases.create() },
    configuration: testConfiguration({ app }),
  })
  context.after(() => node.stop())
  assert.equal(await loggedRequests(node), 8)
  const { code, output } = await runAdminCommand(node, ['log-level', 'error', '--for', '12s'])
  assert.equal(code, 0, output)
  assert.match(output, /All nodes log at the level error until .* GMT, and then at LOG_LEVEL\./)
  await delay(1000)
  assert.equal(await loggedRequests(node), 0)
  await delay(12_500)
  assert.equal(await loggedRequests(node), 8)
  const rows = await onTablesOf(node, ({ auditRow }) =>
    auditRow.findMany({ where: { targetId: 'log_level' } }),
  )
  assert.equal(rows.length, 1)
})

const latchkey = latchkeySuite()

test('TL-05 the level of a server on SQLite can be returned before its time ends, and wrong arguments change nothing', async () => {
  const run = (...given: string[]) => runAdminCommand(latchkey.server, ['log-level', ...given])
  assert.equal((await run('error', '--for', '10m')).code, 0)
  await delay(1000)
  assert.equal(await loggedRequests(latchkey.server, 2), 0)
  for (const wrong of [
    ['loud'],
    [],
    ['silent'],
    ['debug', '--for', '0m'],
    ['debug', '--for', '25h'],
    ['debug', '--for', 'x'],
  ])
    assert.equal((await run(...wrong)).code, 2, wrong.join(' '))
  assert.equal((await run('default')).code, 0)
  await delay(1000)
  assert.equal(await loggedRequests(latchkey.server, 2), 2)
})

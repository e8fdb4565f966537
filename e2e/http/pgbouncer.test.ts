/** Tests a node behind PgBouncer, with the configuration and the statement that docs/production.md shows. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { reasonAgainst, startPgBouncer } from '../fixtures/outside/pgbouncer.ts'
import { machineToken, obtainCode, obtainTokens, redeem, refresh } from '../fixtures/requests/code-flow.ts'
import { basic, send } from '../fixtures/requests/http-client.ts'
import { clientSecret, testConfiguration } from '../fixtures/server/configuration.ts'
import { openPostgresDatabases, type PostgresDatabases } from '../fixtures/server/database.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, newMasterKey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'

const masterKey = newMasterKey()
const root = resolve(import.meta.dirname, '../..')
const warning = /The database ends no long statements/
let databases: PostgresDatabases
before(async () => {
  databases = await openPostgresDatabases()
})
after(() => databases.close())

for (const mode of ['transaction', 'session'] as const)
  describe(`PgBouncer in the mode ${mode}`, { skip: await reasonAgainst(mode) }, () => {
    let databaseUrl: string
    let pooler: Awaited<ReturnType<typeof startPgBouncer>>
    let node: Latchkey
    before(async () => {
      databaseUrl = await databases.create()
      pooler = await startPgBouncer(databaseUrl, mode)
      node = await start()
    })
    after(async () => {
      await node.stop()
      await pooler.stop()
    })

    async function start(): Promise<Latchkey> {
      const configuration = testConfiguration({ app })
      const environment = { MASTER_KEY: masterKey }
      return startLatchkey({ port: await freePort(), configuration, databaseUrl: pooler.url, environment })
    }

    test(`HA-04 in the mode ${mode}, apps get tokens, and a code works once however often it is sent`, async () => {
      const tokens = await obtainTokens(node.issuer, app)
      assert.equal((await refresh(node.issuer, tokens.refresh_token)).status, 200)
      for (let round = 0; round < 3; round += 1) {
        const code = await obtainCode(node.issuer, app)
        const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(node.issuer, code)))
        const statuses = answers.map(({ status }) => status).toSorted()
        assert.deepEqual(statuses, [200, ...Array.from({ length: 9 }, () => 400)])
      }
    })

    test(`HA-04 in the mode ${mode}, forty requests at the same time share the connections`, async () => {
      const headers = basic('machine', clientSecret)
      const token = await machineToken(node.issuer)
      const ask = () => send(node.issuer, '/connect/introspect', { form: { token }, headers })
      const answers = await Promise.all(Array.from({ length: 40 }, ask))
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    })

    test(`HA-04 in the mode ${mode}, the audit log is verified by its command`, () => {
      const { scripts } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'))
      const [, ...script] = String(scripts['audit:verify']).split(' ')
      const env = { ...node.environment, DATABASE_URL: pooler.url }
      const { stdout, stderr } = spawnSync(process.execPath, script, { cwd: root, env, encoding: 'utf8' })
      assert.match(stdout, /^Intact: /, stderr)
    })

    test(`HA-04 in the mode ${mode}, the start warns until the role ends long statements`, async context => {
      assert.ok(warning.test(node.output()), 'there is no warning')
      const administrator = new pg.Client({ connectionString: databaseUrl })
      await administrator.connect()
      context.after(async () => {
        await administrator.query('ALTER ROLE latchkey RESET statement_timeout')
        await administrator.end()
      })
      const manual = readFileSync(resolve(root, 'docs/production.md'), 'utf8')
      await administrator.query(/ALTER ROLE latchkey SET statement_timeout[^;]*/.exec(manual)?.[0] ?? '')
      await node.stop()
      // Connections of the pooler that are open do not change
      await administrator.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'",
      )
      node = await start()
      assert.ok(!warning.test(node.output()), 'there is a warning')
    })
  })

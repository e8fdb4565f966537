/** Moves an installation from SQLite to PostgreSQL, as an operator does. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { machineToken, obtainTokens, refresh } from '../fixtures/requests/code-flow.ts'
import { basic, bearer, send } from '../fixtures/requests/http-client.ts'
import { introspectionScope, testConfiguration } from '../fixtures/server/configuration.ts'
import { openPostgresDatabases } from '../fixtures/server/database.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { startLatchkey } from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'

const root = resolve(import.meta.dirname, '../..')
const directory = await mkdtemp(join(tmpdir(), 'latchkey-moved-'))
after(() => rm(directory, { recursive: true, force: true }))

async function move(given: readonly string[], environment: NodeJS.ProcessEnv) {
  const options = { cwd: root, env: environment }
  return promisify(execFile)(process.execPath, ['lib/server/cli/move-command.ts', ...given], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

const isPostgres = process.env.E2E_DATABASE === 'postgresql'

test('BAK-03 after a move, tokens and keys of SQLite work on PostgreSQL', {
  skip: isPostgres,
}, async context => {
  const databases = await openPostgresDatabases()
  context.after(databases.close)
  const databaseUrl = await databases.create()
  const configuration = testConfiguration({ app })
  const options = { port: await freePort(), configuration, dataDirectory: directory }
  const before = await startLatchkey(options)
  context.after(() => before.stop())
  const issued = await obtainTokens(before.issuer, app)
  const reference = await machineToken(before.issuer, 'machine-reference')
  const running = await move([databaseUrl], before.environment)
  assert.deepEqual(running, { code: 2, stdout: '', stderr: running.stderr })
  assert.match(running.stderr, /^The server is running: stop it, /)
  await before.stop()
  const addressFile = join(directory, 'address')
  await writeFile(addressFile, `${databaseUrl}\n`)
  const moved = await move(['--target-file', addressFile], before.environment)
  assert.equal(moved.code, 0, moved.stderr)
  assert.match(moved.stdout, /^Moved all data: \d+ users, \d+ clients, \d+ changes\. /)

  const server = await startLatchkey({ ...options, databaseUrl })
  context.after(() => server.stop())
  const { issuer } = server
  const metadata = (await send(issuer, '/.well-known/openid-configuration')).json()
  await jwtVerify(issued.access_token, createRemoteJWKSet(new URL(String(metadata.jwks_uri))), { issuer })
  assert.equal(
    (await send(issuer, '/connect/userinfo', { headers: bearer(issued.access_token) })).status,
    200,
  )
  assert.equal((await refresh(issuer, issued.refresh_token)).status, 200)
  const headers = basic(introspectionScope.name, introspectionScope.secret)
  const introspected = await send(issuer, '/connect/introspect', { form: { token: reference }, headers })
  assert.equal(introspected.json().active, true)
  assert.match(
    (await move([databaseUrl], before.environment)).stdout,
    /^This data was moved before; nothing was done\./,
  )
})

test('a move to an address that is not PostgreSQL, or where nothing answers, is refused with a sentence', async () => {
  const environment = { ...process.env, DATABASE_URL: '', DATA_DIR: join(directory, 'none'), MASTER_KEY: '' }
  const cases = [
    [['file:other.db'], environment, /^The target must be a PostgreSQL database\.\n$/],
    [['mysql://x'], environment, /^The PostgreSQL address is \(not shown\), but it must start with /],
    [[], { ...environment, DATABASE_URL: 'postgresql://a@127.0.0.1:9/b' }, null],
    [
      ['postgresql://a@127.0.0.1:9/b'],
      { ...environment, DATABASE_URL: 'postgresql://a@127.0.0.1:9/b' },
      /^The settings name a PostgreSQL database: /,
    ],
    [
      ['postgresql://a@127.0.0.1:9/b'],
      { ...environment, MASTER_KEY: 'A'.repeat(43) },
      /MASTER_KEY is \(not shown\)/,
    ],
    [['a', 'b'], environment, /^Name one PostgreSQL database, by its address or with --target-file\.\n/],
  ] as const
  for (const [given, env, sentence] of cases) {
    const { code, stderr, stdout } = await move(given, env)
    if (sentence === null) assert.match(stdout, /^Usage: /)
    else assert.deepEqual([code, sentence.test(stderr) ? 'as expected' : stderr], [2, 'as expected'])
  }
})

/**
 * A disaster drill: a server with tokens is backed up under load, its machine is lost, and the backup is restored elsewhere.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import {
  type Issued,
  machineToken,
  obtainCode,
  obtainTokens,
  redeem,
  refresh,
} from '../fixtures/requests/code-flow.ts'
import { basic, bearer, send } from '../fixtures/requests/http-client.ts'
import { clientSecret, introspectionScope, testConfiguration } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const root = resolve(import.meta.dirname, '../..')
const configuration = testConfiguration({ app })
const directory = await mkdtemp(join(tmpdir(), 'latchkey-drill-'))
after(() => rm(directory, { recursive: true, force: true }))

type Environment = Readonly<Record<string, string | undefined>>

/** Runs a command with the settings of a server, as `npm run` does. */
async function run(script: 'backup' | 'restore', given: readonly string[], environment: Environment) {
  const parts = ['--import', './lib/server/read-environment-file.mjs', `lib/server/cli/${script}-command.ts`]
  const child = promisify(execFile)(process.execPath, [...parts, ...given], {
    cwd: root,
    env: { NODE_ENV: 'production', ...environment },
  })
  return child.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

const isPostgres = process.env.E2E_DATABASE === 'postgresql'

describe('BAK-02 a machine is lost, and its backup is restored elsewhere', { skip: isPostgres }, () => {
  const machine = join(directory, 'machine')
  const backups = join(directory, 'backups')
  const passphraseFile = join(directory, 'passphrase')
  let port: number
  let issued: Issued
  let late: Issued
  let references: readonly string[]
  let code: Awaited<ReturnType<typeof obtainCode>>
  let answersDuringBackup: readonly number[]
  let backup: string

  before(async () => {
    port = await freePort()
    await mkdir(machine)
    await writeFile(passphraseFile, 'a passphrase for the drill\n')
    const server = await startLatchkey({ port, configuration, dataDirectory: machine })
    issued = await obtainTokens(server.issuer, app)
    code = await obtainCode(server.issuer, app)
    references = await Promise.all(
      Array.from({ length: 20 }, () => machineToken(server.issuer, 'machine-reference')),
    )
    const load = loadUntil(server)
    const made = await run('backup', [backups, '--passphrase-file', passphraseFile], server.environment)
    answersDuringBackup = await load.end()
    assert.deepEqual([made.code, made.stderr], [0, ''])
    backup = String(made.stdout.split('\n')[0])
    late = await obtainTokens(server.issuer, app)
    server.process.kill('SIGKILL')
    await server.stop()
    await cp(join(machine, 'master.key'), join(directory, 'master.key'))
    await rm(machine, { recursive: true, force: true })
  })

  /** Restores into a new folder, starts a server there, and stops it at the end of the test. */
  async function restored(
    choice: string,
    stopAfter: (stop: () => Promise<unknown>) => void,
  ): Promise<Latchkey> {
    const folder = await mkdtemp(join(directory, 'elsewhere-'))
    await cp(join(directory, 'master.key'), join(folder, 'master.key'))
    const environment = { PATH: process.env.PATH, DATA_DIR: folder, ISSUER: `http://localhost:${port}` }
    const done = await run('restore', [backup, choice, '--passphrase-file', passphraseFile], environment)
    assert.deepEqual([done.code, done.stderr], [0, ''])
    const server = await startLatchkey({ port, configuration, dataDirectory: folder })
    stopAfter(() => server.stop())
    return server
  }

  test('BAK-01 requests are answered while a backup is made', () => {
    assert.ok(answersDuringBackup.length > 0)
    assert.deepEqual([...new Set(answersDuringBackup)], [200])
  })

  test('BAK-02 with --keep-grants, all tokens from before the backup work, and codes do not', async context => {
    const { issuer } = await restored('--keep-grants', stop => context.after(stop))
    await verifies(issuer, issued.access_token)
    for (const token of references) assert.equal(await isActive(issuer, token), true)
    assert.equal(
      (await send(issuer, '/connect/userinfo', { headers: bearer(issued.access_token) })).status,
      200,
    )
    assert.equal((await refresh(issuer, issued.refresh_token)).status, 200)
    assert.equal((await refresh(issuer, late.refresh_token)).json().error, 'invalid_grant')
    assert.equal((await redeem(issuer, code)).json().error, 'invalid_grant')
  })

  test('BAK-02 by default, tokens are revoked, signatures still verify, and users sign in again', async context => {
    const server = await restored('--revoke-grants', stop => context.after(stop))
    const { issuer } = server
    await verifies(issuer, issued.access_token)
    await verifies(issuer, late.access_token)
    assert.equal((await refresh(issuer, issued.refresh_token)).json().error, 'invalid_grant')
    assert.equal(
      (await send(issuer, '/connect/userinfo', { headers: bearer(issued.access_token) })).status,
      401,
    )
    for (const token of references) assert.equal(await isActive(issuer, token), false)
    assert.equal((await redeem(issuer, code)).json().error, 'invalid_grant')
    await verifies(issuer, (await obtainTokens(issuer, app)).access_token)
  })

  test('BAK-02 a target with a database is refused, and the server that uses it goes on', async context => {
    const server = await restored('--keep-grants', stop => context.after(stop))
    const again = await run('restore', [backup, '--passphrase-file', passphraseFile], server.environment)
    assert.equal(again.code, 2)
    assert.match(again.stderr, /^There is already a database at [^\n]+\n$/)
    const check = await run(
      'restore',
      [backup, '--check', '--passphrase-file', passphraseFile],
      server.environment,
    )
    assert.deepEqual([check.code, check.stderr], [0, ''])
    assert.equal((await refresh(server.issuer, issued.refresh_token)).status, 200)
  })

  test('BAK-02 a check of a damaged backup exits with 3, and a missing one with 2', async () => {
    const damaged = join(directory, 'damaged.backup')
    await writeFile(damaged, 'LATCHKEY-BACKUP 1\n{}\n')
    const environment = { PATH: process.env.PATH, DATA_DIR: directory }
    assert.deepEqual(await run('restore', [damaged, '--check'], environment), {
      code: 3,
      stdout: '',
      stderr: `The backup ${damaged} is cut off: it ends in its header.\n`,
    })
    assert.equal((await run('restore', [`${damaged}.missing`], environment)).code, 2)
    assert.deepEqual(
      (await readdir(directory)).filter(name => name.startsWith('latchkey.db.check')),
      [],
    )
  })
})

describe('BAK-02 a database that pg_restore has restored', { skip: !isPostgres }, () => {
  const suite = latchkeySuite()
  test('BAK-02 is checked, and its grants and codes end, before a server is started', async () => {
    const { issuer, server } = suite
    const tokens = await obtainTokens(issuer, app)
    const reference = await machineToken(issuer, 'machine-reference')
    const code = await obtainCode(issuer, app)
    const check = await run('restore', ['--check'], server.environment)
    assert.match(check.stdout, /^The database can be used: the master key is right; the audit log is intact/)
    const kept = await run('restore', ['--finish', '--keep-grants'], server.environment)
    assert.deepEqual([kept.code, kept.stderr], [0, ''])
    assert.equal((await redeem(issuer, code)).json().error, 'invalid_grant')
    assert.equal(await isActive(issuer, reference), true)
    const undecided = await run('restore', ['--finish'], server.environment)
    assert.deepEqual([undecided.code, undecided.stdout], [2, ''])
    assert.match(String(undecided.stderr), /^Name --revoke-grants or --keep-grants with --finish/)
    const finished = await run('restore', ['--finish', '--revoke-grants'], server.environment)
    assert.match(finished.stdout, /^Finished the restore: [^\n]+\nRevoked \d+ grants?, ended \d+ sessions?\./)
    assert.equal((await refresh(issuer, tokens.refresh_token)).json().error, 'invalid_grant')
    assert.equal(await isActive(issuer, reference), false)
  })
})

test('BAK-01 on PostgreSQL, both commands name the documented way', async () => {
  const environment = { PATH: process.env.PATH, DATABASE_URL: 'postgresql://latchkey@127.0.0.1:9/none' }
  for (const [script, given] of [
    ['backup', []],
    ['restore', ['x.backup']],
  ] as const) {
    const { code, stderr } = await run(script, given, { ...environment, DATA_DIR: directory, MASTER_KEY: '' })
    assert.equal(code, 2)
    assert.match(
      stderr,
      /^DATABASE_URL is a PostgreSQL database: use pg_(dump|restore and then --finish), as docs\/backup\.md describes\.\n$/,
    )
  }
})

/** Obtains reference tokens one after the other until `end`, which returns the statuses. */
function loadUntil({ issuer }: Latchkey) {
  let isOver = false
  const statuses: number[] = []
  const work = (async () => {
    while (!isOver) {
      const form = { grant_type: 'client_credentials', scope: 'api' }
      const { status } = await send(issuer, '/connect/token', {
        form,
        headers: basic('machine-reference', clientSecret),
      })
      statuses.push(status)
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

async function verifies(issuer: string, token: string): Promise<void> {
  const metadata = (await send(issuer, '/.well-known/openid-configuration')).json()
  await jwtVerify(token, createRemoteJWKSet(new URL(String(metadata.jwks_uri))), { issuer })
}

async function isActive(issuer: string, token: string): Promise<unknown> {
  const headers = basic(introspectionScope.name, introspectionScope.secret)
  return (await send(issuer, '/connect/introspect', { form: { token }, headers })).json().active
}

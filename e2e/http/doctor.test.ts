/** Runs `npm run doctor` with the settings of a running server, on loopback and behind a proxy with TLS. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { runAdminCommand } from '../fixtures/dashboard/administrator.ts'
import { testConfiguration } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, newMasterKey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'
import { startTlsFront, type TlsFront } from '../fixtures/server/tls-front.ts'

const root = resolve(import.meta.dirname, '../..')

type Finding = { readonly check: string; readonly severity: string; readonly text: string }

function doctor(environment: NodeJS.ProcessEnv) {
  const parts = [
    '--import',
    './lib/server/read-environment-file.mjs',
    'lib/server/cli/doctor-command.ts',
    '--json',
  ]
  return new Promise<{
    readonly code: number
    readonly problem: string
    readonly findings: readonly Finding[]
  }>(done => {
    const child = execFile(
      process.execPath,
      parts,
      { cwd: root, env: environment },
      (_error, output, problem) =>
        done({
          code: child.exitCode ?? -1,
          problem,
          findings: output === '' ? [] : JSON.parse(output).findings,
        }),
    )
  })
}

const problemsOf = (findings: readonly Finding[]) =>
  findings.filter(({ severity }) => severity !== 'good').map(({ check }) => check)

const latchkey = latchkeySuite()

test('DO-05 on a laptop all is well, with the database of the server', async () => {
  const { code, findings, problem } = await doctor(latchkey.server.environment)
  assert.deepEqual([code, problemsOf(findings), problem], [0, [], ''])
  const expected =
    process.env.E2E_DATABASE === 'postgresql' ? /PostgreSQL \d+.* answers/ : /disk of .*latchkey\.db/
  assert.ok(
    findings.some(({ text }) => expected.test(text)),
    JSON.stringify(findings),
  )
})

test('DO-02 a server that is stopped is a problem', async () => {
  const port = await freePort()
  const environment = { ...latchkey.server.environment, PORT: `${port}`, ISSUER: `http://localhost:${port}` }
  const { code, findings } = await doctor(environment)
  assert.deepEqual([code, problemsOf(findings)], [3, ['readiness', 'address']])
})

test('a folder without a database is refused with a sentence', async context => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-doctor-'))
  context.after(() => rm(folder, { recursive: true }))
  const { PATH, NODE_ENV } = process.env
  const { code, problem } = await doctor({ PATH, NODE_ENV, DATA_DIR: folder })
  assert.equal(code, 2)
  assert.match(problem, /There is no database at /)
})

describe('DO-03 DO-04 behind a proxy with TLS', () => {
  let folder: string
  let front: TlsFront
  let server: Latchkey
  before(async () => {
    const port = await freePort()
    folder = await mkdtemp(join(tmpdir(), 'latchkey-doctor-'))
    front = await startTlsFront(`http://127.0.0.1:${port}`)
    await writeFile(join(folder, 'authority.pem'), front.certificate)
    server = await startLatchkey({
      port,
      configuration: testConfiguration({ app }),
      environment: {
        ISSUER: front.origin,
        MASTER_KEY: newMasterKey(),
        TRUST_PROXY: '127.0.0.1',
        NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'),
      },
    })
    const given = ['create', '--role', 'owner', '--username', 'alice']
    assert.equal((await runAdminCommand(server, given)).code, 0)
  })
  after(async () => {
    await server.stop()
    await front.stop()
    await rm(folder, { recursive: true })
  })

  test('headers and cookies arrive; only the certificate, which is made for a day, is a problem', async () => {
    const { findings } = await doctor(server.environment)
    assert.deepEqual(problemsOf(findings), ['certificate'], JSON.stringify(findings))
    const cookies = findings.filter(({ check }) => check === 'cookie')
    assert.match(
      cookies.map(({ text }) => text).join(),
      /^The cookie __Host-\w+ arrives with its attributes\.$/,
      JSON.stringify(findings),
    )
  })

  test('an unknown authority is a problem', async () => {
    const { NODE_EXTRA_CA_CERTS: _known, ...environment } = server.environment
    const { code, findings } = await doctor(environment)
    assert.deepEqual([code, problemsOf(findings)], [3, ['address']])
  })
})

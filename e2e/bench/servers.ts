/** Starts the servers to compare: this checkout, another checkout, or another product. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../fixtures/server/database.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { newMasterKey, type StartOptions, startAsInstalled } from '../fixtures/server/latchkey.ts'
import { replaceRsaKey } from '../fixtures/server/signing-key.ts'
import { peerName, startPeer } from './peer.ts'
import {
  familySeconds,
  onFirstProcessor,
  postgresPid,
  processorSeconds,
  residentMegabytes,
} from './processor.ts'
import { benchConfiguration, type Site, signInUsers } from './site.ts'
import { countingEnvironment, readStatementCounts, type StatementCounts } from './statements.ts'
import { storeTokens } from './stored-tokens.ts'

export type BenchServer = Site & {
  readonly name: string
  readonly pid: number
  /** Whether the server is another product, of which only the common endpoints are measured. */
  readonly isPeer: boolean
  /** The number of processes that serve requests. */
  readonly workers: number
  /** The file of the server's SQLite database; null if the server does not use SQLite. */
  readonly file: string | null
  /** The memory after the start, before the first request. */
  readonly megabytesAfterStart: number
  readonly processorSeconds: () => ProcessorTime
  /** The number of statements sent to SQLite since the start; null if the server does not use SQLite. */
  readonly statements: () => Promise<StatementCounts | null>
  readonly stop: () => Promise<unknown>
}

/** Processor time in seconds. `whole` includes the processes of a database server. */
export type ProcessorTime = { readonly server: number; readonly whole: number }

export type ServerOptions = {
  /** The folder of another checkout; left out for this one. */
  readonly checkout?: string | undefined
  readonly database: 'sqlite' | 'postgresql'
  /** The number of tokens to store before the start, on SQLite. */
  readonly storedTokens?: number
  /** The number of worker processes. With it the server may use all processors, as in production. */
  readonly workers?: number | undefined
  /** A folder into which V8 writes a profile when the server stops. */
  readonly profile?: string | undefined
}

/** The time for garbage collection and for work that the server defers at its start. */
const settleMs = 2000

/** Starts a server with an RS256 key of 2048 bits, the size that other products use. */
export async function startServer(name: string, options: ServerOptions): Promise<BenchServer> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'latchkey-bench-'))
  const database = await openDatabase(options.database)
  const start: StartOptions = {
    port: await freePort(),
    environment: {
      LOG_LEVEL: 'info',
      LATCHKEY_DEMO: 'false',
      TRUST_PROXY: 'true',
      MASTER_KEY: newMasterKey(),
    },
    dataDirectory,
    isQuiet: true,
    ...(database.url === null ? {} : { databaseUrl: database.url }),
    ...(options.checkout === undefined ? {} : { checkout: options.checkout }),
    ...(options.workers === undefined ? {} : { workers: options.workers }),
  }
  // NOTE: only the first start reads the configuration file, because hashing its passwords takes memory
  const first = await startAsInstalled({ ...start, configuration: benchConfiguration() })
  await first.stop()
  await replaceRsaKey(first)
  const file = database.url === null ? join(dataDirectory, 'latchkey.db') : null
  if (file !== null && options.storedTokens !== undefined) storeTokens(file, options.storedTokens)
  const counting = countingEnvironment(dataDirectory)
  const NODE_OPTIONS = `${counting.NODE_OPTIONS} ${profiling(options.profile)}`
  const environment = { ...start.environment, ...counting, NODE_OPTIONS }
  const startServing = () => startAsInstalled({ ...start, environment })
  const latchkey = await (options.workers === undefined ? onFirstProcessor(startServing) : startServing())
  const pid = latchkey.process.pid ?? 0
  const databasePid = database.url === null ? null : postgresPid(new URL(database.url).port)
  return ready({
    name,
    isPeer: false,
    workers: options.workers ?? 1,
    file,
    origin: latchkey.origin,
    pid,
    processorSeconds: () => {
      const server = familySeconds(pid)
      return { server, whole: server + (databasePid === null ? 0 : familySeconds(databasePid)) }
    },
    statements: async () => (databasePid === null ? readStatementCounts(pid, dataDirectory) : null),
    stop: async () => {
      await latchkey.stop()
      await database.close()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  })
}

function profiling(folder: string | undefined): string {
  return folder === undefined ? '' : `--cpu-prof --cpu-prof-interval=200 --cpu-prof-dir=${folder}`
}

/** Starts the other product. */
export async function startPeerServer(): Promise<BenchServer> {
  const { origin, process: child } = await onFirstProcessor(startPeer)
  const pid = child.pid ?? 0
  return ready({
    name: peerName,
    isPeer: true,
    workers: 1,
    file: null,
    origin,
    pid,
    processorSeconds: () => {
      const server = processorSeconds(pid)
      return { server, whole: server }
    },
    statements: async () => null,
    stop: async () => {
      child.kill()
      await once(child, 'exit')
    },
  })
}

async function ready(started: Omit<BenchServer, 'megabytesAfterStart' | 'sessions'>): Promise<BenchServer> {
  try {
    await delay(settleMs)
    const megabytesAfterStart = residentMegabytes(started.pid)
    return { ...started, megabytesAfterStart, sessions: await signInUsers(started.origin) }
  } catch (error) {
    await started.stop()
    throw error
  }
}

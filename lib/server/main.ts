/**
 * The server: one process, or on PostgreSQL a primary process that starts this program again for each of its workers.
 * NOTE: settings are checked before the other code is loaded, so that a wrong one is reported immediately. `--dev` adds
 * hot reload; `--check-settings` only checks them, which the start does before it builds.
 */
import './start/restrict-new-files.mjs'
import './load-views.mjs'
import cluster from 'node:cluster'
import { performance } from 'node:perf_hooks'
import { type Config, readConfig } from '#lib/config/env.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import { proveAddresses } from './start/address.ts'
import { endSignals } from './start/drain.ts'
import { countWorkers, preparesNode } from './workers/node-process.ts'

// Ctrl-C reaches all processes; workers end only when the primary process asks them to, or has ended
if (cluster.isWorker) for (const signal of endSignals) process.on(signal, () => {})
try {
  const config = readConfig(process.env)
  await (cluster.isWorker ? serveAsWorker(config) : start(config))
} catch (error) {
  // Open resources would keep the process running
  process.exit(reportFailedStart(error))
}

async function start(config: Config): Promise<void> {
  const isDevelopment = process.argv.includes('--dev')
  const onlyProves = process.argv.includes('--check-settings')
  const watchesParent = process.argv.includes('--watch-parent')
  const metricsAddress = config.metrics?.listen ?? null
  await proveAddresses([...config.listen, ...(metricsAddress === null ? [] : [metricsAddress])])
  const workers = isDevelopment || onlyProves ? 1 : countWorkers(config)
  if (workers > 1) {
    const { runPrimary } = await import('./workers/primary.ts')
    return runPrimary({ config, workers, since: startedAt(), watchesParent })
  }
  await prove(config)
  if (onlyProves) return
  const { runServer } = await import('./start/run-server.ts')
  await runServer({ config, isDevelopment, since: startedAt(), watchesParent })
}

async function serveAsWorker(config: Config): Promise<void> {
  if (preparesNode()) await prove(config)
  const { runWorker } = await import('./workers/worker.ts')
  await runWorker(config)
}

async function prove(config: Config): Promise<void> {
  const { proveSettings } = await import('./start/prove-settings.ts')
  await proveSettings(config)
}

/** Returns when the start began, in milliseconds since the epoch: `npm start` begins before this process. */
function startedAt(): number {
  const since = process.argv.find(given => given.startsWith('--since='))
  return since === undefined ? performance.timeOrigin : Number(since.slice('--since='.length))
}

/** Prints a message and returns the exit code. */
function reportFailedStart(error: unknown): number {
  if (isConfigError(error)) {
    process.stderr.write(`${error.message}\n`)
    return 2
  }
  const text = error instanceof Error ? error.message.trim() || error.name : 'a non-Error value was thrown'
  process.stderr.write(`Latchkey could not start: ${text}\n`)
  return 1
}

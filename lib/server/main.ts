/**
 * The server process. NOTE: settings are proved before the rest is loaded, so that a wrong one is told at once. `--dev`
 * adds hot reload.
 */
import './load-views.mjs'
import { performance } from 'node:perf_hooks'
import { readConfig } from '#lib/config/env.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import { proveSettings } from './start/prove-settings.ts'

try {
  const config = readConfig(process.env)
  await proveSettings(config)
  const { runServer } = await import('./start/run-server.ts')
  await runServer({ config, isDevelopment: process.argv.includes('--dev'), since: startedAt() })
} catch (error) {
  // Whatever was opened would keep the process alive
  process.exit(reportFailedStart(error))
}

/** When the person who waits began to wait: the start before this process, if there was one. */
function startedAt(): number {
  const since = process.argv.find(given => given.startsWith('--since='))
  return since === undefined ? performance.timeOrigin : Number(since.slice('--since='.length))
}

/** One sentence for what the operator can put right, a stack for what only we can. Returns the exit code. */
function reportFailedStart(error: unknown): number {
  if (isConfigError(error)) {
    process.stderr.write(`${error.message}\n`)
    return 2
  }
  const text =
    error instanceof Error ? error.message.trim() || error.name : 'something that is no error was thrown'
  process.stderr.write(`Latchkey could not start: ${text}\n`)
  return 1
}

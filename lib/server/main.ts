/**
 * The server process. NOTE: settings are proved before the rest is loaded, so that a wrong one is reported immediately. `--dev`
 * adds hot reload; `--check-settings` only proves them, which the start does before it builds.
 */
import './start/restrict-new-files.mjs'
import './load-views.mjs'
import { performance } from 'node:perf_hooks'
import { readConfig } from '#lib/config/env.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import { proveSettings } from './start/prove-settings.ts'

try {
  const config = readConfig(process.env)
  await proveSettings(config)
  if (!process.argv.includes('--check-settings')) {
    const { runServer } = await import('./start/run-server.ts')
    await runServer({ config, isDevelopment: process.argv.includes('--dev'), since: startedAt() })
  }
} catch (error) {
  // Open resources would keep the process running
  process.exit(reportFailedStart(error))
}

/** When the start began, in milliseconds since the epoch: `npm start` begins before this process. */
function startedAt(): number {
  const since = process.argv.find(given => given.startsWith('--since='))
  return since === undefined ? performance.timeOrigin : Number(since.slice('--since='.length))
}

/** Prints one sentence and returns the exit code. */
function reportFailedStart(error: unknown): number {
  if (isConfigError(error)) {
    process.stderr.write(`${error.message}\n`)
    return 2
  }
  const text = error instanceof Error ? error.message.trim() || error.name : 'a non-Error value was thrown'
  process.stderr.write(`Latchkey could not start: ${text}\n`)
  return 1
}

/** The server process: configuration, schema, resources, then listening. `--dev` adds hot reload. */
import { performance } from 'node:perf_hooks'
import { readConfig } from '#lib/config/env.ts'
import { server as limits } from '#lib/config/limits.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import { migrate } from '#prisma/migrate.ts'
import { announce } from './announce.ts'
import { choresOf } from './chores.ts'
import { drainOnSignals } from './drain.ts'
import { redirectConsole } from './framework-console.ts'
import { startHousekeeping } from './housekeeping.ts'
import { installLastResort } from './last-resort.ts'
import { listen } from './listen.ts'
import { mailboxOf, openMailbox } from './operator-mailbox.ts'
import { operatorPorts } from './operator-ports.ts'
import { carryOut } from './operator-request.ts'
import { declarePageFailures } from './page-failures.ts'
import { proveSettings } from './prove-settings.ts'
import { type Resources, resources } from './resources.ts'
import { declareRunning } from './running.mjs'
import { services } from './services.ts'

const isDevelopment = process.argv.includes('--dev')

try {
  await main()
} catch (error) {
  // Whatever was opened would keep the process alive
  process.exit(reportFailedStart(error))
}

async function main(): Promise<void> {
  const config = readConfig(process.env)
  await proveSettings(config)
  declareRunning()
  await migrate(config.database)
  const opened = await resources()
  installLastResort(opened.log)
  declarePageFailures(opened.log.failure)
  if (!isDevelopment) redirectConsole(opened.log)
  const server = await listen(opened, isDevelopment)
  const endHousekeeping = startHousekeeping(choresOf(opened, (await services()).events))
  const closeMailbox = openMailboxOf(opened)
  drainOnSignals({
    server,
    noticeMs: opened.config.trustProxy ? limits.proxyNoticeMs : limits.noticeMs,
    isImmediate: isDevelopment,
    watchesParent: process.argv.includes('--watch-parent'),
    close: async () => {
      endHousekeeping()
      closeMailbox()
      await opened.eventBuffer.flush()
      await opened.storage.usage.flush()
      await opened.storage.close()
      opened.log.flush()
    },
  })
  await announce(opened, Date.now() - startedAt())
}

/** For the command line; with PostgreSQL it writes by itself. */
function openMailboxOf(opened: Resources): () => void {
  const { config, log } = opened
  if (config.database.kind !== 'sqlite') return () => {}
  const ports = operatorPorts(opened)
  return openMailbox(mailboxOf(config.database.file), {
    carryOut: request => carryOut(ports, request),
    onFailure: error => log.failure(error, { chore: 'command_line' }),
  })
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

/** A process that serves: schema, resources, then listening, until a signal ends it. */
import type { Config } from '#lib/config/env.ts'
import { server as limits } from '#lib/config/limits.ts'
import { migrate } from '#prisma/migrate.ts'
import { runCommand } from '../cli/command.ts'
import { commandSocketOf, openCommandSocket } from '../cli/command-socket.ts'
import { operatorPorts } from '../cli/operator-ports.ts'
import { redirectConsole } from '../host/framework-console.ts'
import { listen } from '../host/listen.ts'
import { declarePageOutcomes } from '../host/page-outcome.ts'
import { services } from '../services.ts'
import { type Resources, resources } from '../wiring/resources.ts'
import { announce } from './announce.ts'
import { drainOnSignals } from './drain.ts'
import { startHousekeeping } from './housekeeping.ts'
import { installLastResort } from './last-resort.ts'
import { maintenanceTasks } from './maintenance-tasks.ts'
import { declareRunning } from './running.mjs'
import { withProgress } from './show-progress.mjs'

type Run = {
  /** Settings that were proved. */
  readonly config: Config
  readonly isDevelopment: boolean
  /** When whoever waits for it began to wait, in milliseconds of the clock. */
  readonly since: number
}

/** Resolves when requests are answered and the summary is printed. */
export async function runServer({ config, isDevelopment, since }: Run): Promise<void> {
  declareRunning()
  await withProgress('Preparing the database', () => migrate(config.database))
  const opened = await withProgress('Applying the configuration', resources)
  installLastResort(opened.log)
  declarePageOutcomes(opened.log.failure)
  if (!isDevelopment) redirectConsole(opened.log)
  const server = await withProgress('Loading the pages', () => listen(opened, isDevelopment))
  const endHousekeeping = startHousekeeping(maintenanceTasks(opened, (await services()).events))
  const closeCommands = await openCommands(opened)
  drainOnSignals({
    server,
    noticeMs: opened.config.trustProxy ? limits.proxyNoticeMs : limits.noticeMs,
    isImmediate: isDevelopment,
    watchesParent: process.argv.includes('--watch-parent'),
    close: async () => {
      endHousekeeping()
      closeCommands()
      await opened.eventBuffer.flush()
      await opened.storage.usage.flush()
      await opened.storage.close()
      opened.log.flush()
    },
  })
  await announce(opened, Date.now() - since)
}

/** For the command line. With PostgreSQL it writes to the database itself. */
async function openCommands(opened: Resources): Promise<() => void> {
  const { config, log } = opened
  if (config.database.kind !== 'sqlite') return () => {}
  const ports = operatorPorts(opened)
  return openCommandSocket(commandSocketOf(config.database.file), {
    run: command => runCommand(ports, command),
    onFailure: error => log.failure(error, { chore: 'command_line' }),
  })
}

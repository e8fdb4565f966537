/** The server process: it migrates the schema, opens the resources and listens, until a signal ends it. */
import type { Server } from 'node:http'
import type { Config } from '#lib/config/env.ts'
import { server as limits } from '#lib/config/limits.ts'
import { developmentPolicy, pagePolicy } from '#lib/http/page-policy.ts'
import { declareStampingHost } from '#lib/http/request-context.ts'
import type { Events } from '#lib/ports/events.ts'
import { migrate } from '#prisma/migrate.ts'
import { runCommand } from '../cli/command.ts'
import { commandSocketOf, openCommandSocket } from '../cli/command-socket.ts'
import { adminAllowList } from '../host/admin-allow-list.ts'
import { dashboardLoader } from '../host/dashboard.ts'
import { directRoutes } from '../host/direct-routes.ts'
import { createHttpServer, serve } from '../host/http-server.ts'
import { pageListener } from '../host/page-listener.ts'
import { declarePageOutcomes } from '../host/page-outcome.ts'
import { addressReader } from '../host/request-headers.ts'
import { requestListener } from '../host/request-listener.ts'
import { openServices } from '../services.ts'
import { commandPorts } from '../wiring/operator-ports.ts'
import { type Resources, resources } from '../wiring/resources.ts'
import { logRestricted } from '../wiring/restrict-data-files.ts'
import { announce } from './announce.ts'
import { drainOnSignals } from './drain.ts'
import { startMaintenance } from './maintenance.ts'
import { logUncaughtErrors, redirectConsole } from './process-log.ts'
import { bind } from './prove-settings.ts'
import { declareRunning } from './running.mjs'
import { withProgress } from './steps.mjs'

type Run = {
  /** Settings that were proved. */
  readonly config: Config
  readonly isDevelopment: boolean
  /** When the start began, in milliseconds since the epoch. */
  readonly since: number
}

/** Resolves when requests are answered and the summary is printed. */
export async function runServer({ config, isDevelopment, since }: Run): Promise<void> {
  declareRunning()
  declareStampingHost()
  await withProgress('Preparing the database', () => migrate(config.database))
  const opened = await withProgress('Applying the configuration', resources)
  logUncaughtErrors(opened.log)
  declarePageOutcomes(opened.log.failure)
  if (!isDevelopment) redirectConsole(opened.log)
  logRestricted(opened)
  const { events } = await openServices()
  const server = await withProgress('Loading the pages', () => listen(opened, events, isDevelopment))
  const endMaintenance = startMaintenance(opened, events)
  const closeCommands = await openCommands(opened)
  drainOnSignals({
    server,
    noticeMs: opened.config.trustProxy ? limits.proxyNoticeMs : limits.noticeMs,
    isImmediate: isDevelopment,
    watchesParent: process.argv.includes('--watch-parent'),
    close: async () => {
      endMaintenance()
      closeCommands()
      await opened.eventBuffer.flush()
      await opened.storage.close()
      opened.log.flush()
    },
  })
  await announce(opened, Date.now() - since)
}

/**
 * Resolves when requests are answered: by the endpoints, and by Next for the dashboard, which its first request loads. Under
 * development Next answers everything, so that an edited file is used at the next request.
 * @throws ConfigError when the port is in use
 */
async function listen(resources: Resources, events: Events, isDevelopment: boolean): Promise<Server> {
  const { config, log } = resources
  const readAddress = addressReader(config)
  const server = createHttpServer({ config, log, readAddress }, isDevelopment)
  const dashboard = dashboardLoader({ config, log, server, isDevelopment })
  // Hot reload begins with it
  if (isDevelopment) await dashboard()
  const policy = isDevelopment ? developmentPolicy : pagePolicy
  const listener = requestListener({
    config,
    log,
    direct: isDevelopment ? new Map() : directRoutes(),
    pages: pageListener({ dashboard, config, log, policy, isDevelopment }),
    readAddress,
    refusesAddress: adminAllowList(config),
    events,
    isDevelopment,
  })
  serve(server, listener)
  await bind(server, config)
  return server
}

/** For the command line on SQLite, where only this process writes to the database. */
async function openCommands(opened: Resources): Promise<() => void> {
  const { config, log } = opened
  if (config.database.kind !== 'sqlite') return () => {}
  const ports = commandPorts(opened)
  return openCommandSocket(commandSocketOf(config.database.file), {
    run: command => runCommand(ports, command),
    onFailure: error => log.failure(error, { chore: 'command_line' }),
  })
}

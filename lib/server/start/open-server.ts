/** Opens the resources of a process and listens: the only process of a node, or one of its workers. */
import type { Server } from 'node:http'
import type { Config } from '#lib/config/env.ts'
import { server as limits } from '#lib/config/limits.ts'
import { developmentPolicy, pagePolicy } from '#lib/http/page-policy.ts'
import { declareStampingHost } from '#lib/http/request-context.ts'
import { declareAppFolder } from '#lib/pages/assets.ts'
import type { Events } from '#lib/ports/events.ts'
import { migrate } from '#prisma/migrate.ts'
import { adminAllowList } from '../host/admin-allow-list.ts'
import { dashboardLoader } from '../host/dashboard.ts'
import { directRoutes } from '../host/direct-routes.ts'
import { createHttpServers, serve } from '../host/http-server.ts'
import { pageListener } from '../host/page-listener.ts'
import { declarePageOutcomes } from '../host/page-outcome.ts'
import { addressReader, proxyCheck } from '../host/request-headers.ts'
import { requestListener } from '../host/request-listener.ts'
import { openServices, type Services } from '../services.ts'
import { type Resources, resources } from '../wiring/resources.ts'
import { logRestricted } from '../wiring/restrict-data-files.ts'
import { preparesNode } from '../workers/node-process.ts'
import { bind } from './address.ts'
import { root } from './bootstrap-stamps.mjs'
import { drain } from './drain.ts'
import { followLogLevel } from './follow-log-level.ts'
import { followHashKinds, startMaintenance } from './maintenance.ts'
import { logUncaughtErrors, redirectConsole } from './process-log.ts'
import { verifyRelyingParty } from './relying-party.ts'
import { withProgress } from './steps.mjs'

type Opening = {
  /** The settings, already checked. */
  readonly config: Config
  readonly isDevelopment: boolean
  /** Called when the database and the configuration are ready, before this process listens. */
  readonly onPrepared?: (opened: Resources) => void
}

export type Serving = {
  readonly opened: Resources
  readonly events: Events
  /** Begins the tasks that only one process of a node runs. */
  readonly maintain: () => void
  /** Completes the requests in progress, and closes everything. Must be called once. */
  readonly end: () => Promise<void>
}

/** Opens everything. Resolves when the server listens. */
export async function openServer({ config, isDevelopment, onPrepared }: Opening): Promise<Serving> {
  declareStampingHost()
  declareAppFolder(root)
  if (preparesNode()) await withProgress('Preparing the database', () => migrate(config.database))
  const opened = await withProgress('Applying the configuration', resources)
  if (preparesNode()) {
    const deleted = await verifyRelyingParty(opened.config, opened.storage)
    if (deleted > 0) opened.log.write('warn', 'passkeys_discarded', { count: deleted })
  }
  logUncaughtErrors(opened.log)
  declarePageOutcomes(opened.log.failure)
  if (!isDevelopment) redirectConsole(opened.log)
  logRestricted(opened)
  onPrepared?.(opened)
  const services = await openServices()
  const servers = await withProgress('Loading the pages', () => listen(opened, services, isDevelopment))
  let endMaintenance = async () => {}
  const endFollowing = [followHashKinds(opened), followLogLevel(opened)]
  const close = async () => {
    for (const end of endFollowing) end()
    await endMaintenance()
    await opened.afterwards.settle()
    await opened.eventBuffer.flush()
    await opened.storage.close()
    await opened.traces?.end()
    opened.log.flush()
  }
  const noticeMs = opened.config.trustProxy ? limits.proxyNoticeMs : limits.noticeMs
  return {
    opened,
    events: services.events,
    maintain: () => {
      void endMaintenance()
      endMaintenance = startMaintenance(opened, services.events)
    },
    end: () => drain({ servers, noticeMs, isImmediate: isDevelopment, close }),
  }
}

/**
 * Listens. The endpoints respond directly; Next serves the dashboard and is loaded at its first request. In development
 * Next answers everything, so that an edited file is used at the next request.
 * @throws ConfigError when an address, the port or the socket is not available
 */
async function listen(
  resources: Resources,
  services: Services,
  isDevelopment: boolean,
): Promise<readonly Server[]> {
  const { config, log, share, traces } = resources
  const { events, allowsOrigin } = services
  const readAddress = addressReader(config)
  const host = { config, log, events, readAddress, share }
  const servers = createHttpServers(config.listen.length, host, isDevelopment)
  const dashboard = dashboardLoader({ config, log, server: servers[0], isDevelopment })
  // Loading Next begins hot reload
  if (isDevelopment) await dashboard()
  const policy = isDevelopment ? developmentPolicy : pagePolicy
  const listener = requestListener({
    config,
    log,
    direct: isDevelopment ? new Map() : directRoutes(),
    pages: pageListener({ dashboard, config, log, events, policy, isDevelopment }),
    readAddress,
    refusesAddress: adminAllowList(config),
    isFromProxy: traces === null ? undefined : proxyCheck(config),
    events,
    allowsOrigin,
    isDevelopment,
  })
  for (const [index, server] of servers.entries()) {
    const address = config.listen[index]
    if (address === undefined) continue
    serve(server, listener)
    await bind(server, address)
  }
  return servers
}

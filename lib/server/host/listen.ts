/** Opens the port: our own HTTP server in front, Next behind it for the pages. */
import type { Server } from 'node:http'
import { join } from 'node:path'
import next from 'next'
import { developmentPolicy, pagePolicy } from '#lib/http/page-policy.ts'
import { declareStampingHost } from '#lib/http/stamped-headers.ts'
import type { Events } from '#lib/ports/events.ts'
import { services } from '../services.ts'
import { bind } from '../start/bind.ts'
import type { Resources } from '../wiring/resources.ts'
import { adminDoor } from './admin-door.ts'
import { addressReader } from './client-address.ts'
import { directRoutes, type Listener } from './direct-routes.ts'
import { createHttpServer, serve } from './http-server.ts'
import { pageListener } from './page-listener.ts'
import { requestListener } from './request-listener.ts'

const root = join(import.meta.dirname, '../../..')

/**
 * Resolves when requests are answered. Under development everything goes through Next, so that an edited file is
 * live at the next request.
 * @throws ConfigError when the port is taken
 */
export async function listen(resources: Resources, isDevelopment: boolean): Promise<Server> {
  declareStampingHost()
  const host = { ...resources, readAddress: addressReader(resources.config) }
  const server = createHttpServer(host, isDevelopment)
  const { events } = await services()
  const pages = await preparePages(server, { ...resources, events }, isDevelopment)
  serve(server, pages)
  await bind(server, resources.config)
  return server
}

async function preparePages(
  httpServer: Server,
  { config, log, events }: Resources & { readonly events: Events },
  isDevelopment: boolean,
): Promise<Listener> {
  const { host: hostname, port } = config
  const app = next({
    dev: isDevelopment,
    dir: root,
    hostname,
    port,
    ...(isDevelopment ? { httpServer } : {}),
  })
  await app.prepare()
  const policy = isDevelopment ? developmentPolicy : pagePolicy
  return requestListener({
    config,
    log,
    direct: isDevelopment ? new Map() : directRoutes(),
    pages: pageListener({ next: app.getRequestHandler(), config, log, policy, isDevelopment }),
    readAddress: addressReader(config),
    isClosed: adminDoor(config),
    events,
    isDevelopment,
  })
}

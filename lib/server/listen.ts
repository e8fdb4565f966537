/** Opens the port: our own HTTP server in front, Next behind it for the pages. */
import type { Server } from 'node:http'
import { join } from 'node:path'
import next from 'next'
import { ConfigError } from '#lib/errors/config-error.ts'
import { developmentPolicy, pagePolicy } from '#lib/http/page-policy.ts'
import { declareStampingHost } from '#lib/http/stamped-headers.ts'
import { addressReader } from './client-address.ts'
import { directRoutes, type Listener } from './direct-routes.ts'
import { createHttpServer, serve } from './http-server.ts'
import { pageListener } from './page-listener.ts'
import { requestListener } from './request-listener.ts'
import type { Resources } from './resources.ts'

const root = join(import.meta.dirname, '../..')

/**
 * Resolves when requests are answered. Under development everything goes through Next, so that an edited file is
 * live at the next request.
 * @throws ConfigError when the port is taken
 */
export async function listen(resources: Resources, isDevelopment: boolean): Promise<Server> {
  declareStampingHost()
  const host = { ...resources, readAddress: addressReader(resources.config) }
  const server = createHttpServer(host, isDevelopment)
  const pages = await preparePages(server, resources, isDevelopment)
  serve(server, pages)
  await bind(server, resources.config)
  return server
}

async function preparePages(
  httpServer: Server,
  { config, log }: Resources,
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
    isDevelopment,
  })
}

async function bind(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    throw portError(error, host, port)
  })
}

function portError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new ConfigError(
      `PORT is "${port}", but something else is listening there; stop it, or set another PORT.`,
    )
  }
  if (error.code === 'EACCES') {
    return new ConfigError(`PORT is "${port}", but this user may not open it; use one above 1023.`)
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new ConfigError(
      `HOST is "${host}", but this machine has no such address; use 127.0.0.1 or 0.0.0.0.`,
    )
  }
  return error
}

/** Loads Next, which serves the dashboard, when it is first needed: see docs/decisions/052-dashboard-on-demand.md. */
import type { Server } from 'node:http'
import { join } from 'node:path'
import type { Config } from '#lib/config/env.ts'
import type { Log } from '#lib/events/log.ts'
import type { Listener } from './direct-routes.ts'

const root = join(import.meta.dirname, '../../..')

/**
 * Returns the listener for requests of the dashboard. Rejects when it cannot be loaded; the next call loads it again.
 */
export type LoadDashboard = () => Promise<Listener>

type DashboardHost = {
  readonly config: Pick<Config, 'listen'>
  readonly log: Pick<Log, 'write'>
  /** The server, which Next needs for hot reload under `--dev`. */
  readonly server: Server
  readonly isDevelopment: boolean
}

export function dashboardLoader(host: DashboardHost): LoadDashboard {
  return sharedLoad(async () => {
    const startedAt = performance.now()
    const listener = await loadNext(host)
    host.log.write('info', 'dashboard_loaded', { durationMs: Math.round(performance.now() - startedAt) })
    return listener
  })
}

/** Shares one load among concurrent calls. A failed load is not cached. */
export function sharedLoad(load: LoadDashboard): LoadDashboard {
  let loading: Promise<Listener> | undefined
  return () => {
    loading ??= load().catch(error => {
      loading = undefined
      throw error
    })
    return loading
  }
}

async function loadNext({ config, server, isDevelopment }: DashboardHost): Promise<Listener> {
  const { default: next } = await import('next')
  const [address] = config.listen
  const app = next({
    dev: isDevelopment,
    dir: root,
    ...(address === undefined || 'file' in address ? {} : { hostname: address.host, port: address.port }),
    ...(isDevelopment ? { httpServer: server } : {}),
  })
  await app.prepare()
  return app.getRequestHandler()
}

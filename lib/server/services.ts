/** What routes and pages have of this process: its settings, and the ports for the functions that they call. */
import { withHiddenClients } from '#lib/admin/clients/client-test/hidden-client.ts'
import { hasStampingHost } from '#lib/http/stamped-headers.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { requireKnownAddresses } from './host/admin-allow-list.ts'
import { adminCaller } from './wiring/admin-caller.ts'
import { buildAdminPorts, buildPorts } from './wiring/ports.ts'
import { type Resources, resources } from './wiring/resources.ts'

export type Services = ReturnType<typeof createServices>

let wired: Promise<Services> | undefined

/** Opens the process's resources on first use. Next has its own copy of this module, which makes its own ports. */
export function openServices(): Promise<Services> {
  wired ??= resources().then(createServices)
  return wired
}

function createServices(opened: Resources) {
  const { config, log, sealing, storage } = opened
  requireKnownAddresses(config, hasStampingHost())
  const ports = buildPorts(opened)
  const admin = buildAdminPorts(opened, ports)
  return {
    config,
    log,
    sealing,
    events: ports.events,
    ping: () => storage.ping(),
    allowsOrigin: (origin: string) => ports.clients.allowsOrigin(origin),
    /** For the functions of `core` and `identity`. */
    ports,
    /** For the authorization endpoint, which also knows the hidden client of a client test that this session started. */
    authorizationPorts: (session: Session | null) => withHiddenClients(ports, storage.adminFlashes, session),
    /** For its pages: their pending request is bound to the browser and was accepted in the right session before. */
    pendingPorts: () => withHiddenClients(ports, storage.adminFlashes, 'accepted'),
    /** For the use cases of the dashboard. */
    admin,
    adminCaller: (authorization: string | null, context: RequestContext) =>
      adminCaller(admin, authorization, context),
  }
}

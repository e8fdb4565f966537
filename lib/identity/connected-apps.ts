/** The apps with access to an account: remembered consents and active grants. */
import type { Ports } from '#lib/ports/ports.ts'
import type { ClientId, ScopeName, SubjectId } from '#lib/protocol/ids.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'

export type ConnectedScope = {
  readonly name: ScopeName
  readonly displayName: string | null
  readonly description: string | null
  readonly localized: Scope['localized']
}

export type ConnectedApp = {
  readonly clientId: ClientId
  readonly clientName: string
  readonly clientUri: string | null
  readonly logoUri: string | null
  readonly scopes: readonly ConnectedScope[]
  /** The time of the first active grant or consent. */
  readonly since: Date
  /** Has access while the person is away. */
  readonly isOffline: boolean
}

type Permission = {
  readonly clientId: ClientId
  readonly scopes: readonly ScopeName[]
  readonly createdAt: Date
  readonly isOffline: boolean
}

/** One entry per app, by name. Deleted apps have no access and are left out. */
export async function connectedApps(ports: Ports, subject: SubjectId): Promise<readonly ConnectedApp[]> {
  const now = ports.clock.now()
  const [consents, grants] = await Promise.all([
    ports.consents.allOf(subject, now),
    ports.grants.liveOf(subject, now),
  ])
  const permissions: readonly Permission[] = [
    ...consents.map(consent => ({ ...consent, isOffline: false })),
    ...grants,
  ]
  const byClient = Map.groupBy(permissions, permission => permission.clientId)
  const describe = await scopeDescriber(ports)
  const apps = await Promise.all(
    [...byClient].map(([clientId, held]) => connectedApp(ports, clientId, held, describe)),
  )
  return apps
    .filter(app => app !== null)
    .toSorted((left, right) => left.clientName.localeCompare(right.clientName))
}

async function scopeDescriber(ports: Ports): Promise<(name: ScopeName) => ConnectedScope> {
  const registered = new Map((await ports.scopes.all()).map(({ scope }) => [scope.name, scope]))
  return name => {
    const scope = registered.get(name)
    const { displayName = null, description = null, localized = {} } = scope ?? {}
    return { name, displayName, description, localized }
  }
}

async function connectedApp(
  ports: Ports,
  clientId: ClientId,
  held: readonly Permission[],
  describe: (name: ScopeName) => ConnectedScope,
): Promise<ConnectedApp | null> {
  const registered = await ports.clients.find(clientId)
  if (registered === null) return null
  const { clientName, clientUri, logoUri } = registered.client
  return {
    clientId,
    clientName,
    clientUri,
    logoUri,
    scopes: [...new Set(held.flatMap(permission => permission.scopes))].map(describe),
    since: new Date(Math.min(...held.map(permission => permission.createdAt.getTime()))),
    isOffline: held.some(permission => permission.isOffline),
  }
}

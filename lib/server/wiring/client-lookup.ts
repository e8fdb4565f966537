/**
 * Changes what `clients.find` returns: the clients that exist in addition to the registered ones.
 *
 * | function | its ports are for | change |
 * |---|---|---|
 * | `withOwnRegistrations` | everything | adds the client of the dashboard, and that of a running self-test; with local sign-in off, no registered client allows it |
 * | `forAuthorization` | the authorization endpoint and its pages | adds the hidden client of a client test; if the endpoint is off, only the dashboard is left |
 * | `asHiddenClient` | requests of the dashboard in a client test | adds this hidden client |
 */
import { adminClientId, builtInClient, builtInScope } from '#lib/admin/access/built-in.ts'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import {
  clientTestName,
  findHiddenClient,
  type HiddenClient,
  type Requester,
} from '#lib/admin/clients/client-test/hidden-client.ts'
import { findSelfTestClient, isOfSelfTest } from '#lib/admin/status/self-test-run.ts'
import type { Clients, RegisteredClient, RegisteredScope, Scopes } from '#lib/ports/clients.ts'
import type { Meta } from '#lib/ports/configuration-store.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { Events } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { acrOfLevel } from '#lib/protocol/acr-values.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import { type ClientId, hasHandlePrefix } from '#lib/protocol/ids.ts'

type Registered = { readonly clients: Clients; readonly scopes: Scopes }
type Find = Clients['find']

function withFind<P extends { readonly clients: Clients }>(ports: P, find: Find): P {
  return { ...ports, clients: { ...ports.clients, find } }
}

type OwnSettings = {
  readonly meta: Pick<Meta, 'find'>
  readonly issuer: string
  readonly siteName: string
  readonly localLogin: boolean
  /** The time from which the dashboard requires a second factor; `null`: never. */
  readonly adminSecondFactorFrom: Date | null
  readonly clock: Clock
}

/**
 * Adds the registrations of this server itself, which no configuration can change or delete. If local sign-in is off,
 * no client allows it.
 */
export function withOwnRegistrations({ clients, scopes }: Registered, settings: OwnSettings): Registered {
  const dashboard = builtInClient(settings)
  const strict = { ...dashboard, client: { ...dashboard.client, requireAcr: acrOfLevel('mfa') } }
  const { adminSecondFactorFrom: from, clock } = settings
  const isStrict = () => from !== null && clock.now() >= from
  const scope = builtInScope()
  const withOwnScope = onceForEachList((registered: readonly RegisteredScope[]) => [
    ...registered.filter(({ scope: { name } }) => name !== adminScope),
    scope,
  ])
  const find: Find = async clientId => {
    if (isOfSelfTest(clientId)) return findSelfTestClient(settings, settings.issuer, clientId)
    const found =
      clientId === adminClientId ? (isStrict() ? strict : dashboard) : await clients.find(clientId)
    return settings.localLogin ? found : withoutLocalLogin(found)
  }
  return {
    clients: { ...clients, find },
    scopes: {
      all: () => scopes.all().then(withOwnScope),
      find: name => (name === scope.scope.name ? Promise.resolve(scope) : scopes.find(name)),
    },
  }
}

function withoutLocalLogin(found: RegisteredClient | null): RegisteredClient | null {
  return found && { ...found, client: { ...found.client, enableLocalLogin: false } }
}

/** Caches the value that `make` returns for a list: the store returns the same list until a registration changes. */
function onceForEachList<List extends object, Made>(make: (list: List) => Made): (list: List) => Made {
  const made = new WeakMap<List, Made>()
  return list => {
    const known = made.get(list) ?? make(list)
    made.set(list, known)
    return known
  }
}

type Authorizing = {
  readonly adminPageStates: AdminPorts['adminPageStates']
  readonly requester: Requester
  /** The requested client ID. Absent when a pending request continues, whose client the caller does not know. */
  readonly clientId?: ClientId | undefined
}

/**
 * Returns the ports of the authorization endpoint. They find the hidden client of a running test, for the session that
 * started the test only.
 */
export function forAuthorization(
  ports: Ports,
  { adminPageStates, requester, clientId: requested }: Authorizing,
): Ports {
  if (!ports.settings.enabledEndpoints.has('authorize'))
    return withFind(ports, async id => (id === adminClientId ? ports.clients.find(id) : null))
  if (requested !== undefined && !hasHandlePrefix('clientTest', requested)) return ports
  const testPorts = { ...ports, adminPageStates }
  const tests = new Map<string, TestedAs>()
  const find: Find = async id => {
    const hidden = await findHiddenClient(testPorts, id, requester)
    if (hidden === null) return ports.clients.find(id)
    tests.set(id, testedAs(ports, hidden))
    return hidden.registered
  }
  return withTestedEvents(withFind(ports, find), id => tests.get(id))
}

/** Returns the ports for requests that the dashboard makes as the hidden client, after it consumed the test. */
export function asHiddenClient(ports: Ports, hidden: HiddenClient): Ports {
  const { clientId } = hidden.registered.client
  const find: Find = async id => (id === clientId ? hidden.registered : ports.clients.find(id))
  const tested = testedAs(ports, hidden)
  return withTestedEvents(withFind(ports, find), () => tested)
}

/** Marks the events of self-tests as those of a test, so that charts leave them out. */
export function withSelfTestMarks(events: Events): Events {
  return {
    record: (event, context) =>
      events.record(
        event.clientId !== undefined && isOfSelfTest(event.clientId)
          ? { ...event, details: { ...event.details, test: 'self-test' } }
          : event,
        context,
      ),
  }
}

type TestedAs = { readonly clientId: string; readonly test: string }

function testedAs(ports: Ports, { registered, testedClientId }: HiddenClient): TestedAs {
  return { clientId: testedClientId, test: clientTestName(ports, registered.client.clientId) }
}

/**
 * Changes events of a test: they name the tested client and the test, so that charts leave them out and the hidden
 * client does not appear.
 */
function withTestedEvents(ports: Ports, testOf: (clientId: string) => TestedAs | undefined): Ports {
  const record: Ports['events']['record'] = (event, context) => {
    const tested = event.clientId === undefined ? undefined : testOf(event.clientId)
    if (tested === undefined) return ports.events.record(event, context)
    const { clientId, test } = tested
    return ports.events.record({ ...event, clientId, details: { ...event.details, test } }, context)
  }
  return { ...ports, events: { record } }
}

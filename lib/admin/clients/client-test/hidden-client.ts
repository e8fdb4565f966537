/**
 * The hidden client of a client test: the registration of the tested client under an ID, a secret and a redirect URI of
 * the dashboard. It is stored nowhere else than in the row of the test and ends with it.
 */
import type { RegisteredClient } from '#lib/ports/clients.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { type ClientTestHandle, clientIdSchema } from '#lib/protocol/ids.ts'
import { type Client, isPublic } from '#lib/protocol/registration/client.ts'
import { clientTestRedirectUri } from '#lib/protocol/wire/local-paths.ts'
import type { AdminPorts } from '../../admin-ports.ts'
import {
  type ClientTestPorts,
  type ClientTestSession,
  clientTestName,
  findClientTest,
} from './client-test-session.ts'

/**
 * Which session the request has. `accepted`: the request was accepted in the right session before and is bound to the
 * browser by its pending request.
 */
export type Requester = Session | null | 'accepted'

/**
 * Ports for the authorization endpoint and its pages, in which the hidden client of a running test exists for the
 * session that started the test and for no other. Every other caller of `clients.find` (token endpoint, introspection,
 * userinfo …) has the plain ports, in which no hidden client exists.
 */
export function withHiddenClients(
  ports: Ports,
  adminFlashes: AdminPorts['adminFlashes'],
  requester: Requester,
): Ports {
  const testPorts = { ...ports, adminFlashes }
  const found = new Map<string, TestedAs>()
  const find: Ports['clients']['find'] = async clientId => {
    const hidden = await findHiddenClient(testPorts, clientId, requester)
    if (hidden === null) return ports.clients.find(clientId)
    found.set(clientId, { clientId: hidden.testedClientId, test: clientTestName(ports, clientId) })
    return hidden.registered
  }
  return withTestedEvents({ ...ports, clients: { ...ports.clients, find } }, id => found.get(id))
}

/** Ports for the requests that the dashboard makes as the hidden client after it took the test. */
export function asHiddenClient(ports: Ports, hidden: HiddenClient): Ports {
  const { clientId } = hidden.registered.client
  const find: Ports['clients']['find'] = async id =>
    id === clientId ? hidden.registered : ports.clients.find(id)
  const tested = { clientId: hidden.testedClientId, test: clientTestName(ports, clientId) }
  return withTestedEvents({ ...ports, clients: { ...ports.clients, find } }, () => tested)
}

export type HiddenClient = {
  readonly registered: RegisteredClient
  readonly testedClientId: Client['clientId']
}

/** `null` when the tested client does not exist (any longer). Follows the registration as it is at this moment. */
export async function hiddenClientOf(
  ports: Pick<Ports, 'clients' | 'settings'>,
  handle: ClientTestHandle,
  { clientId, secret }: ClientTestSession,
): Promise<HiddenClient | null> {
  const tested = await ports.clients.find(clientId)
  if (tested === null) return null
  const client: Client = {
    ...tested.client,
    clientId: clientIdSchema.parse(handle),
    redirectUris: [clientTestRedirectUri(ports.settings.issuer)],
    postLogoutRedirectUris: [],
    allowedCorsOrigins: [],
    pkce: 'required-s256',
    // No trace of a test remains, so no consent either
    allowRememberConsent: false,
  }
  const secrets = secret === null ? [] : [{ id: handle, digest: secret.digest, expiresAt: null }]
  // A registration may change from public to confidential during the test; without a secret it proves nothing
  if (isPublic(client) !== (secret === null)) return null
  return { registered: { client, secrets }, testedClientId: clientId }
}

async function findHiddenClient(
  ports: Ports & ClientTestPorts,
  clientId: string,
  requester: Requester,
): Promise<HiddenClient | null> {
  const found = await findClientTest(ports, clientId)
  if (found === null || !isStartedBy(requester, found.session)) return null
  return hiddenClientOf(ports, found.handle, found.session)
}

function isStartedBy(requester: Requester, { sessionId, subject }: ClientTestSession): boolean {
  if (requester === 'accepted') return true
  return requester !== null && requester.sessionId === sessionId && requester.subject === subject
}

type TestedAs = { readonly clientId: string; readonly test: string }

/** Events name the tested client and bear the test's name, so that charts leave them out and no hidden client shows. */
function withTestedEvents(ports: Ports, testedAs: (clientId: string) => TestedAs | undefined): Ports {
  const record: Ports['events']['record'] = (event, context) => {
    const tested = event.clientId === undefined ? undefined : testedAs(event.clientId)
    if (tested === undefined) return ports.events.record(event, context)
    const { clientId, test } = tested
    return ports.events.record({ ...event, clientId, details: { ...event.details, test } }, context)
  }
  return { ...ports, events: { record } }
}

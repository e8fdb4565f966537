/**
 * A running client test and its hidden client, a temporary copy of the tested client's registration with which the test runs.
 * The test is one sealed row, valid for ten minutes; only the admin session that started it can complete it, once.
 */

import { z } from 'zod'
import { adminSession } from '#lib/config/limits.ts'
import type { RegisteredClient } from '#lib/ports/clients.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { type ClientTestHandle, clientIdSchema, type Digest, parseHandle } from '#lib/protocol/ids.ts'
import { type Client, isPublic } from '#lib/protocol/registration/client.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { clientTestRedirectUri } from '#lib/protocol/wire/own-addresses.ts'
import type { AdminPorts } from '../../admin-ports.ts'

const clientTestSessionSchema = z.object({
  /** The ID of the tested client. */
  clientId: clientIdSchema,
  /** The secret of the hidden client; `null` if it is a public client. */
  secret: z.object({ value: z.string(), digest: z.string() }).nullable(),
  /** The code verifier, which stays on the server; `null` if the response type returns no code. */
  verifier: z.string().nullable(),
  nonce: z.string(),
  subject: z.string(),
  /** `sid` of the browser session and digest of the admin session in which the test started. */
  sessionId: z.string(),
  adminSession: z.string(),
  testedSecret: z.enum(['proven', 'not_tried', 'not_needed']),
  /** The start of the test, in milliseconds since 1970. */
  startedAt: z.number(),
  /** The ID of the request that started the test. */
  requestId: z.string(),
})

export type ClientTestSession = z.infer<typeof clientTestSessionSchema>

export type FoundClientTest = {
  readonly handle: ClientTestHandle
  readonly digest: Digest
  readonly session: ClientTestSession
}

type ClientTestPorts = Pick<AdminPorts, 'adminPageStates' | 'sealing' | 'hashing' | 'clock'>

/** Stores a test under the handle that is the hidden client's ID and the request's `state`. */
export async function saveClientTest(
  ports: ClientTestPorts,
  handle: ClientTestHandle,
  session: ClientTestSession,
): Promise<void> {
  const digest = ports.hashing.digest(handle)
  await ports.adminPageStates.create({
    digest,
    sessionDigest: storedUnder(ports),
    sealedContent: ports.sealing.seal(JSON.stringify(session), sealingContext(digest)),
    expiresAt: secondsAfter(ports.clock.now(), adminSession.clientTestSeconds),
  })
}

/** Finds a running test. Returns `null` if it is unknown, finished or older than ten minutes. */
async function findClientTest(
  ports: ClientTestPorts,
  value: string | undefined,
): Promise<FoundClientTest | null> {
  const handle = parseHandle('clientTest', value)
  if (handle === null) return null
  const digest = ports.hashing.digest(handle)
  const found = await ports.adminPageStates.find(digest, storedUnder(ports), ports.clock.now())
  if (found === null) return null
  const opened = JSON.parse(ports.sealing.open(found.sealedContent, sealingContext(digest)))
  return { handle, digest, session: clientTestSessionSchema.parse(opened) }
}

/** Removes and returns a test, once and only for the user and the admin session that started it. */
export async function takeClientTest(
  ports: ClientTestPorts,
  state: string | undefined,
  by: Pick<ClientTestSession, 'subject' | 'adminSession'>,
): Promise<FoundClientTest | null> {
  const found = await findClientTest(ports, state)
  if (found === null) return null
  const { subject, adminSession: startedIn } = found.session
  if (subject !== by.subject || startedIn !== by.adminSession) return null
  const taken = await ports.adminPageStates.take(found.digest, storedUnder(ports), ports.clock.now())
  return taken === null ? null : found
}

/** The name of a test in events: a part of its digest, from which the handle cannot be derived. */
export function clientTestName({ hashing }: Pick<ClientTestPorts, 'hashing'>, handle: string): string {
  return hashing.digest(handle).slice(0, 16)
}

/**
 * The owner under which all tests are stored, in place of an admin session: the authorization endpoint finds a test by its handle
 * only.
 */
function storedUnder({ hashing }: Pick<ClientTestPorts, 'hashing'>): Digest {
  return hashing.digest('client tests')
}

function sealingContext(digest: string): string {
  return `admin_page_state:client_test:${digest}`
}

/**
 * The browser session of a request for a hidden client. `accepted`: an earlier step checked the session and bound its pending
 * request to the browser.
 */
export type Requester = Session | null | 'accepted'

export type HiddenClient = {
  readonly registered: RegisteredClient
  readonly testedClientId: Client['clientId']
}

/**
 * Derives the hidden client from the current registration of the tested client. Returns `null` if that client was deleted, or has
 * become public or confidential since the test began.
 */
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
    // A consent would remain after the test
    allowRememberConsent: false,
  }
  const secrets = secret === null ? [] : [{ id: handle, digest: secret.digest, expiresAt: null }]
  if (isPublic(client) !== (secret === null)) return null
  return { registered: { client, secrets }, testedClientId: clientId }
}

/**
 * The hidden client with this ID; `null` if no running test has it, if `requester` may not use it, or if `hiddenClientOf` returns
 * `null`.
 */
export async function findHiddenClient(
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

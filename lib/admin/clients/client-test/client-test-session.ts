/** A running client test: one sealed row, for ten minutes, for the admin session that started it, answered once. */
import { z } from 'zod'
import { adminSession } from '#lib/config/limits.ts'
import { type ClientTestHandle, clientIdSchema, type Digest, parseHandle } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { AdminPorts } from '../../admin-ports.ts'

const clientTestSessionSchema = z.object({
  /** The tested client. */
  clientId: clientIdSchema,
  /** The secret of the hidden client; `null`: it is a public client. */
  secret: z.object({ value: z.string(), digest: z.string() }).nullable(),
  /** Stays on the server; `null`: the response type gives no code. */
  verifier: z.string().nullable(),
  nonce: z.string(),
  subject: z.string(),
  /** `sid` of the browser session and digest of the admin session in which the test started. */
  sessionId: z.string(),
  adminSession: z.string(),
  testedSecret: z.enum(['proven', 'not_tried', 'not_needed']),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
  /** ID of the request that started it. */
  requestId: z.string(),
})

export type ClientTestSession = z.infer<typeof clientTestSessionSchema>

export type FoundClientTest = {
  readonly handle: ClientTestHandle
  readonly digest: Digest
  readonly session: ClientTestSession
}

export type ClientTestPorts = Pick<AdminPorts, 'adminFlashes' | 'sealing' | 'hashing' | 'clock'>

/** Stores a test under the handle that is the hidden client's ID and the request's `state`. */
export async function saveClientTest(
  ports: ClientTestPorts,
  handle: ClientTestHandle,
  session: ClientTestSession,
): Promise<void> {
  const digest = ports.hashing.digest(handle)
  await ports.adminFlashes.create({
    digest,
    sessionDigest: storedUnder(ports),
    sealedContent: ports.sealing.seal(JSON.stringify(session), sealingContext(digest)),
    expiresAt: secondsAfter(ports.clock.now(), adminSession.clientTestSeconds),
  })
}

/** `null` when it is unknown, over or older than ten minutes. */
export async function findClientTest(
  ports: ClientTestPorts,
  value: string | undefined,
): Promise<FoundClientTest | null> {
  const handle = parseHandle('clientTest', value)
  if (handle === null) return null
  const digest = ports.hashing.digest(handle)
  const found = await ports.adminFlashes.find(digest, storedUnder(ports), ports.clock.now())
  if (found === null) return null
  const opened = JSON.parse(ports.sealing.open(found.sealedContent, sealingContext(digest)))
  return { handle, digest, session: clientTestSessionSchema.parse(opened) }
}

/** Removes and returns a test: once, and only for the user and admin session that started it. */
export async function takeClientTest(
  ports: ClientTestPorts,
  state: string | undefined,
  by: Pick<ClientTestSession, 'subject' | 'adminSession'>,
): Promise<FoundClientTest | null> {
  const found = await findClientTest(ports, state)
  if (found === null) return null
  const { subject, adminSession: startedIn } = found.session
  if (subject !== by.subject || startedIn !== by.adminSession) return null
  const taken = await ports.adminFlashes.take(found.digest, storedUnder(ports), ports.clock.now())
  return taken === null ? null : found
}

/** The name of a test in events: part of the digest, which gives access to nothing. */
export function clientTestName({ hashing }: Pick<ClientTestPorts, 'hashing'>, handle: string): string {
  return hashing.digest(handle).slice(0, 16)
}

/** In place of an admin session: the authorization endpoint finds a test by its handle. */
function storedUnder({ hashing }: Pick<ClientTestPorts, 'hashing'>): Digest {
  return hashing.digest('client tests')
}

function sealingContext(digest: string): string {
  return `admin_flash:client_test:${digest}`
}

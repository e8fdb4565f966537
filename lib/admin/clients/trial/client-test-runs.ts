/** The tests of clients that are under way: each a sealed row, for a few minutes, answered once. */
import { z } from 'zod'
import { adminSession } from '#lib/config/limits.ts'
import type { Asker, ClientTests } from '#lib/ports/client-tests.ts'
import { type AuthorizeParameters, readAuthorizeParameters } from '#lib/protocol/authorize-params.ts'
import { type ClientTestHandle, type Digest, parseHandle } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { AdminPorts } from '../../admin-ports.ts'

const runSchema = z.object({
  /** The authorization request, whole. Its `state` is the handle of the run. */
  request: z.record(z.string(), z.string()),
  /** Nobody but this row knows it; `null`: no code is asked for. */
  verifier: z.string().nullable(),
  subject: z.string(),
  /** The browser session it was begun in, and the visit to the dashboard in that. */
  session: z.string(),
  visit: z.string(),
  secret: z.enum(['proven', 'not_tried', 'not_needed']),
  startedAt: z.number(),
  /** Of the request that began it. */
  reference: z.string(),
})

export type TestRun = z.infer<typeof runSchema>

type RunPorts = Pick<AdminPorts, 'adminFlashes' | 'sealing' | 'hashing' | 'clock'>

/** Keeps a run under the handle that its request bears as `state`. */
export async function keepRun(ports: RunPorts, handle: ClientTestHandle, run: TestRun): Promise<void> {
  const digest = ports.hashing.digest(handle)
  const request = { ...readAuthorizeParameters(run.request) }
  await ports.adminFlashes.create({
    digest,
    sessionDigest: shelf(ports),
    sealedContent: ports.sealing.seal(JSON.stringify({ ...run, request }), placeOf(digest)),
    expiresAt: secondsAfter(ports.clock.now(), adminSession.clientTestSeconds),
  })
}

/** Takes a run away for whoever began it, in the visit it was begun in; for anybody else there is none. */
export async function takeRun(
  ports: RunPorts,
  state: string | undefined,
  by: Pick<TestRun, 'subject' | 'visit'>,
): Promise<TestRun | null> {
  const found = await findRun(ports, state)
  if (found === null || found.run.subject !== by.subject || found.run.visit !== by.visit) return null
  const taken = await ports.adminFlashes.take(found.digest, shelf(ports), ports.clock.now())
  return taken === null ? null : found.run
}

/** How the events call it: a part of the digest, which opens nothing. */
export function testName({ hashing }: Pick<RunPorts, 'hashing'>, handle: string): string {
  return hashing.digest(handle).slice(0, 16)
}

/** What the authorization endpoint asks, for the one redirect URI that no client registers. */
export function testsUnderWay(ports: RunPorts): ClientTests {
  return {
    nameOf: async (request, asker) => {
      const found = await findRun(ports, request.state)
      if (found === null || !isSame(request, found.run) || !isBegunBy(asker, found.run)) return null
      return testName(ports, request.state ?? '')
    },
  }
}

function isSame(request: AuthorizeParameters, run: TestRun): boolean {
  return JSON.stringify(request) === JSON.stringify(readAuthorizeParameters(run.request))
}

function isBegunBy(asker: Asker, { session, subject }: TestRun): boolean {
  if (asker === 'accepted') return true
  return asker !== null && asker.sessionId === session && asker.subject === subject
}

async function findRun(
  ports: RunPorts,
  state: string | undefined,
): Promise<{ readonly digest: Digest; readonly run: TestRun } | null> {
  const handle = parseHandle('clientTest', state)
  if (handle === null) return null
  const digest = ports.hashing.digest(handle)
  const found = await ports.adminFlashes.find(digest, shelf(ports), ports.clock.now())
  if (found === null) return null
  return {
    digest,
    run: runSchema.parse(JSON.parse(ports.sealing.open(found.sealedContent, placeOf(digest)))),
  }
}

/** In place of a visit: the authorization endpoint must find a run by its handle alone. */
function shelf({ hashing }: Pick<RunPorts, 'hashing'>): Digest {
  return hashing.digest('client tests')
}

function placeOf(digest: string): string {
  return `admin_flash:client_test:${digest}`
}

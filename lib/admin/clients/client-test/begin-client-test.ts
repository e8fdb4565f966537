/** "Test this client": sends the admin to the authorization endpoint, or requests a token for the client immediately. */
import { z } from 'zod'
import { clientIdSchema, sessionIdSchema } from '#lib/protocol/ids.ts'
import { type Client, clientFromMetadata } from '#lib/protocol/registration/client.ts'
import { type AdminResult, invalid, notFound, ok } from '../../admin-result.ts'
import { commit } from '../../run-use-case.ts'
import { defineUseCase } from '../../use-case.ts'
import { ownersOnly } from '../client-resource.ts'
import { type TestPlan, testPlan } from './client-test-plan.ts'
import { testResultSchema } from './client-test-result.ts'
import { startSignInTest } from './start-sign-in-test.ts'
import { testMachineClient } from './test-machine-client.ts'

/** The digest of an admin session, which only our own routes know. */
export const adminSessionDigestSchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

const inputSchema = z.object({
  client_id: clientIdSchema,
  /** Tried immediately and not kept. */
  client_secret: z.string().max(1000).default(''),
  admin_session: adminSessionDigestSchema,
  /** Of the browser session in which the admin session was created. */
  session_id: sessionIdSchema,
})

const begunSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('leave'), url: z.string() }),
  z.object({ kind: z.literal('finished'), result: testResultSchema }),
])

export type Begun = z.infer<typeof begunSchema>

/** The audit row is written before the first request, so that no test is without one. */
export const beginClientTest = defineUseCase({
  name: 'clients.begin_test',
  permission: 'clients:test',
  summary:
    'Starts a test of a client: its real flow, as a hidden client with a redirect URI of the dashboard.',
  done: '',
  input: inputSchema,
  output: begunSchema,
  api: null,
  run: async (ports, input, call) => {
    const stored = await ports.adminLists.client(input.client_id)
    if (stored === null) return notFound
    const refusal = await ownersOnly(ports, stored, call)
    if (refusal !== null) return refusal
    const client = clientFromMetadata(stored.metadata)
    const plan = testPlan(client)
    const problem = problemOf(client, plan, input.client_secret)
    if (problem !== null) return problem
    const entry = call.entry({ kind: 'client', id: client.clientId, before: null, after: null })
    const written = await commit(ports, { writes: [], audit: [entry] }, { now: call.now, value: null })
    if (written.kind !== 'ok') return written
    const { client_secret: secret, admin_session: adminSession, session_id: sessionId } = input
    if (plan.kind === 'sign_in')
      return ok(await startSignInTest(ports, { client, plan, secret, adminSession, sessionId }, call))
    return ok({ kind: 'finished', result: await testMachineClient(ports, { client, secret }, call) } as const)
  },
})

function problemOf(client: Client, plan: TestPlan, secret: string): AdminResult<never> | null {
  if (plan.kind === 'none') return invalid('', plan.because)
  if (!client.enabled) return invalid('', 'This client is disabled. Enable it first.')
  if (plan.kind === 'for_itself' && secret === '')
    return invalid('client_secret', 'Enter one of its secrets: this client needs one to get a token.')
  return null
}

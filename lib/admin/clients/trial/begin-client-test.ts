/** "Test this client": sends the admin the way of its people, or lets the client act for itself at once. */
import { z } from 'zod'
import type { Client } from '#lib/protocol/client.ts'
import { clientFromMetadata } from '#lib/protocol/client-metadata.ts'
import { clientIdSchema, sessionIdSchema } from '#lib/protocol/ids.ts'
import { type AdminResult, invalid, notFound, ok } from '../../admin-result.ts'
import { commit, defineUseCase } from '../../use-case.ts'
import { ownersOnly } from '../owned-client.ts'
import { actForItself } from './act-for-itself.ts'
import { type TestPlan, testPlan } from './client-test-plan.ts'
import { testResultSchema } from './client-test-result.ts'
import { leaveForTest } from './leave-for-test.ts'

/** The digest of a visit, which only our own routes know. */
export const visitDigestSchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

const inputSchema = z.object({
  client_id: clientIdSchema,
  /** Tried at once, and not kept. */
  client_secret: z.string().max(1000).default(''),
  visit: visitDigestSchema,
  /** The browser session that the visit rests on. */
  session: sessionIdSchema,
})

const begunSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('leave'), url: z.string() }),
  z.object({ kind: z.literal('finished'), result: testResultSchema }),
])

export type Begun = z.infer<typeof begunSchema>

/** Its audit row is written before anything is asked for: no test leaves no trace. */
export const beginClientTest = defineUseCase({
  name: 'clients.begin_test',
  permission: 'clients:test',
  summary: 'Begins a test of a client: its real flow, with an address of ours in place of its own.',
  done: '',
  input: inputSchema,
  output: begunSchema,
  api: null,
  run: async (ports, input, deed) => {
    const stored = await ports.adminLists.client(input.client_id)
    if (stored === null) return notFound
    const refusal = await ownersOnly(ports, stored, deed)
    if (refusal !== null) return refusal
    const client = clientFromMetadata(stored.metadata)
    const plan = testPlan(client)
    const problem = problemOf(client, plan, input.client_secret)
    if (problem !== null) return problem
    const entry = deed.entry({ kind: 'client', id: client.clientId, before: null, after: null })
    const written = await commit(ports, { writes: [], audit: [entry] }, { now: deed.now, value: null })
    if (written.kind !== 'ok') return written
    const { client_secret: secret, visit, session } = input
    if (plan.kind === 'sign_in')
      return ok(await leaveForTest(ports, { client, plan, secret, visit, session }, deed))
    return ok({ kind: 'finished', result: await actForItself(ports, { client, secret }, deed) } as const)
  },
})

function problemOf(client: Client, plan: TestPlan, secret: string): AdminResult<never> | null {
  if (plan.kind === 'none') return invalid('', plan.because)
  if (!client.enabled) return invalid('', 'This client is disabled: nobody gets through. Enable it first.')
  if (plan.kind === 'for_itself' && secret === '')
    return invalid('client_secret', 'Type in one of its secrets: without one nobody acts as this client.')
  return null
}

/** Checks the authorization response of a client test step by step, and revokes the grants of the test. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { sentence } from '#lib/protocol/registration/configuration-problems.ts'
import type { AdminPorts } from '../../admin-ports.ts'
import { notFound, ok } from '../../admin-result.ts'
import { type AdminCall, defineUseCase } from '../../use-case.ts'
import { withMissingScopes } from './begin-client-test.ts'
import {
  checkTokens,
  type Findings,
  nothingReceived,
  step,
  type TestStep,
  testResult,
  testResultSchema,
} from './client-test-result.ts'
import {
  type ClientTestSession,
  clientTestName,
  type FoundClientTest,
  type HiddenClient,
  hiddenClientOf,
  takeClientTest,
} from './hidden-client.ts'

export const finishClientTest = defineUseCase({
  name: 'clients.finish_test',
  permission: 'clients:test',
  summary: 'Shows once what came of a test of a client.',
  isShownOnce: true,
  changesNothing: true,
  input: z.object({ parameters: z.record(z.string(), z.string()) }),
  output: testResultSchema,
  run: async (ports, { parameters }, call) => {
    if (call.session === undefined) return notFound
    const by = { adminSession: call.session.digest, subject: call.actor.subject }
    const taken = await takeClientTest(ports, parameters.state, by)
    const hidden = taken && (await hiddenClientOf(ports, taken.handle, taken.session))
    if (taken === null || hidden === null) return notFound
    const findings = await findingsOf(ports, { taken, hidden, parameters, call })
    return ok(testResult(hidden.testedClientId, findings))
  },
})

type Response = {
  readonly taken: FoundClientTest
  readonly hidden: HiddenClient
  readonly parameters: Readonly<Record<string, string>>
  readonly call: AdminCall
}

async function findingsOf(ports: AdminPorts, response: Response): Promise<Findings> {
  try {
    const before = [secretStep(response.taken.session), await authorizedStep(ports, response)]
    if (response.parameters.error !== undefined) return { ...nothingReceived, steps: before }
    // RFC 9207 2.4
    if (response.parameters.iss !== ports.settings.issuer)
      return { ...nothingReceived, steps: [...before, step('answer_ours', 'failed')] }
    const rest = await tokenFindings(ports, response)
    return { ...rest, steps: [...before, step('answer_ours', 'passed'), ...rest.steps] }
  } finally {
    await revokeGrants(ports, response)
  }
}

function secretStep({ testedSecret, requestId }: ClientTestSession): TestStep {
  if (testedSecret === 'proven') return step('secret', 'passed', { reference: requestId })
  const says =
    testedSecret === 'not_needed'
      ? 'This client authenticates without one.'
      : 'None was entered: the test used a temporary secret.'
  return step('secret', 'skipped', { says })
}

async function authorizedStep(ports: AdminPorts, response: Response): Promise<TestStep> {
  const { parameters, hidden } = response
  const reference = await requestIdOf(ports, response)
  if (parameters.error === undefined) return step('authorized', 'passed', { reference })
  const reason = parameters.error_description ?? parameters.error
  const isScope = parameters.error === 'invalid_scope'
  const says = isScope ? await withMissingScopes(ports, reason, hidden.registered.client) : sentence(reason)
  return step('authorized', 'failed', { says, reference })
}

async function tokenFindings(
  ports: AdminPorts,
  { taken: { session }, hidden, parameters, call: { context } }: Response,
): Promise<Findings> {
  const reference = context.requestId
  const { nonce, verifier, secret } = session
  if (verifier === null) {
    const found = await checkTokens(ports, { hidden, answer: parameters, nonce, context })
    const says = 'They came with the authorization response: this client uses no code.'
    return withSteps(found, step('tokens_issued', 'passed', { says }))
  }
  const redemption = { hidden, secret: secret?.value ?? null, code: parameters.code ?? '', verifier }
  const answer = await ports.clientTestCalls.redeem(redemption, context)
  if (answer.kind === 'refused') {
    const failed = step('tokens_issued', 'failed', { says: answer.description, reference })
    return { ...nothingReceived, steps: [failed] }
  }
  const found = await checkTokens(ports, { hidden, answer: answer.response, nonce, context })
  return withSteps(found, step('tokens_issued', 'passed', { reference }))
}

function withSteps(found: Findings, issued: TestStep): Findings {
  return { ...found, steps: [issued, ...found.steps, step('ended', 'passed')] }
}

/**
 * Finds the ID of the request to which the authorization endpoint responded. Only the events have it: after a sign-in it differs
 * from the ID of the first request.
 */
async function requestIdOf(ports: AdminPorts, { taken, hidden }: Response): Promise<string | null> {
  await ports.flushEvents()
  const filter = { clientId: hidden.testedClientId, from: new Date(taken.session.startedAt) }
  const events = await ports.eventLog.list(filter, null, adminList.largestPage)
  const test = clientTestName(ports, taken.handle)
  const answered = events.find(
    ({ name, details }) =>
      details.test === test && (name === 'authorize_answered' || name === 'authorize_refused'),
  )
  return answered?.requestId ?? null
}

/** Revokes the grants of the hidden client, and with them the tokens of the test. This also happens if a check throws. */
async function revokeGrants(ports: AdminPorts, { taken, hidden }: Response): Promise<void> {
  const clientId: Client['clientId'] = hidden.registered.client.clientId
  const subject = subjectIdSchema.parse(taken.session.subject)
  await ports.grants.revoke({ subject, clientId }, ports.clock.now())
}

/** The answer to a test is there: what came of it, step by step. Afterwards nothing of it is valid. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import { sentence } from '#lib/protocol/configuration-problems.ts'
import type { GrantId } from '#lib/protocol/ids.ts'
import { clientIdSchema, grantIdSchema, parseHandle } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../../admin-ports.ts'
import { notFound, ok } from '../../admin-result.ts'
import { type Deed, defineUseCase } from '../../use-case.ts'
import { visitDigestSchema } from './begin-client-test.ts'
import {
  type Findings,
  nothingReceived,
  step,
  type TestStep,
  testResult,
  testResultSchema,
} from './client-test-result.ts'
import { type TestRun, takeRun, testName } from './client-test-runs.ts'
import type { Trial } from './client-trials.ts'
import { readTokens } from './read-tokens.ts'
import { withMissingScopes } from './tested-scopes.ts'

export const finishClientTest = defineUseCase({
  name: 'clients.finish_test',
  permission: 'clients:test',
  summary: 'Shows once what came of a test of a client.',
  done: '',
  isShownOnce: true,
  changesNothing: true,
  input: z.object({ visit: visitDigestSchema, parameters: z.record(z.string(), z.string()) }),
  output: testResultSchema,
  api: null,
  run: async (ports, { visit, parameters }, deed) => {
    const run = await takeRun(ports, parameters.state, { visit, subject: deed.actor.subject })
    const clientId = clientIdSchema.safeParse(run?.request.client_id)
    const found = clientId.success ? await ports.clients.find(clientId.data) : null
    if (run === null || found === null) return notFound
    const test = testName(ports, run.request.state ?? '')
    const arrival = { run, parameters, trial: { client: found.client, test }, deed }
    const findings = await lookInto(ports, arrival)
    return ok(testResult(found.client.clientId, findings))
  },
})

type Arrival = {
  readonly run: TestRun
  readonly parameters: Readonly<Record<string, string>>
  readonly trial: Trial
  readonly deed: Deed
}

async function lookInto(ports: AdminPorts, arrival: Arrival): Promise<Findings> {
  const asked = await askedFor(ports, arrival)
  try {
    const before = [secretStep(arrival.run), await authorizedStep(ports, arrival, asked.reference)]
    if (arrival.parameters.error !== undefined) return { ...nothingReceived, steps: before }
    // RFC 9207 2.4
    if (arrival.parameters.iss !== ports.settings.issuer)
      return { ...nothingReceived, steps: [...before, step('answer_ours', 'failed')] }
    const rest = await redeem(ports, arrival)
    return { ...rest, steps: [...before, step('answer_ours', 'passed'), ...rest.steps] }
  } finally {
    await endGrant(ports, arrival, asked.grantId)
  }
}

function secretStep({ secret, reference }: TestRun): TestStep {
  if (secret === 'proven') return step('secret', 'passed', { reference })
  const says =
    secret === 'not_needed'
      ? 'This client proves itself without one.'
      : 'None was typed in: the server vouched for the client.'
  return step('secret', 'skipped', { says })
}

async function authorizedStep(
  ports: AdminPorts,
  { parameters, trial }: Arrival,
  reference: string | null,
): Promise<TestStep> {
  if (parameters.error === undefined) return step('authorized', 'passed', { reference })
  const because = parameters.error_description ?? parameters.error
  const isScope = parameters.error === 'invalid_scope'
  const says = isScope ? await withMissingScopes(ports, because, trial.client) : sentence(because)
  return step('authorized', 'failed', { says, reference })
}

async function redeem(ports: AdminPorts, { run, parameters, trial, deed }: Arrival): Promise<Findings> {
  const { context } = deed
  const reference = context.referenceId
  const nonce = run.request.nonce ?? null
  if (run.verifier === null) {
    const given = await readTokens(ports, { ...trial, answer: parameters, nonce, context })
    const says = 'They came with the answer: this client has no code to redeem.'
    return { ...given, steps: [step('tokens_issued', 'passed', { says }), ...given.steps] }
  }
  const code = parameters.code ?? ''
  const answer = await ports.clientTrials.redeem({ ...trial, code, verifier: run.verifier }, context)
  if (answer.kind === 'refused') {
    const failed = step('tokens_issued', 'failed', { says: answer.because, reference })
    return { ...nothingReceived, steps: [failed] }
  }
  const given = await readTokens(ports, { ...trial, answer: answer.response, nonce, context })
  return { ...given, steps: [step('tokens_issued', 'passed', { reference }), ...given.steps] }
}

type Asked = { readonly reference: string | null; readonly grantId: GrantId | null }

/** The events know which request was answered, and on which grant. */
async function askedFor(ports: AdminPorts, { run, trial }: Arrival): Promise<Asked> {
  await ports.flushEvents()
  const filter = { clientId: trial.client.clientId, from: new Date(run.startedAt) }
  const events = await ports.eventLog.list(filter, null, adminList.largestPage)
  const answered = events.find(
    ({ name, details }) =>
      details.test === trial.test && (name === 'authorize_answered' || name === 'authorize_refused'),
  )
  return {
    reference: answered?.referenceId ?? null,
    grantId: grantIdSchema.safeParse(answered?.grantId).data ?? null,
  }
}

/** Also where no token led to it: of a code that was not redeemed, of an answer that held an identity token alone. */
async function endGrant(
  ports: AdminPorts,
  { parameters, trial }: Arrival,
  known: GrantId | null,
): Promise<void> {
  const handle = parseHandle('code', parameters.code)
  const code = handle === null ? null : await ports.codes.find(ports.hashing.digest(handle))
  const ofCode = code?.clientId === trial.client.clientId ? code.grantId : null
  for (const id of new Set([known, ofCode])) {
    if (id !== null) await ports.grants.revoke({ id }, ports.clock.now())
  }
}

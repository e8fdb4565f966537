/** The test of a client that nobody signs in to: it gets a token for itself, which ends at once. */
import type { Client } from '#lib/protocol/client.ts'
import type { AdminPorts } from '../../admin-ports.ts'
import type { Deed } from '../../use-case.ts'
import { nothingReceived, ownSteps, step, type TestResult, testResult } from './client-test-result.ts'
import { testName } from './client-test-runs.ts'
import { readTokens } from './read-tokens.ts'
import { testedScopes, withMissingScopes } from './tested-scopes.ts'

type Acting = { readonly client: Client; readonly secret: string }

export async function actForItself(
  ports: AdminPorts,
  { client, secret }: Acting,
  { context }: Deed,
): Promise<TestResult> {
  const test = testName(ports, ports.random.handle('clientTest'))
  const reference = context.referenceId
  const scopes = await testedScopes(ports, client, 'token')
  const answer = await ports.clientTrials.forItself({ client, test, secret, scopes }, context)
  if (answer.kind === 'refused') {
    const says = await withMissingScopes(ports, answer.because, client)
    const failed = step('tokens_issued', 'failed', { says, reference })
    return testResult(client.clientId, { ...nothingReceived, steps: [failed] }, ownSteps)
  }
  const issued = step('tokens_issued', 'passed', { reference })
  const read = await readTokens(ports, { client, test, answer: answer.response, nonce: null, context })
  return testResult(client.clientId, { ...read, steps: [issued, ...read.steps] }, ownSteps)
}

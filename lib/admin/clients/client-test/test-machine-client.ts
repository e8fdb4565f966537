/** The test of a client without users: it requests a token for itself, which is revoked immediately. */
import type { Client } from '#lib/protocol/registration/client.ts'
import type { AdminPorts } from '../../admin-ports.ts'
import type { AdminCall } from '../../use-case.ts'
import { readOwnToken } from './check-tokens.ts'
import { nothingReceived, ownSteps, step, type TestResult, testResult } from './client-test-result.ts'
import { clientTestName } from './client-test-session.ts'
import { testedScopes, withMissingScopes } from './tested-scopes.ts'

type MachineTest = { readonly client: Client; readonly secret: string }

export async function testMachineClient(
  ports: AdminPorts,
  { client, secret }: MachineTest,
  { context }: AdminCall,
): Promise<TestResult> {
  const tested = { client, secret, test: clientTestName(ports, ports.random.handle('clientTest')) }
  const reference = context.referenceId
  const scopes = await testedScopes(ports, client, 'token')
  const answer = await ports.clientTestCalls.requestOwnToken({ ...tested, scopes }, context)
  if (answer.kind === 'refused') {
    const says = await withMissingScopes(ports, answer.description, client)
    const failed = step('tokens_issued', 'failed', { says, reference })
    return testResult(client.clientId, { ...nothingReceived, steps: [failed] }, ownSteps)
  }
  const issued = step('tokens_issued', 'passed', { reference })
  const read = await readOwnToken(ports, answer.response)
  const { access_token: token } = answer.response
  if (typeof token === 'string') await ports.clientTestCalls.revokeOwnToken({ ...tested, token }, context)
  const steps = [issued, ...read.steps, step('ended', 'passed')]
  return testResult(client.clientId, { ...read, steps }, ownSteps)
}

/** The way of a client's people: an authorization request like the app's own, but that it comes back to us. */
import type { Client } from '#lib/protocol/client.ts'
import { clientTestAddress } from '#lib/protocol/client-test-address.ts'
import type { ClientTestHandle } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../../admin-ports.ts'
import type { Deed } from '../../use-case.ts'
import type { Begun } from './begin-client-test.ts'
import type { TestPlan } from './client-test-plan.ts'
import { nothingReceived, step, testResult } from './client-test-result.ts'
import { keepRun, type TestRun, testName } from './client-test-runs.ts'
import { testedScopes } from './tested-scopes.ts'

type Leaving = {
  readonly client: Client
  readonly plan: Extract<TestPlan, { kind: 'sign_in' }>
  /** Empty: it is not tried. */
  readonly secret: string
} & Pick<TestRun, 'visit' | 'session'>

/** A wrong secret ends the test at once. */
export async function leaveForTest(ports: AdminPorts, leaving: Leaving, deed: Deed): Promise<Begun> {
  const { client, visit, session } = leaving
  const handle = ports.random.handle('clientTest')
  const secret = await triedSecret(ports, leaving, { test: testName(ports, handle), deed })
  if (typeof secret === 'object') {
    const failed = step('secret', 'failed', { says: secret.because, reference: deed.context.referenceId })
    return { kind: 'finished', result: testResult(client.clientId, { ...nothingReceived, steps: [failed] }) }
  }
  const { request, verifier } = await requestFor(ports, leaving, handle)
  await keepRun(ports, handle, {
    request,
    verifier,
    subject: deed.actor.subject,
    session,
    visit,
    secret,
    startedAt: deed.now.getTime(),
    reference: deed.context.referenceId,
  })
  return { kind: 'leave', url: `/connect/authorize?${new URLSearchParams(request)}` }
}

async function triedSecret(
  ports: AdminPorts,
  { client, plan, secret }: Leaving,
  { test, deed }: { readonly test: string; readonly deed: Deed },
): Promise<TestRun['secret'] | { readonly because: string }> {
  if (!plan.takesSecret) return 'not_needed'
  if (secret === '') return 'not_tried'
  const proof = await ports.clientTrials.prove({ client, test, secret }, deed.context)
  return proof.kind === 'proven' ? 'proven' : proof
}

/** With PKCE whatever the client may leave out: the verifier stays here. */
async function requestFor(
  ports: AdminPorts,
  { client, plan: { responseType } }: Leaving,
  handle: ClientTestHandle,
): Promise<Pick<TestRun, 'request' | 'verifier'>> {
  const scopes = await testedScopes(ports, client, responseType)
  const request = {
    client_id: client.clientId,
    redirect_uri: clientTestAddress(ports.settings.issuer),
    response_type: responseType,
    scope: scopes.join(' '),
    state: handle,
    nonce: ports.random.id(),
  }
  // A fragment would stay in the browser
  if (responseType !== 'code') return { request: { ...request, response_mode: 'form_post' }, verifier: null }
  const verifier = ports.random.id() + ports.random.id()
  const proof = { code_challenge: ports.hashing.digest(verifier), code_challenge_method: 'S256' }
  return { request: { ...request, ...proof }, verifier }
}

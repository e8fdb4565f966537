/** Starts the test of a client with users: an authorization request of the hidden client, which the admin follows. */

import type { ClientTestHandle } from '#lib/protocol/ids.ts'
import { type Client, isPublic } from '#lib/protocol/registration/client.ts'
import { clientTestRedirectUri } from '#lib/protocol/wire/local-paths.ts'
import type { AdminPorts } from '../../admin-ports.ts'
import type { AdminCall } from '../../use-case.ts'
import type { Begun } from './begin-client-test.ts'
import type { TestPlan } from './client-test-plan.ts'
import { nothingReceived, step, testResult } from './client-test-result.ts'
import { type ClientTestSession, clientTestName, saveClientTest } from './client-test-session.ts'
import { testedScopes } from './tested-scopes.ts'

type SignInTest = {
  readonly client: Client
  readonly plan: Extract<TestPlan, { kind: 'sign_in' }>
  /** One of the tested client's; empty: it is not tried. */
  readonly secret: string
} & Pick<ClientTestSession, 'adminSession' | 'sessionId'>

/** A wrong secret ends the test immediately. */
export async function startSignInTest(
  ports: AdminPorts,
  started: SignInTest,
  call: AdminCall,
): Promise<Begun> {
  const { client, plan, adminSession, sessionId } = started
  const handle = ports.random.handle('clientTest')
  const reference = call.context.referenceId
  const testedSecret = await tryOwnSecret(ports, started, { test: clientTestName(ports, handle), call })
  if (typeof testedSecret === 'object') {
    const failed = step('secret', 'failed', { says: testedSecret.description, reference })
    return { kind: 'finished', result: testResult(client.clientId, { ...nothingReceived, steps: [failed] }) }
  }
  const secret = isPublic(client) ? null : await ownSecret(ports)
  const verifier = plan.responseType === 'code' ? ports.random.id() + ports.random.id() : null
  const nonce = ports.random.id()
  await saveClientTest(ports, handle, {
    clientId: client.clientId,
    secret,
    verifier,
    nonce,
    subject: call.actor.subject,
    sessionId,
    adminSession,
    testedSecret,
    startedAt: call.now.getTime(),
    requestId: reference,
  })
  return { kind: 'leave', url: await authorizeUrl(ports, started, { handle, nonce, verifier }) }
}

async function tryOwnSecret(
  ports: AdminPorts,
  { client, plan, secret }: SignInTest,
  { test, call }: { readonly test: string; readonly call: AdminCall },
): Promise<ClientTestSession['testedSecret'] | { readonly description: string }> {
  if (!plan.takesSecret) return 'not_needed'
  if (secret === '') return 'not_tried'
  const tried = await ports.clientTestCalls.authenticate({ client, test, secret }, call.context)
  return tried.kind === 'authenticated' ? 'proven' : tried
}

async function ownSecret({ secretKeeper }: AdminPorts): Promise<ClientTestSession['secret']> {
  const value = secretKeeper.generate()
  const [digest = ''] = await secretKeeper.digests([value], [])
  return { value, digest }
}

type RequestValues = Pick<ClientTestSession, 'nonce' | 'verifier'> & { readonly handle: ClientTestHandle }

async function authorizeUrl(
  ports: AdminPorts,
  { client, plan: { responseType } }: SignInTest,
  { handle, nonce, verifier }: RequestValues,
): Promise<string> {
  const scopes = await testedScopes(ports, client, responseType)
  const request = {
    client_id: handle,
    redirect_uri: clientTestRedirectUri(ports.settings.issuer),
    response_type: responseType,
    scope: scopes.join(' '),
    state: handle,
    nonce,
    // A fragment would stay in the browser
    ...(verifier === null
      ? { response_mode: 'form_post' }
      : { code_challenge: ports.hashing.digest(verifier), code_challenge_method: 'S256' }),
  }
  return `/connect/authorize?${new URLSearchParams(request)}`
}

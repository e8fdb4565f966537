/**
 * Begins a client test: sends the admin to the authorization endpoint, or requests a token immediately by
 * `client_credentials`.
 */
import { z } from 'zod'
import { clientIdSchema, type ScopeName } from '#lib/protocol/ids.ts'
import { type Client, clientFromMetadata, isPublic } from '#lib/protocol/registration/client.ts'
import { sentence } from '#lib/protocol/registration/configuration-problems.ts'
import { prompts } from '#lib/protocol/vocabulary.ts'
import { clientTestRedirectUri } from '#lib/protocol/wire/own-addresses.ts'
import { parameterRules } from '#lib/protocol/wire/parameters.ts'
import { offlineScope } from '#lib/protocol/wire/scopes.ts'
import type { AdminPorts } from '../../admin-ports.ts'
import { invalid, notFound, ok } from '../../admin-result.ts'
import {
  authorizationPath,
  type Flow,
  type FlowRequest,
  fittingScopes,
  flows,
  flowsOf,
  kindsOfScopes,
  needsSecret,
  responseOf,
  scopeChoices,
} from '../../flow-runs/flows.ts'
import { type AdminCall, commit, defineUseCase, lastOfEach } from '../../use-case.ts'
import { ownersOnly } from '../client-resource.ts'
import {
  type ClientTestRefusal,
  nothingReceived,
  ownSteps,
  readOwnToken,
  step,
  type TestResult,
  testResult,
  testResultSchema,
} from './client-test-result.ts'
import { type ClientTestSession, clientTestName, saveClientTest } from './hidden-client.ts'

const inputSchema = z.object({
  client_id: clientIdSchema,
  /** A secret to check immediately. It is not stored. */
  client_secret: z.string().max(1000).default(''),
  /** The flow to test; left out for the best one that the client allows. */
  flow: z.enum(flows).optional(),
  /** The scopes to request; left out for the suggested ones. Scopes that the flow cannot have are ignored. */
  scope: z.array(z.string()).optional(),
  prompt: z.enum(['', ...prompts]).default(''),
  /** The level to request, such as `urn:latchkey:mfa`; empty: not sent. */
  acr_values: z.string().max(parameterRules.acr_values.longest).default(''),
  /** The age of the sign-in in seconds; empty: not sent. */
  max_age: z
    .string()
    .regex(/^[0-9]{0,15}$/, 'must be a number of seconds')
    .default(''),
})

/** The address of the authorization request, or the result of a test that ended without a sign-in. */
const begunSchema = z.union([z.object({ url: z.string() }), testResultSchema])

type Begun = z.infer<typeof begunSchema>

/** NOTE: the audit row is written before the first request of a test, so that every test has one. */
export const beginClientTest = defineUseCase({
  name: 'clients.begin_test',
  permission: 'clients:test',
  summary:
    'Starts a test of a client: its real flow, as a hidden client with a redirect URI of the dashboard.',
  isShownOnce: true,
  leadsTo: begun => ('url' in begun ? begun.url : null),
  input: inputSchema,
  output: begunSchema,
  fromForm: ({ scope, ...fields }) => ({
    ...lastOfEach(fields),
    scope: scope?.filter(name => name !== ''),
  }),
  run: async (ports, { client_id: clientId, client_secret: secret, ...chosen }, call) => {
    const stored = await ports.adminLists.client(clientId)
    if (stored === null || call.session === undefined) return notFound
    const refusal = await ownersOnly(ports, stored, call)
    if (refusal !== null) return refusal
    const client = clientFromMetadata(stored.metadata)
    const allowed = flowsOf(client)
    const flow = chosen.flow ?? allowed[0]
    if (flow === undefined) return invalid('', reasonAgainstTest(client))
    if (!allowed.includes(flow)) return invalid('flow', 'This client does not allow this flow.')
    if (!client.enabled) return invalid('', 'This client is disabled. Enable it first.')
    if (flow === 'client_credentials' && secret === '')
      return invalid('client_secret', 'Enter one of its secrets: this client needs one to get a token.')
    const entry = call.entry({ kind: 'client', id: client.clientId, before: null, after: null })
    const written = await commit(ports, { writes: [], audit: [entry] }, { now: call.now, value: null })
    if (written.kind !== 'ok') return written
    const tested = {
      client,
      secret,
      scopes: await testedScopes(ports, client, { flow, scopes: chosen.scope }),
    }
    if (flow === 'client_credentials') return ok(await testMachineClient(ports, tested, call))
    const { digest: adminSession, sessionId } = call.session
    const { prompt, acr_values: acrValues, max_age: maxAge } = chosen
    const asked = { ...tested, flow, prompt, acrValues, maxAge }
    return ok(await startSignInTest(ports, { ...asked, adminSession, sessionId }, call))
  },
})

type TestedClient = {
  readonly client: Client
  /** A secret of the tested client to check; empty: no secret is checked. */
  readonly secret: string
  readonly scopes: readonly string[]
}

type SignInTest = TestedClient &
  Pick<FlowRequest, 'flow' | 'prompt' | 'acrValues' | 'maxAge'> &
  Pick<ClientTestSession, 'adminSession' | 'sessionId'>

/** Starts a test with a sign-in. A wrong secret ends it immediately. */
async function startSignInTest(ports: AdminPorts, started: SignInTest, call: AdminCall): Promise<Begun> {
  const { client, flow, scopes, prompt, acrValues, maxAge, adminSession, sessionId } = started
  const handle = ports.random.handle('clientTest')
  const reference = call.context.requestId
  const tried = await trySecret(ports, started, { test: clientTestName(ports, handle), call })
  if (tried.kind === 'refused') {
    const failed = step('secret', 'failed', { says: tried.description, reference })
    return testResult(client.clientId, { ...nothingReceived, steps: [failed] })
  }
  const secret = isPublic(client) ? null : await hiddenSecret(ports)
  const verifier = ports.random.id() + ports.random.id()
  const nonce = ports.random.id()
  await saveClientTest(ports, handle, {
    clientId: client.clientId,
    secret,
    verifier: responseOf(flow).hasCode ? verifier : null,
    nonce,
    subject: call.actor.subject,
    sessionId,
    adminSession,
    testedSecret: tried.kind,
    startedAt: call.now.getTime(),
    requestId: reference,
  })
  const redirectUri = clientTestRedirectUri(ports.settings.issuer)
  const request = {
    flow,
    redirectUri,
    scopes,
    prompt,
    acrValues,
    maxAge,
    clientId: handle,
    state: handle,
    nonce,
    verifier,
  }
  return { url: authorizationPath(ports, request) }
}

async function trySecret(
  ports: AdminPorts,
  { client, flow, secret }: SignInTest,
  { test, call }: { readonly test: string; readonly call: AdminCall },
): Promise<{ readonly kind: ClientTestSession['testedSecret'] } | ClientTestRefusal> {
  if (!needsSecret(flow, client)) return { kind: 'not_needed' }
  if (secret === '') return { kind: 'not_tried' }
  const tried = await ports.clientTestCalls.authenticate({ client, test, secret }, call.context)
  return tried.kind === 'authenticated' ? { kind: 'proven' } : tried
}

async function hiddenSecret({ secretKeeper }: AdminPorts): Promise<ClientTestSession['secret']> {
  const value = secretKeeper.generate()
  const [digest = ''] = await secretKeeper.digests([value], [])
  return { value, digest }
}

async function testMachineClient(
  ports: AdminPorts,
  { client, secret, scopes }: TestedClient,
  { context }: AdminCall,
): Promise<TestResult> {
  const tested = { client, secret, test: clientTestName(ports, ports.random.handle('clientTest')) }
  const reference = context.requestId
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

/** Explains why a client without any of the flows cannot be tested. */
export function reasonAgainstTest({ grantTypes }: Client): string {
  return grantTypes.includes('password') ? ownPassword : ownGrant
}

const ownPassword =
  'Its users enter their password in the app itself. A test would need a user’s password, which this dashboard never requests: use the set-up below with a test account.'
const ownGrant =
  'It has no users and uses only grants of your extensions, which define what such a request contains.'

/** Explains why there are no tokens, and which of the client's scopes are not available. */
export async function withMissingScopes(
  ports: Pick<AdminPorts, 'scopes'>,
  reason: string,
  client: Client,
): Promise<string> {
  const missing = await missingScopes(ports, client)
  return missing === null ? sentence(reason) : `${sentence(reason)} ${missing}`
}

async function missingScopes(
  { scopes }: Pick<AdminPorts, 'scopes'>,
  { scopes: named }: Client,
): Promise<string | null> {
  const found = await Promise.all(named.map(name => scopes.find(name)))
  const isThere = (name: ScopeName, index: number) => found[index]?.scope.enabled ?? name === offlineScope
  const missing = named.filter((name, index) => !isThere(name, index))
  if (missing.length === 0) return null
  const names = missing.map(name => `"${name}"`).join(', ')
  return missing.length === 1
    ? `Its scope ${names} does not exist here, or is disabled.`
    : `Its scopes ${names} do not exist here, or are disabled.`
}

/** The scopes that the test requests. Unknown ones are included: their refusal is a result of the test. */
async function testedScopes(
  { scopes }: Pick<AdminPorts, 'scopes'>,
  client: Client,
  { flow, scopes: chosen }: { readonly flow: Flow; readonly scopes: readonly string[] | undefined },
): Promise<readonly string[]> {
  const kinds = await kindsOfScopes(scopes)
  return fittingScopes(flow, chosen ?? scopeChoices(client, [...kinds.keys()]).suggested, kinds)
}

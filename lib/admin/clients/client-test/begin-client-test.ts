/** "Test this client": sends the admin to the authorization endpoint, or requests a token for the client immediately. */
import { z } from 'zod'
import { type ClientTestHandle, clientIdSchema, type ScopeName } from '#lib/protocol/ids.ts'
import {
  type Client,
  clientFromMetadata,
  isPublic,
  isRegisteredFor,
  requestableScopes,
} from '#lib/protocol/registration/client.ts'
import { sentence } from '#lib/protocol/registration/configuration-problems.ts'
import {
  leadsToAccessToken,
  leadsToIdToken,
  type ResponseType,
  responseParts,
  responseTypeRow,
  type ScopeKind,
} from '#lib/protocol/vocabulary.ts'
import { clientTestRedirectUri } from '#lib/protocol/wire/own-addresses.ts'
import { offlineScope, openidScope } from '#lib/protocol/wire/scopes.ts'
import type { AdminPorts } from '../../admin-ports.ts'
import { type AdminResult, invalid, notFound, ok } from '../../admin-result.ts'
import { type AdminCall, commit, defineUseCase } from '../../use-case.ts'
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
  /** Tried immediately and not kept. */
  client_secret: z.string().max(1000).default(''),
})

/** The authorization request of the test, or the result of one that needs no sign-in. */
const begunSchema = z.union([z.object({ url: z.string() }), testResultSchema])

type Begun = z.infer<typeof begunSchema>

/** The audit row is written before the first request, so that no test is without one. */
export const beginClientTest = defineUseCase({
  name: 'clients.begin_test',
  permission: 'clients:test',
  summary:
    'Starts a test of a client: its real flow, as a hidden client with a redirect URI of the dashboard.',
  isShownOnce: true,
  leadsTo: begun => ('url' in begun ? begun.url : null),
  input: inputSchema,
  output: begunSchema,
  run: async (ports, { client_id: clientId, client_secret: secret }, call) => {
    const stored = await ports.adminLists.client(clientId)
    if (stored === null || call.session === undefined) return notFound
    const refusal = await ownersOnly(ports, stored, call)
    if (refusal !== null) return refusal
    const client = clientFromMetadata(stored.metadata)
    const plan = testPlan(client)
    const problem = problemOf(client, plan, secret)
    if (problem !== null) return problem
    const entry = call.entry({ kind: 'client', id: client.clientId, before: null, after: null })
    const written = await commit(ports, { writes: [], audit: [entry] }, { now: call.now, value: null })
    if (written.kind !== 'ok') return written
    const { digest: adminSession, sessionId } = call.session
    return ok(
      plan.kind === 'sign_in'
        ? await startSignInTest(ports, { client, plan, secret, adminSession, sessionId }, call)
        : await testMachineClient(ports, { client, secret }, call),
    )
  },
})

function problemOf(client: Client, plan: TestPlan, secret: string): AdminResult<never> | null {
  if (plan.kind === 'none') return invalid('', plan.reason)
  if (!client.enabled) return invalid('', 'This client is disabled. Enable it first.')
  if (plan.kind === 'client_credentials' && secret === '')
    return invalid('client_secret', 'Enter one of its secrets: this client needs one to get a token.')
  return null
}

type SignInTest = {
  readonly client: Client
  readonly plan: Extract<TestPlan, { kind: 'sign_in' }>
  /** A secret of the tested client to check; empty: none is checked. */
  readonly secret: string
} & Pick<ClientTestSession, 'adminSession' | 'sessionId'>

/** A wrong secret ends the test immediately. */
async function startSignInTest(ports: AdminPorts, started: SignInTest, call: AdminCall): Promise<Begun> {
  const { client, plan, adminSession, sessionId } = started
  const handle = ports.random.handle('clientTest')
  const reference = call.context.requestId
  const tried = await trySecret(ports, started, { test: clientTestName(ports, handle), call })
  if (tried.kind === 'refused') {
    const failed = step('secret', 'failed', { says: tried.description, reference })
    return testResult(client.clientId, { ...nothingReceived, steps: [failed] })
  }
  const secret = isPublic(client) ? null : await hiddenSecret(ports)
  const verifier = responseTypeRow(plan.responseType).code ? ports.random.id() + ports.random.id() : null
  const nonce = ports.random.id()
  await saveClientTest(ports, handle, {
    clientId: client.clientId,
    secret,
    verifier,
    nonce,
    subject: call.actor.subject,
    sessionId,
    adminSession,
    testedSecret: tried.kind,
    startedAt: call.now.getTime(),
    requestId: reference,
  })
  return { url: await authorizeUrl(ports, started, { handle, nonce, verifier }) }
}

async function trySecret(
  ports: AdminPorts,
  { client, plan, secret }: SignInTest,
  { test, call }: { readonly test: string; readonly call: AdminCall },
): Promise<{ readonly kind: ClientTestSession['testedSecret'] } | ClientTestRefusal> {
  if (!plan.takesSecret) return { kind: 'not_needed' }
  if (secret === '') return { kind: 'not_tried' }
  const tried = await ports.clientTestCalls.authenticate({ client, test, secret }, call.context)
  return tried.kind === 'authenticated' ? { kind: 'proven' } : tried
}

async function hiddenSecret({ secretKeeper }: AdminPorts): Promise<ClientTestSession['secret']> {
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
  const { idToken, token } = responseTypeRow(responseType)
  const scopes = await testedScopes(ports, client, {
    identity: leadsToIdToken(responseType),
    resource: leadsToAccessToken(responseType),
  })
  const request = {
    client_id: handle,
    redirect_uri: clientTestRedirectUri(ports.settings.issuer),
    response_type: responseType,
    scope: scopes.join(' '),
    state: handle,
    nonce,
    // A fragment would stay in the browser
    ...(idToken || token ? { response_mode: 'form_post' } : {}),
    ...(verifier === null
      ? {}
      : { code_challenge: ports.hashing.digest(verifier), code_challenge_method: 'S256' }),
  }
  return `/connect/authorize?${new URLSearchParams(request)}`
}

type MachineTest = { readonly client: Client; readonly secret: string }

async function testMachineClient(
  ports: AdminPorts,
  { client, secret }: MachineTest,
  { context }: AdminCall,
): Promise<TestResult> {
  const tested = { client, secret, test: clientTestName(ports, ports.random.handle('clientTest')) }
  const reference = context.requestId
  const scopes = await testedScopes(ports, client, { identity: false, resource: true })
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

export type TestPlan =
  /** The admin signs in as a user of the client. */
  | { readonly kind: 'sign_in'; readonly responseType: ResponseType; readonly takesSecret: boolean }
  /** It requests a token for itself, with a secret that the admin enters. */
  | { readonly kind: 'client_credentials' }
  | { readonly kind: 'none'; readonly reason: string }

export function testPlan(client: Client): TestPlan {
  const responseType = responseTypeFor(client)
  if (responseType !== null)
    return {
      kind: 'sign_in',
      responseType,
      takesSecret: responseTypeRow(responseType).code && !isPublic(client),
    }
  if (client.grantTypes.includes('client_credentials')) return { kind: 'client_credentials' }
  return { kind: 'none', reason: client.grantTypes.includes('password') ? ownPassword : ownGrant }
}

const ownPassword =
  'Its users enter their password in the app itself. A test would need a user’s password, which this dashboard never requests: use the set-up below with a test account.'
const ownGrant =
  'It has no users and uses only grants of your extensions, which define what such a request contains.'

/** The code flow if allowed, otherwise the response type that returns the most. */
function responseTypeFor(client: Client): ResponseType | null {
  const hasOpenid = isRegisteredFor(client, openidScope)
  const usable = client.responseTypes.filter(type => hasOpenid || !responseTypeRow(type).idToken)
  return usable.toSorted((one, other) => preferenceOf(other) - preferenceOf(one))[0] ?? null
}

/** Only a code is best; then the more parts, the better, and an ID token rather than an access token. */
function preferenceOf(type: ResponseType): number {
  const row = responseTypeRow(type)
  const parts = responseParts.filter(part => row[part])
  if (row.code && parts.length === 1) return 10
  return 2 * parts.length + (row.idToken ? 1 : 0)
}

/** Why there are no tokens, and which of the client's scopes are not available. */
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

/** An unknown scope is requested as well: the refusal is a result of the test. */
async function testedScopes(
  { scopes }: Pick<AdminPorts, 'scopes'>,
  client: Client,
  allowed: Readonly<Record<ScopeKind, boolean>>,
): Promise<readonly ScopeName[]> {
  const kinds = new Map((await scopes.all()).map(({ scope }) => [scope.name, scope.kind]))
  const named = client.scopes.length > 0 ? client.scopes : requestableScopes(client, [...kinds.keys()])
  const isBoth = allowed.identity && allowed.resource
  const fits = (name: ScopeName) => {
    const kind = kinds.get(name)
    return name !== offlineScope && (kind === undefined || allowed[kind])
  }
  const fitting = isBoth ? named : named.filter(fits)
  // A client with every scope shows with the first ones that it works
  return client.scopes.length > 0 ? fitting : fitting.slice(0, mostTestedScopes)
}

const mostTestedScopes = 5

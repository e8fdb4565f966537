/** The authorization response of a client test: checks it step by step and revokes everything that was issued. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { Claims, JsonValue } from '#lib/protocol/claims.ts'
import { parseHandle, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { sentence } from '#lib/protocol/registration/configuration-problems.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { openidScope, scopesOfClaims } from '#lib/protocol/wire/scopes.ts'
import type { AdminPorts } from '../../admin-ports.ts'
import { notFound, ok } from '../../admin-result.ts'
import { type AdminCall, defineUseCase } from '../../use-case.ts'
import { adminSessionDigestSchema, withMissingScopes } from './begin-client-test.ts'
import {
  type Findings,
  nothingReceived,
  type Received,
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
  done: '',
  isShownOnce: true,
  changesNothing: true,
  input: z.object({
    admin_session: adminSessionDigestSchema,
    parameters: z.record(z.string(), z.string()),
  }),
  output: testResultSchema,
  api: null,
  run: async (ports, { admin_session: adminSession, parameters }, call) => {
    const by = { adminSession, subject: call.actor.subject }
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
  const because = parameters.error_description ?? parameters.error
  const isScope = parameters.error === 'invalid_scope'
  const says = isScope ? await withMissingScopes(ports, because, hidden.registered.client) : sentence(because)
  return step('authorized', 'failed', { says, reference })
}

async function tokenFindings(
  ports: AdminPorts,
  { taken: { session }, hidden, parameters, call: { context } }: Response,
): Promise<Findings> {
  const reference = context.referenceId
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

/** ID of the request that the authorization endpoint answered; from the events, because a sign-in may lie between. */
async function requestIdOf(ports: AdminPorts, { taken, hidden }: Response): Promise<string | null> {
  await ports.flushEvents()
  const filter = { clientId: hidden.testedClientId, from: new Date(taken.session.startedAt) }
  const events = await ports.eventLog.list(filter, null, adminList.largestPage)
  const test = clientTestName(ports, taken.handle)
  const answered = events.find(
    ({ name, details }) =>
      details.test === test && (name === 'authorize_answered' || name === 'authorize_refused'),
  )
  return answered?.referenceId ?? null
}

/** Whatever was found. All tokens of the test belong to a grant of the hidden client. */
async function revokeGrants(ports: AdminPorts, { taken, hidden }: Response): Promise<void> {
  const clientId: Client['clientId'] = hidden.registered.client.clientId
  const subject = subjectIdSchema.parse(taken.session.subject)
  await ports.grants.revoke({ subject, clientId }, ports.clock.now())
}

/** The response of the token endpoint, or of the front channel. */
type TokenFields = Readonly<Record<string, JsonValue>>

type IssuedToHidden = {
  readonly hidden: HiddenClient
  readonly answer: TokenFields
  /** What the ID token must repeat. */
  readonly nonce: string
  readonly context: RequestContext
}

type Check = { readonly step: TestStep; readonly claims: Claims | null }

/** What the app would receive: the claims contain its client ID in place of the hidden one. */
async function checkTokens(ports: AdminPorts, issued: IssuedToHidden): Promise<Findings> {
  const { id_token: identity, access_token: access, refresh_token: refresh } = issued.answer
  const checks = {
    identity_token: await checkIdToken(ports, issued, textOf(identity)),
    access_token: await checkAccessToken(ports, textOf(access)),
    userinfo: await checkUserinfo(ports, issued, textOf(access)),
  }
  const findings = findingsOf(checks, ['identity_token', 'access_token', 'userinfo'])
  return {
    ...findings,
    received: findings.received.map(({ from, claims }) => ({
      from,
      claims: asTested(claims, issued.hidden),
    })),
    has_refresh_token: textOf(refresh) !== null,
  }
}

/** The same of a client without users, which receives an access token only. */
export async function readOwnToken(ports: AdminPorts, answer: TokenFields): Promise<Findings> {
  return findingsOf({ access_token: await checkAccessToken(ports, textOf(answer.access_token)) }, [
    'access_token',
  ])
}

function findingsOf<From extends Received['from']>(
  checks: Readonly<Record<From, Check>>,
  order: readonly From[],
): Findings {
  return {
    steps: order.map(from => checks[from].step),
    received: order.flatMap(from => {
      const { claims } = checks[from]
      return claims === null ? [] : [{ from, claims: { ...claims } }]
    }),
    has_refresh_token: false,
  }
}

// OpenID Connect Core 3.1.3.7: signature, issuer and times are checked by the signer
async function checkIdToken(
  ports: AdminPorts,
  { hidden, nonce }: IssuedToHidden,
  token: string | null,
): Promise<Check> {
  if (token === null) return { step: step('identity_token', 'skipped', { says: noIdToken }), claims: null }
  const claims = (await ports.signer.verify(token, 'JWT'))?.claims ?? null
  const isValid =
    claims !== null && claims.aud === hidden.registered.client.clientId && claims.nonce === nonce
  if (isValid) return { step: step('identity_token', 'passed'), claims }
  const says = 'Its signature, audience or nonce is not what the request asked for.'
  return { step: step('identity_token', 'failed', { says }), claims }
}

async function checkAccessToken(ports: AdminPorts, token: string | null): Promise<Check> {
  if (token === null) return { step: step('access_token', 'skipped', { says: noAccessToken }), claims: null }
  const claims = await claimsOfAccessToken(ports, token)
  if (claims !== null) return { step: step('access_token', 'passed'), claims }
  const says = 'This server does not recognise its own token: check the extensions that change tokens.'
  return { step: step('access_token', 'failed', { says }), claims }
}

async function claimsOfAccessToken(ports: AdminPorts, token: string): Promise<Claims | null> {
  const handle = parseHandle('accessToken', token)
  if (handle === null) return (await ports.signer.verify(token, 'at+jwt'))?.claims ?? null
  return (await ports.referenceTokens.find(ports.hashing.tokenDigest(handle)))?.claims ?? null
}

async function checkUserinfo(
  ports: AdminPorts,
  { hidden, context }: IssuedToHidden,
  token: string | null,
): Promise<Check> {
  const known = token === null ? null : await claimsOfAccessToken(ports, token)
  if (token === null || known === null || !scopesOfClaims(known).includes(openidScope))
    return { step: step('userinfo', 'skipped', { says: noUserinfo }), claims: null }
  const claims = await ports.clientTestCalls.userinfo({ hidden, accessToken: token }, context)
  if (claims !== null) return { step: step('userinfo', 'passed'), claims }
  return { step: step('userinfo', 'failed', { reference: context.referenceId }), claims }
}

/** `aud`, `client_id` and `sub` of a client's own token are the only claims that name the client. */
function asTested(claims: Claims, { registered, testedClientId }: HiddenClient): Received['claims'] {
  const entries = Object.entries(claims).map(([name, value]) => [
    name,
    value === registered.client.clientId ? testedClientId : value,
  ])
  return Object.fromEntries(entries)
}

const noIdToken = 'There is none: the scope openid is missing.'
const noAccessToken = 'There is none: this response type gives an ID token only.'
const noUserinfo = 'Not called: it takes an access token with the scope openid.'

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}

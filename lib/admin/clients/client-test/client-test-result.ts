/** The result of a client test, step by step, and the checks of its tokens. The result is shown once and contains no token. */
import { z } from 'zod'
import { verifyAccessToken } from '#lib/ports/signing-keys.ts'
import { type Claims, type JsonValue, jsonValueSchema } from '#lib/protocol/claims.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { openidScope, scopesOfClaims } from '#lib/protocol/wire/scopes.ts'
import type { AdminPorts } from '../../admin-ports.ts'
import { readToken } from '../../flow-runs/token-content.ts'
import type { HiddenClient } from './hidden-client.ts'

/** The steps of a test with a sign-in, in the order in which an app takes them. */
const signInSteps = [
  'secret',
  'authorized',
  'answer_ours',
  'tokens_issued',
  'identity_token',
  'access_token',
  'userinfo',
  'ended',
] as const

/** The steps of a test by `client_credentials`. */
export const ownSteps = ['tokens_issued', 'access_token', 'ended'] as const

const stepNameSchema = z.enum(signInSteps)

const testStepSchema = z.object({
  name: stepNameSchema,
  result: z.enum(['passed', 'failed', 'skipped', 'not_reached']),
  /** An explanation, where the result of the step needs one. */
  says: z.string().nullable(),
  /** The ID of the request, which leads to its trace. */
  reference: z.string().nullable(),
})

export const testResultSchema = z.object({
  client_id: z.string(),
  steps: z.array(testStepSchema),
  /** The content of the tokens, and the claims of userinfo. */
  received: z.array(
    z.object({
      from: z.enum(['identity_token', 'access_token', 'userinfo']),
      header: z.record(z.string(), jsonValueSchema).nullable(),
      claims: z.record(z.string(), jsonValueSchema),
    }),
  ),
  has_refresh_token: z.boolean(),
})

export type TestStep = z.infer<typeof testStepSchema>
export type TestResult = z.infer<typeof testResultSchema>
export type Received = TestResult['received'][number]

export type Findings = Pick<TestResult, 'received' | 'has_refresh_token'> & {
  readonly steps: readonly TestStep[]
}

export const nothingReceived = { received: [], has_refresh_token: false }

/** Completes the steps that were taken with those that were not reached. */
export function testResult(
  clientId: string,
  { steps, ...rest }: Findings,
  names: readonly TestStep['name'][] = signInSteps,
): TestResult {
  const taken = new Map(steps.map(step => [step.name, step]))
  const all = names.map(
    name => taken.get(name) ?? { name, result: 'not_reached' as const, says: null, reference: null },
  )
  return { client_id: clientId, steps: all, ...rest }
}

type Detail = { readonly says?: string; readonly reference?: string | null }

/** A step that was taken or skipped. */
export function step(
  name: TestStep['name'],
  result: Exclude<TestStep['result'], 'not_reached'>,
  { says, reference }: Detail = {},
): TestStep {
  return { name, result, says: says ?? null, reference: reference ?? null }
}

/** The tested client and the secret that the admin entered. `test`: the name of the test in events. */
type TestedClient = { readonly client: Client; readonly test: string; readonly secret: string }

/** `description` says why, usually with the error description that the client would receive. */
export type ClientTestRefusal = { readonly kind: 'refused'; readonly description: string }
type ClientTestTokens =
  | { readonly kind: 'issued'; readonly response: Readonly<Record<string, JsonValue>> }
  | ClientTestRefusal

/** Requests of client tests. They mark no client and no secret as used. */
export type ClientTestCalls = {
  /** Checks whether the tested client authenticates with this secret, which is not kept. */
  readonly authenticate: (
    tested: TestedClient,
    context: RequestContext,
  ) => Promise<{ readonly kind: 'authenticated' } | ClientTestRefusal>
  /** Requests a token by `client_credentials`. */
  readonly requestOwnToken: (
    tested: TestedClient & { readonly scopes: readonly string[] },
    context: RequestContext,
  ) => Promise<ClientTestTokens>
  readonly revokeOwnToken: (
    tested: TestedClient & { readonly token: string },
    context: RequestContext,
  ) => Promise<void>
  /** Redeems the code of the hidden client with its own secret and code verifier. */
  readonly redeem: (
    redemption: {
      readonly hidden: HiddenClient
      readonly secret: string | null
      readonly code: string
      readonly verifier: string
    },
    context: RequestContext,
  ) => Promise<ClientTestTokens>
  /**
   * The claims that userinfo returns for an access token of the hidden client; `null` if it refuses the token or is turned off.
   */
  readonly userinfo: (
    request: { readonly hidden: HiddenClient; readonly accessToken: string },
    context: RequestContext,
  ) => Promise<Claims | null>
}

/** The parameters of a token response, or of an authorization response with tokens. */
type TokenFields = Readonly<Record<string, JsonValue>>

export type IssuedToHidden = {
  readonly hidden: HiddenClient
  readonly answer: TokenFields
  /** The `nonce` that the ID token must contain. */
  readonly nonce: string
  readonly context: RequestContext
}

type Check = { readonly step: TestStep; readonly claims: Claims | null }

/**
 * Checks the tokens and requests userinfo. Claims contain the ID of the tested client in place of the hidden one, as the app
 * would receive them.
 */
export async function checkTokens(ports: AdminPorts, issued: IssuedToHidden): Promise<Findings> {
  const { id_token: identity, access_token: access, refresh_token: refresh } = issued.answer
  const findings = findingsOf([
    ['identity_token', await checkIdToken(ports, issued, textOf(identity)), identity],
    ['access_token', await checkAccessToken(ports, textOf(access)), access],
    ['userinfo', await checkUserinfo(ports, issued, textOf(access)), undefined],
  ])
  return {
    ...findings,
    received: findings.received.map(({ claims, ...content }) => ({
      ...content,
      claims: asTested(claims, issued.hidden),
    })),
    has_refresh_token: textOf(refresh) !== null,
  }
}

/** Checks an access token that was issued by `client_credentials`. */
export async function readOwnToken(ports: AdminPorts, answer: TokenFields): Promise<Findings> {
  const { access_token: token } = answer
  return findingsOf([['access_token', await checkAccessToken(ports, textOf(token)), token]])
}

type Checked = readonly [from: Received['from'], check: Check, token: JsonValue | undefined]

/** Combines the results of checks, in their order. */
function findingsOf(checks: readonly Checked[]): Findings {
  return {
    steps: checks.map(([, check]) => check.step),
    received: checks.flatMap(([from, { claims }, token]) => {
      if (claims === null) return []
      return [{ from, header: readToken(textOf(token) ?? '')?.header ?? null, claims: { ...claims } }]
    }),
    has_refresh_token: false,
  }
}

// OpenID Connect Core 3.1.3.7. The signer checks signature, issuer and times
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
  const says = 'This server does not recognize its own token: check the extensions that change tokens.'
  return { step: step('access_token', 'failed', { says }), claims }
}

async function claimsOfAccessToken(ports: AdminPorts, token: string): Promise<Claims | null> {
  const handle = parseHandle('accessToken', token)
  if (handle === null) return (await verifyAccessToken(ports.signer, token))?.claims ?? null
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
  return { step: step('userinfo', 'failed', { reference: context.requestId }), claims }
}

/** Replaces claims that are the ID of the hidden client, such as `aud` and `client_id`, by that of the tested one. */
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

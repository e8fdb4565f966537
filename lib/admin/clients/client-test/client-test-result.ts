/** The result of a client test, step by step. It is shown once and contains no token. */
import { z } from 'zod'
import { type Claims, type JsonValue, jsonValueSchema } from '#lib/protocol/claims.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { HiddenClient } from './hidden-client.ts'

/** In the order in which an app takes them. */
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

/** Those of a client that acts for itself. */
export const ownSteps = ['tokens_issued', 'access_token', 'ended'] as const

const stepNameSchema = z.enum(signInSteps)

const testStepSchema = z.object({
  name: stepNameSchema,
  result: z.enum(['passed', 'failed', 'skipped', 'not_reached']),
  /** In words, where there is more to say than the result. */
  says: z.string().nullable(),
  /** The ID of the request, for its trace. */
  reference: z.string().nullable(),
})

export const testResultSchema = z.object({
  client_id: z.string(),
  steps: z.array(testStepSchema),
  /** The claims of the tokens and of userinfo. */
  received: z.array(
    z.object({
      from: z.enum(['identity_token', 'access_token', 'userinfo']),
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

/** With every step of this kind of test: those that were taken, and those that were not reached. */
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

/** One step that was taken, or left out. */
export function step(
  name: TestStep['name'],
  result: Exclude<TestStep['result'], 'not_reached'>,
  { says, reference }: Detail = {},
): TestStep {
  return { name, result, says: says ?? null, reference: reference ?? null }
}

/** The tested client with one of its secrets. `test`: the name of the test, which all its events contain. */
type TestedClient = { readonly client: Client; readonly test: string; readonly secret: string }

/** `description` is what the client receives. */
export type ClientTestRefusal = { readonly kind: 'refused'; readonly description: string }
type ClientTestTokens =
  | { readonly kind: 'issued'; readonly response: Readonly<Record<string, JsonValue>> }
  | ClientTestRefusal

/** None of these marks the tested client or one of its secrets as used. */
export type ClientTestCalls = {
  /** Whether the tested client authenticates with this secret. The secret is not kept. */
  readonly authenticate: (
    tested: TestedClient,
    context: RequestContext,
  ) => Promise<{ readonly kind: 'authenticated' } | ClientTestRefusal>
  /** `client_credentials`. */
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
  /** The claims that userinfo returns for an access token of the hidden client; `null` when it is refused. */
  readonly userinfo: (
    request: { readonly hidden: HiddenClient; readonly accessToken: string },
    context: RequestContext,
  ) => Promise<Claims | null>
}

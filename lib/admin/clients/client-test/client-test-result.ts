/** The result of a client test, step by step. It is shown once and contains no token. */
import { z } from 'zod'
import { jsonValueSchema } from '#lib/protocol/claims.ts'

/** In the order in which an app takes them. */
export const signInSteps = [
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

/**
 * Makes the hooks and custom grants of an extensions file safe to call: when one fails, the failure is reported, and
 * the caller gets an `OauthError` `extension_failed`.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { z } from 'zod'
import { claimLimits, hookMs } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { CustomGrant, Extensions, Hooks } from '#lib/ports/extensions.ts'
import type { LegacyVerify } from '#lib/ports/legacy-users.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { claimsProblem, jsonValueSchema } from '#lib/protocol/claims.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { userRecordSchema } from '#lib/protocol/registration/records.ts'

type FailedHook = {
  readonly hook: keyof Hooks | 'customGrants' | 'legacyVerify'
  /** The grant type of a custom grant. */
  readonly grantType?: string
  readonly requestId: string | undefined
}

/** Logs why a hook failed. Must not throw. */
type Report = (error: unknown, failed: FailedHook) => void

const requestIds = new AsyncLocalStorage<string>()

/** Runs `work`. Reports of hooks that fail within it contain the ID of its request. */
export function withinRequest<T>(requestId: string, work: () => Promise<T>): Promise<T> {
  return requestIds.run(requestId, work)
}

/** Whether the extensions have a hook or grant whose failure is reported. */
export function hasGuarded(
  { hooks, customGrants }: Pick<Ports, 'hooks' | 'customGrants'>,
  { legacyVerify }: Pick<Extensions, 'legacyVerify'> = {},
): boolean {
  if (legacyVerify !== undefined) return true
  return customGrants.length > 0 || Object.values(hooks).some(hook => hook !== undefined)
}

/** Wraps the grants: a failure is reported, and the grant throws `extension_failed`. */
export function guardCustomGrants(grants: readonly CustomGrant[], report: Report): readonly CustomGrant[] {
  return grants.map(grant => {
    const { grantType } = grant
    const failed = { hook: 'customGrants', grantType } as const
    return { grantType, validate: request => orRefused(report, failed, () => grant.validate(request)) }
  })
}

async function orRefused<T>(
  report: Report,
  failed: Omit<FailedHook, 'requestId'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    report(error, { ...failed, requestId: requestIds.getStore() })
    throw new OauthError('extension_failed')
  }
}

/**
 * Wraps the hooks: each gets a frozen request, a time limit and a checked result. A failure is reported, and the hook
 * throws `extension_failed`. A hook that is not defined stays undefined.
 */
export function guardHooks(hooks: Hooks, report: Report, limitMs: number = hookMs): Hooks {
  const guard = <Request extends object, Result>(
    name: keyof Hooks,
    hook: ((request: Request) => Promise<Result>) | undefined,
    schema: z.ZodType<Result>,
  ) => hook && guarded({ name, hook: hook.bind(hooks), schema, report, limitMs })
  return {
    preAuthenticate: guard('preAuthenticate', hooks.preAuthenticate, preAuthentication),
    postAuthenticate: guard('postAuthenticate', hooks.postAuthenticate, postAuthentication),
    signOut: guard('signOut', hooks.signOut, z.custom<void>()),
    validateRedirectUri: guard('validateRedirectUri', hooks.validateRedirectUri, z.boolean()),
    validateAuthorizeRequest: guard('validateAuthorizeRequest', hooks.validateAuthorizeRequest, validation),
    validateTokenRequest: guard('validateTokenRequest', hooks.validateTokenRequest, validation),
    tokenResponse: guard('tokenResponse', hooks.tokenResponse, addedMembers),
  }
}

/** Wraps `legacyVerify` in the same way. `undefined`: the extensions do not have it. */
export function guardLegacyVerify(
  { legacyVerify: hook }: Pick<Extensions, 'legacyVerify'>,
  report: Report,
  limitMs: number = hookMs,
): LegacyVerify | undefined {
  if (hook === undefined) return undefined
  const name = 'legacyVerify'
  return {
    verify: guarded({ name, hook, schema: legacyUser, report, limitMs }),
    refuse: problem => {
      report(new Error(problem), { hook: name, requestId: requestIds.getStore() })
      return new OauthError('extension_failed')
    },
  }
}

const legacyUser = z
  .object({
    subject: subjectIdSchema.optional(),
    username: userRecordSchema.shape.username.optional(),
    claims: userRecordSchema.shape.claims.optional(),
    mustChangePassword: z.boolean().optional(),
  })
  .nullable()

const validation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accepted') }),
  z.object({ kind: z.literal('refused'), error: z.string(), description: z.string().nullable() }),
])

const refusedWithMessage = z.object({ kind: z.literal('refused'), message: z.string().nullable() })

const preAuthentication = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('continue') }),
  z.object({
    kind: z.literal('signed_in'),
    subject: subjectIdSchema,
    name: z.string(),
    amr: z.array(z.string()),
    acr: z.string().nullish(),
  }),
  z.object({ kind: z.literal('partial'), path: z.string() }),
  refusedWithMessage,
])

const postAuthentication = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('accepted'),
    claims: z
      .record(z.string(), jsonValueSchema)
      .refine(claims => claimsProblem(claims, claimLimits.userBytes) === null, 'are too many claims')
      .optional(),
  }),
  z.object({ kind: z.literal('partial'), path: z.string() }),
  refusedWithMessage,
])

/**
 * The standard members of a token response: RFC 6749 5.1 and 5.2, OpenID Connect Core 3.1.3.3, RFC 8693 2.2.1, RFC 9396
 * 7.
 */
const standardMembers: ReadonlySet<string> = new Set([
  'access_token',
  'token_type',
  'expires_in',
  'refresh_token',
  'scope',
  'id_token',
  'issued_token_type',
  'authorization_details',
  'error',
  'error_description',
  'error_uri',
])

const addedMembers = z
  .record(z.string(), jsonValueSchema)
  .refine(added => Object.keys(added).every(name => !standardMembers.has(name)), 'names a standard member')

type Guarded<Request, Result> = {
  readonly name: FailedHook['hook']
  readonly hook: (request: Request) => Promise<Result>
  readonly schema: z.ZodType<Result>
  readonly report: Report
  readonly limitMs: number
}

function guarded<Request extends object, Result>({
  name,
  hook,
  schema,
  report,
  limitMs,
}: Guarded<Request, Result>): (request: Request) => Promise<Result> {
  return request =>
    orRefused(report, { hook: name }, async () =>
      schema.parse(await withinTime(hook(frozen(request)), limitMs)),
    )
}

async function withinTime<Result>(answer: Promise<Result>, limitMs: number): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs).unref()
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Freezes a value and everything in it: registrations are shared by all requests, and no hook may change one. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}

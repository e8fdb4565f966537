/** Proves a second factor in a sign-in: by a code of the authenticator app, or by a recovery code. */
import { secondFactors } from '#lib/config/limits.ts'
import { checkWithinLimits } from '#lib/core/limits/attempt-limits.ts'
import { securityNotice } from '#lib/core/sign-in/security-notice.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { AuthenticatorApp } from '#lib/ports/second-factors.ts'
import type { Credential, Factor } from '#lib/ports/sign-in-steps.ts'
import type { SessionHandle, TrustedBrowserHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { eventFields } from '../finish-sign-in.ts'
import {
  expiredPartial,
  type PartialProof,
  type PendingPartial,
  passStep,
  signInContextOf,
} from '../partial-sign-in.ts'
import type { ReturningSignInOutcome } from '../sign-in-outcome.ts'
import { openTotpSecret, recordChange } from './authenticator-app.ts'
import { parseRecoveryCode, recoveryCodeDigest } from './recovery-codes.ts'
import { markProvenBrowser, secondFactorLimits } from './second-factor-limits.ts'
import { findWaitingForFactor } from './second-factor-step.ts'
import { parseTotp, stepOfTotp } from './totp.ts'
import { trustBrowser } from './trusted-browsers.ts'

/** The browser of a sign-in with its cookies. */
type ProvingBrowser = {
  readonly previous: readonly SessionHandle[]
  readonly knownBrowser: string | null
  readonly trustedBrowsers: readonly TrustedBrowserHandle[]
  /** Whether the user wants this browser to be trusted. */
  readonly isToTrust: boolean
}

export type SecondFactorInput = PartialProof &
  ProvingBrowser & { readonly kind: 'totp' | 'recovery_code'; readonly code: string }

export type SecondFactorOutcome = ProvenSecondFactor | WrongCode

export type ProvenSecondFactor = ReturningSignInOutcome & {
  /** The new value of the cookie of trusted browsers; `null`: the cookie is unchanged. */
  readonly trustedBrowsers: readonly TrustedBrowserHandle[] | null
}

type WrongCode = {
  readonly kind: 'wrong_code'
  readonly why: 'wrong' | 'used' | 'limited'
  readonly retryAfterSeconds: number
}

/**
 * Checks the code and continues the sign-in. Each code works once on all nodes: the store decides which of several concurrent
 * requests uses it. Only wrong codes count as failed attempts.
 */
export async function proveByCode(
  ports: Ports,
  input: SecondFactorInput,
  context: RequestContext,
): Promise<SecondFactorOutcome> {
  const partial = await findWaitingForFactor(ports, input)
  const app = partial && (await ports.secondFactors.findApp(partial.proven.subject))
  if (partial === null || app === null) return { ...expiredPartial(ports, context), trustedBrowsers: null }
  const { proven } = partial
  const code = input.kind === 'totp' ? parseTotp(input.code) : parseRecoveryCode(input.code)
  // Text that cannot be a code is not a guess
  if (code === null) return { kind: 'wrong_code', why: 'wrong', retryAfterSeconds: 0 }
  const limits = await secondFactorLimits(ports, { proven, app, knownBrowser: input.knownBrowser })
  const attempt = await checkWithinLimits(ports, limits, {
    check: failures =>
      input.kind === 'totp' ? claimTotp(ports, app, { code, failures }) : claimRecoveryCode(ports, app, code),
    isFailure: result => result === 'wrong',
  })
  if (attempt.kind === 'limited') {
    recordFailure(ports, partial, { reason: null, retryAfterSeconds: attempt.retryAfterSeconds }, context)
    return { kind: 'wrong_code', why: 'limited', retryAfterSeconds: attempt.retryAfterSeconds }
  }
  if (attempt.result !== 'right') {
    const reason = attempt.result === 'wrong' ? 'wrong_second_factor' : 'used_second_factor'
    recordFailure(ports, partial, { reason, retryAfterSeconds: 0 }, context)
    return { kind: 'wrong_code', why: attempt.result, retryAfterSeconds: 0 }
  }
  if (input.kind === 'recovery_code')
    recordChange(ports, { subject: proven.subject, change: 'recovery_code_used' }, context)
  const credential: Credential =
    input.kind === 'totp'
      ? { kind: 'totp', app: app.sealedSecret }
      : { kind: 'recovery_code', code: recoveryCodeDigest(ports.hashing, proven.subject, code) }
  const factor: Factor = { methods: ['otp'], at: ports.clock.now(), credential }
  return passSecondFactor(ports, { ...input, partial, app, factor }, context)
}

type CodeResult = 'right' | 'wrong' | 'used'

/** AU-16: after several wrong codes, the right one may have been guessed, so the user is informed. */
async function claimTotp(
  ports: Ports,
  app: AuthenticatorApp,
  { code, failures }: { readonly code: string; readonly failures: number },
): Promise<CodeResult> {
  const { subject } = app
  const now = ports.clock.now()
  const step = stepOfTotp(openTotpSecret(ports.sealing, app), code, now)
  if (step === null) return 'wrong'
  const isNotable = failures >= secondFactors.wrongCodesBeforeNotice
  const notices = isNotable ? await securityNotice(ports, subject, 'wrong_codes') : []
  return (await ports.secondFactors.claimStep(app, step, { now, notices })) ? 'right' : 'used'
}

async function claimRecoveryCode(
  ports: Ports,
  { subject }: AuthenticatorApp,
  code: string,
): Promise<CodeResult> {
  const notices = await securityNotice(ports, subject, 'recovery_code_used')
  const digest = recoveryCodeDigest(ports.hashing, subject, code)
  const use = { now: ports.clock.now(), notices }
  return (await ports.secondFactors.claimRecoveryCode(subject, digest, use)) ? 'right' : 'wrong'
}

type Failure = {
  readonly reason: 'wrong_second_factor' | 'used_second_factor' | null
  readonly retryAfterSeconds: number
}

function recordFailure(
  ports: Ports,
  partial: PendingPartial,
  { reason, retryAfterSeconds }: Failure,
  context: RequestContext,
): void {
  const { subject, idp } = partial.proven
  const details: Readonly<Record<string, string | number>> =
    reason === null ? { idp, retryAfterSeconds } : { idp }
  const fields = eventFields(ports, signInContextOf(partial, []), details)
  const event =
    reason === null ? ({ name: 'sign_in_limited' } as const) : ({ name: 'sign_in_failed', reason } as const)
  ports.events.record({ ...event, outcome: 'failure', subject, ...fields }, context)
}

type Passed = ProvingBrowser & {
  readonly partial: PendingPartial
  readonly app: AuthenticatorApp | null
  readonly factor: Factor
}

/**
 * Adds a proven factor to the sign-in and continues it, with the marks of the browser. The trust is stored first, so that a
 * change of the password at the same time ends it.
 */
export async function passSecondFactor(
  ports: Ports,
  { partial, app, factor, isToTrust, ...browser }: Passed,
  context: RequestContext,
): Promise<ProvenSecondFactor> {
  const { previous, knownBrowser, trustedBrowsers: handles } = browser
  const { subject, factors } = partial.proven
  const proven = { ...partial.proven, factors: [...factors, factor] } as const
  const trust = isToTrust && app !== null ? await trustBrowser(ports, { app, handles }, context) : null
  const outcome = await passStep(ports, { partial, previous, proven }, context)
  if (outcome.kind !== 'signed_in' && outcome.kind !== 'partial') {
    if (trust !== null) await ports.trustedBrowsers.remove(subject, trust.id)
    return { ...outcome, trustedBrowsers: null }
  }
  if (trust !== null) recordChange(ports, { subject, change: 'browser_trusted' }, context)
  const trustedBrowsers = trust?.handles ?? null
  if (outcome.kind === 'partial') return { ...outcome, trustedBrowsers }
  const marked = await markProvenBrowser(ports, { proven, app, knownBrowser })
  return { ...outcome, knownBrowser: marked, trustedBrowsers }
}

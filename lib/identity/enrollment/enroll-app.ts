/** Sets up an authenticator app in the middle of a sign-in. The code that confirms it is the second factor of the sign-in. */
import type { Ports } from '#lib/ports/ports.ts'
import type { Factor } from '#lib/ports/sign-in-steps.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { setUpApp } from '../second-factor/authenticator-app.ts'
import {
  type ProvenSecondFactor,
  passSecondFactor,
  type SecondFactorInput,
} from '../second-factor/prove-second-factor.ts'
import { findEnrollment, isRecentlyProven } from './enroll-step.ts'

export type EnrollAppInput = Omit<SecondFactorInput, 'kind' | 'isToTrust'> & {
  /** The key that the page has shown; `null`: it has expired. */
  readonly secret: string | null
}

type EnrollAppOutcome =
  | { readonly kind: 'enrolled'; readonly outcome: ProvenSecondFactor; readonly codes: readonly string[] }
  | { readonly kind: 'wrong_code' }
  | { readonly kind: 'key_expired' }
  /** Another request has set up an app at the same time. */
  | { readonly kind: 'already_set_up' }
  /** The sign-in has expired, or no longer waits for an app. */
  | { readonly kind: 'gone' }

/** Stores the app and continues the sign-in, with the recovery codes for the page that shows them. */
export async function enrollApp(
  ports: Ports,
  { secret, code, ...input }: EnrollAppInput,
  context: RequestContext,
): Promise<EnrollAppOutcome> {
  const found = await findEnrollment(ports, input)
  if (found === null || !found.allowsApp || !isRecentlyProven(found.partial)) return { kind: 'gone' }
  if (secret === null) return { kind: 'key_expired' }
  const { partial } = found
  const { subject } = partial.proven
  const within = { kind: 'interrupted', digest: partial.row.digest } as const
  const setUp = await setUpApp(ports, { subject, secret, code, within }, context)
  if (setUp.kind !== 'set_up') return setUp
  const { app } = setUp
  const credential = { kind: 'totp', app: app.sealedSecret } as const
  const factor: Factor = { methods: ['otp'], at: ports.clock.now(), credential }
  const passed = { ...input, partial, app, factor, isToTrust: false }
  return { kind: 'enrolled', codes: setUp.codes, outcome: await passSecondFactor(ports, passed, context) }
}

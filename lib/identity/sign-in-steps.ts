/** The steps between a verified first factor and a session, in their order; the first that applies interrupts the sign-in. */
import { callPostAuthenticateHook } from '#lib/core/hooks/hooks.ts'
import { acceptedName, assuranceOf, hintsWithFields } from '#lib/core/sign-in/proven-sign-in.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { SignInStep } from '#lib/ports/sign-in-steps.ts'
import { plannedDeletionStep } from './account-deletion/keep-account.ts'
import { enrollStep } from './enrollment/enroll-step.ts'
import { newPasswordStep } from './new-password.ts'
import { passkeyStep } from './passkeys/passkey-step.ts'
import { secondFactorStep } from './second-factor/second-factor-step.ts'
import { termsStep } from './terms.ts'

/** The page that the user service requires. When the user returns, the service is asked again, by `completePartial`. */
const userServiceStep: SignInStep<Ports> = {
  name: 'user_service',
  reason: null,
  decide: async (_ports, { proven: { userService } }) =>
    userService.kind === 'accepted' ? { kind: 'passed' } : { kind: 'required', path: userService.path },
}

const postAuthenticateStep: SignInStep<Ports> = {
  name: 'post_authenticate',
  reason: 'post_authenticate_partial',
  decide: async (ports, { proven, hints, via }, context) => {
    // The session keeps the claims that the hook added when the user signed in
    if (proven.raises !== undefined) return { kind: 'passed' }
    const { subject, idp, provider, returnedFrom, fields } = proven
    const complete = {
      ...{ subject, idp, via, ...hintsWithFields(hints, fields), ...assuranceOf(proven) },
      name: acceptedName(proven) ?? '',
      providerClaims: provider?.claims ?? null,
      returnedFrom: returnedFrom.post_authenticate ?? null,
    }
    const verdict = await callPostAuthenticateHook(ports, complete, context)
    switch (verdict.kind) {
      case 'accepted':
        return { kind: 'passed', claims: verdict.claims }
      case 'partial':
        return { kind: 'required', path: verdict.path }
      case 'refused':
        return { ...verdict, reason: 'post_authenticate_refused' }
    }
  },
}

/**
 * The steps of every sign-in, with any user service. The second factor is the first one: without it, a sign-in must change
 * nothing, such as a temporary password, and must not reach the pages of extensions (MF-03).
 */
export const signInSteps: readonly SignInStep<Ports>[] = [
  passkeyStep,
  secondFactorStep,
  newPasswordStep,
  userServiceStep,
  plannedDeletionStep,
  termsStep,
  enrollStep,
  postAuthenticateStep,
]

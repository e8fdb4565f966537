/** The end of a sign-in with an identity provider, after its callback was redeemed. */
import type { PendingInteraction } from '#lib/core/authorize/pending.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RedeemedIdentity } from '#lib/ports/sign-in-steps.ts'
import type { SubjectId, TrustedBrowserHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { finishSignIn, type SignInContext } from './finish-sign-in.ts'
import { hintsOf, mayOfferAfter } from './interaction.ts'
import type { SignInOutcome } from './sign-in-outcome.ts'

/** The browser in which the user signed in at the provider, and the request of the sign-in. */
export type ExternalSignInPlace = Pick<SignInContext, 'pending' | 'browser' | 'previous'> & {
  readonly interaction: PendingInteraction | null
  readonly trustedBrowsers: readonly TrustedBrowserHandle[]
  /** The signed-in user who confirms the identity; `null`: another sign-in. */
  readonly confirms: SubjectId | null
}

/** Finds or creates the account of the identity, and continues with the steps of the sign-in. */
export async function finishExternalSignIn(
  ports: Ports,
  { identity, idToken, authenticatedAt, provenAt, credential }: RedeemedIdentity,
  { interaction, confirms, ...place }: ExternalSignInPlace,
  context: RequestContext,
): Promise<SignInOutcome> {
  const hints = hintsOf(interaction)
  const authentication = await ports.userService.authenticateExternal(identity, hints)
  const signIn = {
    ...place,
    idp: identity.scheme,
    remember: false,
    authenticatedAt,
    hints,
    mayOffer: mayOfferAfter(interaction),
    provider: { claims: identity.claims, idToken },
    credential,
    ...(provenAt === null ? {} : { provenAt }),
    ...(confirms === null ? {} : { confirms }),
  }
  return finishSignIn(ports, authentication, signIn, context)
}

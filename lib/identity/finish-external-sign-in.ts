/** The end of a sign-in with an identity provider, after its callback was redeemed. */
import type { PendingInteraction } from '#lib/core/authorize/pending.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RedeemedIdentity } from '#lib/ports/sign-in-steps.ts'
import type { ExternalKey } from '#lib/ports/users.ts'
import type { SubjectId, TrustedBrowserHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { finishSignIn, recordRefusal, type SignInContext } from './finish-sign-in.ts'
import { hintsOf, mayOfferAfter } from './interaction.ts'
import { isSameIdentity } from './links/identity-of.ts'
import { refused, type SignInOutcome } from './sign-in-outcome.ts'

/** The browser in which the user signed in at the provider, and the request of the sign-in. */
export type ExternalSignInPlace = Pick<SignInContext, 'pending' | 'browser' | 'previous'> & {
  readonly interaction: PendingInteraction | null
  readonly trustedBrowsers: readonly TrustedBrowserHandle[]
  /** The signed-in user who confirms the identity; `null`: another sign-in. */
  readonly confirms: SubjectId | null
}

/**
 * Finds or creates the account of the identity, and continues with the steps of the sign-in. A user who confirms with an identity
 * of no account creates none: the user could then no longer link it.
 */
export async function finishExternalSignIn(
  ports: Ports,
  { identity, idToken, authenticatedAt, provenAt, credential }: RedeemedIdentity,
  { interaction, confirms, ...place }: ExternalSignInPlace,
  context: RequestContext,
): Promise<SignInOutcome> {
  const hints = hintsOf(interaction)
  const signInContext = { ...place, idp: identity.scheme, remember: false, hints }
  if (confirms !== null && !(await mayBelongTo(ports, confirms, identity))) {
    recordRefusal(ports, { reason: 'another_account' }, signInContext, context)
    return refused('another_account')
  }
  const authentication = await ports.userService.authenticateExternal(identity, hints)
  const signIn = {
    ...signInContext,
    authenticatedAt,
    mayOffer: mayOfferAfter(interaction),
    provider: { claims: identity.claims, idToken },
    credential,
    ...(provenAt === null ? {} : { provenAt }),
    ...(confirms === null ? {} : { confirms }),
  }
  return finishSignIn(ports, authentication, signIn, context)
}

/** Whether the identity can belong to the user. A user service that does not list identities must decide this itself. */
async function mayBelongTo(
  { userService }: Ports,
  subject: SubjectId,
  identity: ExternalKey,
): Promise<boolean> {
  const links = (await userService.links?.list(subject)) ?? []
  return links.length === 0 || links.some(link => isSameIdentity(link, identity))
}

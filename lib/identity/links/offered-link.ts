/**
 * The first sign-in with an identity whose verified email address an account has: the identity is linked to it if the address
 * is enough, otherwise the user is offered to prove the account, or gets a new one.
 */
import { checkWithinLimits } from '#lib/core/limits/attempt-limits.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { OfferedLink } from '#lib/ports/sessions.ts'
import type { RedeemedIdentity } from '#lib/ports/sign-in-steps.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import type { SessionHandle, TrustedBrowserHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { verifiedEmailOf } from '#lib/protocol/text/user-names.ts'
import { offeredLinkPath } from '#lib/protocol/wire/local-paths.ts'
import { findProvider } from '../external-provider.ts'
import { type ExternalSignInPlace, finishExternalSignIn } from '../finish-external-sign-in.ts'
import { finishSignIn, interrupt, localSignIn, recordLimited, recordRefusal } from '../finish-sign-in.ts'
import { allowsLocal, allowsProvider, hintsOf, type ShownRequest, shownRequest } from '../interaction.ts'
import {
  expiredPartial,
  type FoundPartial,
  findPendingPartial,
  type PartialProof,
  signInContextOf,
} from '../partial-sign-in.ts'
import { hasRecoveryPage } from '../password-recovery/request-recovery.ts'
import { markKnownBrowser, passwordAttemptLimits } from '../sign-in-limits.ts'
import { type PartiallySignedIn, type ReturningSignInOutcome, refused } from '../sign-in-outcome.ts'
import { addLink } from './add-link.ts'
import { findEmailMatch } from './email-match.ts'
import { isIdentityOf } from './identity-of.ts'
import { namedIdentity } from './named-identity.ts'

const step = { name: 'offered_link', reason: null } as const

type FirstSignIn = {
  readonly provider: IdentityProvider
  readonly redeemed: RedeemedIdentity
  readonly place: ExternalSignInPlace
}

/**
 * Links the identity if its address is enough. Otherwise returns the page with the offer; `null`: the sign-in continues. Only
 * a user whose address the provider has verified learns that an account has it.
 */
export async function linkByEmail(
  ports: Ports,
  { provider, redeemed, place }: FirstSignIn,
  context: RequestContext,
): Promise<PartiallySignedIn | null> {
  const { identity } = redeemed
  const { interaction, browser, pending, previous } = place
  const match = await findEmailMatch(ports, { provider, identity, interaction })
  if (match === null) return null
  const { subject, username } = match.account
  if (match.kind === 'linked') {
    const proof = { address: verifiedEmailOf(identity.claims) ?? '' }
    await addLink(ports, { subject, identity: namedIdentity(identity), proof }, context)
    return null
  }
  const offer = { redeemed, account: { subject, username } }
  const signIn = {
    idp: provider.scheme,
    remember: false,
    hints: hintsOf(interaction),
    browser,
    pending,
    previous,
  }
  return interrupt(ports, { proven: null, step, path: offeredLinkPath, offer }, signIn, context)
}

type FoundOffer = {
  readonly partial: FoundPartial
  readonly offer: OfferedLink
  readonly provider: IdentityProvider
}

/** Returns the offer that waits in this browser; `null` if there is none, or the provider may no longer be used. */
async function findOffer(ports: Ports, proof: PartialProof): Promise<FoundOffer | null> {
  const partial = await findPendingPartial(ports, proof)
  const offer = partial?.details.offer
  if (partial === null || offer === undefined) return null
  const provider = await findProvider(ports, partial.row.idp)
  if (provider === null || !isIdentityOf(provider, offer.redeemed.identity)) return null
  if (!allowsProvider(partial.interaction, provider)) return null
  return { partial, offer, provider }
}

export type OfferedLinkView = ShownRequest & {
  /** The display name of the provider. */
  readonly provider: string
  /** The verified address at the provider. */
  readonly email: string
  /** Whether there is a page for users who forgot their password. */
  readonly offersRecovery: boolean
}

/** Returns the content of the page; `null`: see `findOffer`. */
export async function offeredLinkView(ports: Ports, proof: PartialProof): Promise<OfferedLinkView | null> {
  const found = await findOffer(ports, proof)
  if (found === null) return null
  const { partial, offer, provider } = found
  return {
    provider: displayName(provider.displayName, provider.scheme),
    email: String(offer.redeemed.identity.claims.email ?? ''),
    offersRecovery: hasRecoveryPage(ports, partial.interaction),
    ...shownRequest(partial.interaction),
  }
}

type OfferedLinkInput = PartialProof & {
  readonly previous: readonly SessionHandle[]
  readonly trustedBrowsers: readonly TrustedBrowserHandle[]
}

/** Continues without a link: the identity gets a new account. Works once. */
export async function declineLink(
  ports: Ports,
  input: OfferedLinkInput,
  context: RequestContext,
): Promise<ReturningSignInOutcome> {
  const found = await findOffer(ports, input)
  if (found === null) return expiredPartial(ports, context)
  const { row, pending, browser, interaction } = found.partial
  if (!(await ports.partialSignIns.take(row.digest))) return expiredPartial(ports, context)
  const { previous, trustedBrowsers } = input
  const place = { pending, browser, interaction, previous, trustedBrowsers, confirms: null }
  return { ...(await finishExternalSignIn(ports, found.offer.redeemed, place, context)), pending }
}

type ProvingInput = OfferedLinkInput & { readonly password: string; readonly knownBrowser: string | null }

/**
 * Checks the password of the account, and continues with its other steps; when they are passed, the identity is linked. Wrong
 * passwords are limited like those of every sign-in, and leave the offer waiting.
 */
export async function proveOfferedAccount(
  ports: Ports,
  input: ProvingInput,
  context: RequestContext,
): Promise<ReturningSignInOutcome> {
  const found = await findOffer(ports, input)
  if (found === null) return expiredPartial(ports, context)
  const { partial, offer } = found
  const { pending, interaction } = partial
  const signIn = { ...signInContextOf(partial, input.previous), ...localSignIn }
  if (!allowsLocal(ports, interaction)) {
    recordRefusal(ports, { reason: 'local_login_disabled' }, signIn, context)
    return { ...refused('not_allowed'), pending }
  }
  const { username, subject } = offer.account
  const { knownBrowser, password } = input
  const account = await ports.userService.canonicalUsername(username)
  const { limits, caller } = await passwordAttemptLimits(ports, {
    account,
    knownBrowser,
    address: context.address,
  })
  const attempt = await checkWithinLimits(ports, limits, {
    check: () => ports.userService.authenticate({ username, password }, { ...signIn.hints, caller }),
    isFailure: ({ kind }) => kind === 'refused',
  })
  if (attempt.kind === 'limited')
    return { ...recordLimited(ports, attempt.retryAfterSeconds, signIn, context), pending }
  const { result } = attempt
  // The name may lead to another account since the offer
  if (result.kind === 'refused' || result.subject !== subject) {
    const cause = result.kind === 'refused' ? result.cause : undefined
    recordRefusal(ports, cause ?? { reason: 'user_service_refused' }, signIn, context)
    return { ...refused('credentials'), pending }
  }
  if (!(await ports.partialSignIns.take(partial.row.digest))) return expiredPartial(ports, context)
  const credential = { kind: 'password', hash: null } as const
  const links = namedIdentity(offer.redeemed.identity)
  const outcome = await finishSignIn(ports, result, { ...signIn, credential, links, account }, context)
  if (outcome.kind !== 'signed_in') return { ...outcome, pending }
  return { ...outcome, knownBrowser: await markKnownBrowser(ports, knownBrowser, { account }), pending }
}

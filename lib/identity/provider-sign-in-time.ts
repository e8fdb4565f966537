/** The time of a sign-in at an identity provider, and how recent it must be (MF-06). */
import { clockSkewSeconds, freshSignInSeconds } from '#lib/config/limits.ts'
import type { PendingInteraction } from '#lib/core/authorize/pending.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'

/** The request of a client, or the confirmation of the identity by a signed-in user. */
export type SignInCause = {
  readonly interaction: PendingInteraction | null
  readonly isConfirmation: boolean
}

/**
 * Returns the freshness to request from the provider. If a new sign-in is required, `max_age` is 0: with only
 * `prompt=login`, the provider need not report the time of the sign-in.
 */
export function requestedFreshness({ interaction, isConfirmation }: SignInCause) {
  const forceLogin = isConfirmation || forcesLogin(interaction)
  return { forceLogin, maxAgeSeconds: forceLogin ? 0 : (interaction?.request.maxAgeSeconds ?? null) }
}

/**
 * Returns the time for `auth_time`: the one that the provider reports, but not later than now; without a report, the
 * current time. If the age of the sign-in is limited (MF-06), a provider with the setting `auth_time` must report a time,
 * and a reported time must be recent enough, or that of a sign-in for this request, which counts as not earlier than the
 * request.
 * @throws OauthError `provider_failed`
 */
export function providerSignInTime(
  { reauthentication }: IdentityProvider,
  reported: Date | null,
  cause: SignInCause,
  now: Date,
): Date {
  const { interaction } = cause
  const { maxAgeSeconds } = requestedFreshness(cause)
  const at = reported !== null && reported < now ? reported : now
  if (maxAgeSeconds === null) return at
  if (reported === null && reauthentication === 'auth_time') throw new OauthError('auth_time_missing')
  if (interaction === null) {
    if (secondsBetween(at, now) < freshSignInSeconds) return at
    throw new OauthError('auth_time_too_old')
  }
  if (!forcesLogin(interaction) && secondsBetween(at, now) <= maxAgeSeconds) return at
  // A sign-in for this request counts as later than the request, whatever the provider's clock shows. Otherwise the
  // pending request would require another sign-in, in an endless loop
  const isForThis = secondsBetween(at, interaction.opened.createdAt) <= toleranceSeconds(interaction)
  if (!isForThis) throw new OauthError('auth_time_too_old')
  return at > interaction.opened.createdAt ? at : interaction.opened.createdAt
}

/** The time of a factor whose age is not known. */
const longAgo = new Date(0)

/**
 * Returns the time at which the user proved the identity at the provider, for MF-04. Without a report, the provider may have signed
 * the user in long ago, unless it was asked for a new sign-in. `null`: `providerSignInTime`.
 */
export function unreportedProofTime(reported: Date | null, cause: SignInCause): Date | null {
  return reported === null && !requestedFreshness(cause).forceLogin ? longAgo : null
}

function forcesLogin(interaction: PendingInteraction | null): boolean {
  if (interaction === null) return false
  return interaction.request.prompts.includes('login') || interaction.request.maxAgeSeconds === 0
}

/**
 * Returns how many seconds before the request a sign-in for it may be reported: the possible difference of the
 * provider's clock if the client requires a new sign-in, otherwise one, because `auth_time` has whole seconds.
 */
function toleranceSeconds(interaction: PendingInteraction): number {
  return forcesLogin(interaction) ? clockSkewSeconds : 1
}

function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000
}

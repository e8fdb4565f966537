/** When somebody who comes from a provider signed in, and whether that is recent enough for who asked. */
import { clockSkewSeconds } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Interaction } from './interaction.ts'

/** What the provider is asked for: `prompt=login` alone would leave open when the person signed in. */
export function freshnessWishes(interaction: Interaction | null) {
  const forceLogin = forcesLogin(interaction)
  return { forceLogin, maxAgeSeconds: forceLogin ? 0 : (interaction?.request.maxAgeSeconds ?? null) }
}

/**
 * The moment that counts as `auth_time` here: the provider's own word, never later than now. Where the app demanded a
 * sign-in of a certain age, a provider that says nothing, or too old a time, has not answered the question (MF-06):
 * throws `provider_failed`.
 */
export function providerSignInTime(said: Date | null, interaction: Interaction | null, now: Date): Date {
  const { maxAgeSeconds } = freshnessWishes(interaction)
  if (interaction === null || maxAgeSeconds === null) return earlier(said ?? now, now)
  if (said === null) throw new OauthError('auth_time_missing')
  const at = earlier(said, now)
  if (!forcesLogin(interaction) && secondsBetween(at, now) <= maxAgeSeconds) return at
  // What happened for this request counts as after its arrival, whatever the provider's clock makes of it: the
  // decision that waits would otherwise ask for ever.
  const isForThis = secondsBetween(at, interaction.createdAt) <= toleranceSeconds(interaction)
  if (!isForThis) throw new OauthError('auth_time_too_old')
  return later(at, interaction.createdAt)
}

function forcesLogin(interaction: Interaction | null): boolean {
  if (interaction === null) return false
  return interaction.request.prompts.includes('login') || interaction.request.maxAgeSeconds === 0
}

/** `auth_time` has whole seconds. Where any sign-in must be new, a clock may be wrong; an age is measured exactly. */
function toleranceSeconds(interaction: Interaction): number {
  return forcesLogin(interaction) ? clockSkewSeconds : 1
}

function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000
}

function earlier(left: Date, right: Date): Date {
  return left < right ? left : right
}

function later(left: Date, right: Date): Date {
  return left > right ? left : right
}

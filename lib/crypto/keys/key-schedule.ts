/** The schedule of the keys of one algorithm: when each is made, signs and ends. Pure: the key ring carries it out. */
import { clockSkewSeconds, signingKeys as limits } from '#lib/config/limits.ts'
import type { StoredSigningKey } from '#lib/ports/signing-keys.ts'
import { keyState } from '#lib/protocol/key-state.ts'
import { secondsAfter } from '#lib/protocol/time.ts'

export type Times = Pick<StoredSigningKey, 'kid' | 'generation' | 'activatesAt' | 'retiresAt' | 'expiresAt'>

/** Returns the key that signs: the active one of the newest generation; `null` if no key is active. */
export function signingKey<K extends { readonly stored: Times }>(keys: readonly K[], now: Date): K | null {
  const active = keys.filter(key => keyState(key.stored, now) === 'active')
  return newest(active, key => key.stored.generation)
}

/**
 * Returns the start of the next key, if it must be made now, and otherwise `null` (JW-10). It signs immediately if no
 * key signs; otherwise it is made before it signs, so that verifiers can learn of it.
 */
export function dueKey(keys: readonly Times[], now: Date): Date | null {
  const last = newest(keys, key => key.generation)
  const isSomeoneSigning = keys.some(key => keyState(key, now) === 'active')
  if (last === null || !isSomeoneSigning) return atOnce(now)
  // The key of a certificate signs until the certificate expires
  const turn = last.retiresAt ?? secondsAfter(last.activatesAt, limits.rotationSeconds)
  const soonest = secondsAfter(now, limits.propagationSeconds)
  if (soonest < turn) return null
  return last.retiresAt !== null && last.retiresAt > now ? last.retiresAt : soonest
}

/** The start of a successor that signs as soon as every verifier's cache has expired. */
export function promptKey(_keys: readonly Times[], now: Date): Date {
  return secondsAfter(now, limits.promptPropagationSeconds)
}

/**
 * Returns the start of the replacement of a key that is about to be removed; `null` if the key is not in `keys`, or no
 * longer signs.
 */
export function replacementKey(keys: readonly Times[], kid: string, now: Date): Date | null {
  const leaked = keys.find(key => key.kid === kid)
  const state = leaked === undefined ? 'expired' : keyState(leaked, now)
  if (leaked === undefined || state === 'expired' || state === 'retiring') return null
  return state === 'active' ? atOnce(now) : leaked.activatesAt
}

/**
 * Returns the new end of a key that has a successor: it is published until the last token that it signed has expired.
 * Returns `null` if the key has no successor, or already ends early enough.
 */
export function endsOf(key: Times, keys: readonly Times[]): Ends | null {
  const successors = keys.filter(other => other.generation > key.generation)
  const successor = newest(successors, other => -other.generation)
  if (successor === null || (key.retiresAt !== null && key.retiresAt <= successor.activatesAt)) return null
  return endsAt(successor.activatesAt)
}

export type Ends = { readonly retiresAt: Date; readonly expiresAt: Date }

export function endsAt(retiresAt: Date): Ends {
  return { retiresAt, expiresAt: secondsAfter(retiresAt, limits.retentionSeconds) }
}

/** The current time, slightly reduced, so that a node with a slow clock also sees the key as active. */
export function atOnce(now: Date): Date {
  return secondsAfter(now, -clockSkewSeconds)
}

function newest<K>(keys: readonly K[], rank: (key: K) => number): K | null {
  return keys.reduce<K | null>((best, key) => (best === null || rank(key) > rank(best) ? key : best), null)
}

/** The number of the next key. */
export function nextGeneration(keys: readonly Times[]): number {
  return 1 + Math.max(0, ...keys.map(key => key.generation))
}

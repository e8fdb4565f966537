/** When the keys of one algorithm come, sign and go. Pure: the ring carries the plan out. */
import { clockSkewSeconds, signingKeys as limits } from '#lib/config/limits.ts'
import type { StoredSigningKey } from '#lib/ports/signing-keys.ts'
import { keyState } from '#lib/protocol/key-state.ts'
import { secondsAfter } from '#lib/protocol/time.ts'

type Times = Pick<StoredSigningKey, 'kid' | 'generation' | 'activatesAt' | 'retiresAt' | 'expiresAt'>

export type PlannedKey = Pick<StoredSigningKey, 'generation' | 'activatesAt'>

/** The one that signs: the newest generation whose time has come; `null` only before the first start has made one. */
export function signingKey<K extends { readonly stored: Times }>(keys: readonly K[], now: Date): K | null {
  const active = keys.filter(key => keyState(key.stored, now) === 'active')
  return newest(active, key => key.stored.generation)
}

/** The key that the schedule asks for now, if any (JW-10): the first immediately, each next one long before it signs. */
export function dueKey(keys: readonly Times[], now: Date): PlannedKey | null {
  const last = newest(keys, key => key.generation)
  const isSomeoneSigning = keys.some(key => keyState(key, now) === 'active')
  if (last === null || !isSomeoneSigning)
    return { generation: nextGeneration(keys), activatesAt: atOnce(now) }
  const turn = secondsAfter(last.activatesAt, limits.rotationSeconds)
  if (now < secondsAfter(turn, -limits.propagationSeconds)) return null
  return {
    generation: nextGeneration(keys),
    activatesAt: latest(turn, secondsAfter(now, limits.propagationSeconds)),
  }
}

/** A successor that signs as soon as every verifier's cache has run out. */
export function promptKey(keys: readonly Times[], now: Date): PlannedKey | null {
  return { generation: nextGeneration(keys), activatesAt: secondsAfter(now, limits.promptPropagationSeconds) }
}

/** The replacement of a key that is about to be removed; `null` when it is not of these, or no longer signs. */
export function replacementKey(keys: readonly Times[], kid: string, now: Date): PlannedKey | null {
  const leaked = keys.find(key => key.kid === kid)
  const state = leaked === undefined ? 'expired' : keyState(leaked, now)
  if (leaked === undefined || state === 'expired' || state === 'retiring') return null
  return {
    generation: nextGeneration(keys),
    activatesAt: state === 'active' ? atOnce(now) : leaked.activatesAt,
  }
}

/** The end of a key whose successor is known: published until the last token it signed has ended. */
export function endsOf(key: Times, keys: readonly Times[]): { retiresAt: Date; expiresAt: Date } | null {
  const successors = keys.filter(other => other.generation > key.generation)
  const successor = newest(successors, other => -other.generation)
  if (successor === null || key.retiresAt !== null) return null
  return {
    retiresAt: successor.activatesAt,
    expiresAt: secondsAfter(successor.activatesAt, limits.retentionSeconds),
  }
}

function nextGeneration(keys: readonly Times[]): number {
  return 1 + Math.max(0, ...keys.map(key => key.generation))
}

/** A little back, so that a node whose clock is behind sees the key as active too. */
function atOnce(now: Date): Date {
  return secondsAfter(now, -clockSkewSeconds)
}

function newest<K>(keys: readonly K[], rank: (key: K) => number): K | null {
  return keys.reduce<K | null>((best, key) => (best === null || rank(key) > rank(best) ? key : best), null)
}

function latest(left: Date, right: Date): Date {
  return left > right ? left : right
}

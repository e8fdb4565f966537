/** Describes signing keys for admins: the public half, its times, the next rotation, and the consequences of a revocation. */

import { z } from 'zod'
import { signingKeys as limits } from '#lib/config/limits.ts'
import type { Usage } from '#lib/ports/admin-lists.ts'
import type { StoredSigningKey } from '#lib/ports/signing-keys.ts'
import { keyState } from '#lib/protocol/key-state.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { signingAlgorithms } from '#lib/protocol/vocabulary.ts'
import { countedText } from '../counted-text.ts'
import { viewOf } from '../view.ts'

export const keyViewSchema = z.object({
  kid: z.string(),
  algorithm: z.enum(signingAlgorithms),
  state: z.enum(['next', 'active', 'retiring', 'expired']),
  created_at: z.string(),
  signs_from: z.string(),
  /** The end of signing; `null` if the rotation is not planned yet. */
  signs_until: z.string().nullable(),
  published_until: z.string().nullable(),
  public_jwk: z.record(z.string(), z.json()),
})

export type KeyView = z.output<typeof keyViewSchema>

/** The stored key in the format of the API, with its state at this time. */
export function keyView(key: StoredSigningKey, now: Date): KeyView {
  return viewOf(keyViewSchema, key, {
    state: keyState(key, now),
    signs_from: key.activatesAt.toISOString(),
    signs_until: key.retiresAt?.toISOString() ?? null,
    published_until: key.expiresAt?.toISOString() ?? null,
    public_jwk: JSON.parse(JSON.stringify(key.publicJwk)),
  })
}

export const rotationSchema = z.object({
  algorithm: z.enum(signingAlgorithms),
  /** The time at which the next key begins to sign. */
  rotates_at: z.string(),
  days_to_rotation: z.number().int(),
  /** The time at which the next key is published; `null` if it is published already. */
  published_at: z.string().nullable(),
})

export type Rotation = z.output<typeof rotationSchema>

/** The next rotation of each algorithm whose newest key has not retired (JW-10). */
export function rotations(keys: readonly StoredSigningKey[], now: Date): readonly Rotation[] {
  return signingAlgorithms.flatMap(algorithm => {
    const own = keys.filter(key => key.algorithm === algorithm)
    const newest = own.toSorted((left, right) => right.generation - left.generation)[0]
    // If the newest key has retired, nothing needs its algorithm any longer: otherwise it would have a successor
    const hasNext = newest !== undefined && (newest.retiresAt === null || newest.retiresAt > now)
    return hasNext ? [{ algorithm, ...nextTurn(newest, now) }] : []
  })
}

function nextTurn(newest: StoredSigningKey, now: Date): Omit<Rotation, 'algorithm'> {
  const isNext = keyState(newest, now) === 'next'
  // A key with a certificate signs until the certificate expires
  const end = newest.retiresAt ?? secondsAfter(newest.activatesAt, limits.rotationSeconds)
  const turn = isNext ? newest.activatesAt : end
  const days = Math.ceil((turn.getTime() - now.getTime()) / 86_400_000)
  return {
    rotates_at: turn.toISOString(),
    days_to_rotation: Math.max(0, days),
    published_at: isNext ? null : secondsAfter(turn, -limits.propagationSeconds).toISOString(),
  }
}

/** The consequences of revoking a key now. `users` and `grants` are the counts of the whole server. */
export function revocationConsequence(
  { users, grants }: Pick<Usage, 'users' | 'grants'>,
  { state, algorithm }: KeyView,
): readonly string[] {
  if (state === 'next')
    return ['It has signed nothing yet, so nothing is affected.', `Another ${algorithm} key takes its place.`]
  const refused = `Every token that it signed is refused immediately. ${countedText(users, 'user is', 'users are')} signed in, with ${countedText(grants, 'live grant', 'live grants')}.`
  const recovery = 'Clients with a refresh token get new tokens; the others ask users to sign in again.'
  if (state !== 'active') return [refused, recovery]
  const minutes = Math.ceil(limits.promptPropagationSeconds / 120)
  const next = `A new ${algorithm} key signs from this moment; clients that cache the key set may refuse its tokens for up to ${minutes} minutes.`
  return [refused, recovery, next]
}

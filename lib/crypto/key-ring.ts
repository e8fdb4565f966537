/** The signing keys of the installation: made at first start, rotated by schedule, the same on every node. */
import type { Clock, Sealing } from '#lib/ports/environment.ts'
import type { Signer } from '#lib/ports/signer.ts'
import type { SigningKeys, StoredSigningKey } from '#lib/ports/signing-keys.ts'
import { type SigningAlgorithm, signingAlgorithms } from '#lib/protocol/vocabulary.ts'
import { createKeyCache } from './key-cache.ts'
import { dueKey, endsOf, type PlannedKey, promptKey, replacementKey } from './key-schedule.ts'
import { createSigner } from './signer.ts'
import { makeSigningKey } from './signing-key.ts'

export type KeyRing = {
  readonly signer: Signer
  /** Makes what the schedule asks for: the first keys at first start, each next one in time. Call it at start and daily. */
  readonly ensureKeys: () => Promise<readonly StoredSigningKey[]>
  /** Begins a rotation by hand: the new key signs as soon as every verifier can know it. */
  readonly rotate: (algorithm: SigningAlgorithm) => Promise<readonly StoredSigningKey[]>
  /** For a key that leaked: nothing it signed is valid any more, and another one takes its place. */
  readonly revoke: (kid: string) => Promise<readonly StoredSigningKey[]>
}

export type KeyRingParts = {
  readonly keys: SigningKeys
  readonly sealing: Sealing
  readonly clock: Clock
  readonly issuer: string
}

type Plan = (keys: readonly StoredSigningKey[], now: Date) => PlannedKey | null

/** Each change resolves to the keys that this node made; another node may have made them first. */
export function createKeyRing(parts: KeyRingParts): KeyRing {
  const cache = createKeyCache(parts)
  const carryOut = async (algorithms: readonly SigningAlgorithm[], plan: Plan) => {
    const made = await makePlanned(parts, algorithms, plan)
    await planEnds(parts.keys)
    cache.forget()
    return made
  }
  return {
    signer: createSigner(cache, parts),
    ensureKeys: () => carryOut(signingAlgorithms, dueKey),
    rotate: algorithm => carryOut([algorithm], promptKey),
    async revoke(kid) {
      // The replacement comes first, so that no moment is without a key.
      const made = await carryOut(signingAlgorithms, (keys, now) => replacementKey(keys, kid, now))
      await parts.keys.remove(kid)
      cache.forget()
      return made
    },
  }
}

async function makePlanned(
  { keys, sealing, clock }: KeyRingParts,
  algorithms: readonly SigningAlgorithm[],
  plan: Plan,
): Promise<readonly StoredSigningKey[]> {
  const now = clock.now()
  const stored = await keys.all()
  const made: StoredSigningKey[] = []
  for (const algorithm of algorithms) {
    const planned = plan(
      stored.filter(key => key.algorithm === algorithm),
      now,
    )
    if (planned === null) continue
    const key = await makeSigningKey({ ...planned, algorithm, createdAt: now }, sealing)
    if (await keys.create(key)) made.push(key)
  }
  return made
}

/** Also completes what a crash between the making of a key and the retiring of its predecessor left undone. */
async function planEnds(keys: SigningKeys): Promise<void> {
  const stored = await keys.all()
  for (const key of stored) {
    const ends = endsOf(
      key,
      stored.filter(other => other.algorithm === key.algorithm),
    )
    if (ends !== null) await keys.schedule(key.kid, ends)
  }
}

/** The stored keys, opened once and read again at need: a removal counts on every node within half a second. */
import { signingKeys as limits } from '#lib/config/limits.ts'
import type { Clock, Sealing } from '#lib/ports/environment.ts'
import type { SigningKeys, StoredSigningKey } from '#lib/ports/signing-keys.ts'
import { keyState } from '#lib/protocol/key-state.ts'
import type { KeySource } from '../signing/signer.ts'
import { signingKey } from './key-schedule.ts'
import { openSigningKey, type SigningKey } from './signing-key.ts'

type Parts = { readonly keys: SigningKeys; readonly sealing: Sealing; readonly clock: Clock }
type Snapshot = { readonly all: readonly SigningKey[]; readonly readAt: number }

const nothing: Snapshot = { all: [], readAt: Number.NEGATIVE_INFINITY }

/** `forget` makes the next call read the store. */
export function createKeyCache({ keys, sealing, clock }: Parts): KeySource & { readonly forget: () => void } {
  let snapshot = nothing
  let reading: Promise<Snapshot> | null = null
  const isPublished = (key: SigningKey) => keyState(key.stored, clock.now()) !== 'expired'

  async function read(before: Snapshot): Promise<Snapshot> {
    const readAt = clock.now().getTime()
    const stored = await keys.all()
    // Opened keys are kept: their private halves and headers are ready.
    return {
      all: stored.map(key => before.all.find(one => isUnchanged(one, key)) ?? openSigningKey(key, sealing)),
      readAt,
    }
  }

  async function refresh(): Promise<Snapshot> {
    const mine = read(snapshot)
    reading = mine
    try {
      const fresh = await mine
      if (reading === mine) snapshot = fresh
      return fresh
    } finally {
      if (reading === mine) reading = null
    }
  }

  function current(): Snapshot | Promise<Snapshot> {
    const age = clock.now().getTime() - snapshot.readAt
    return age >= 0 && age < limits.freshnessMs ? snapshot : (reading ?? refresh())
  }

  return {
    async active(algorithm) {
      const own = (await current()).all.filter(key => key.stored.algorithm === algorithm)
      const key = signingKey(own, clock.now())
      if (key === null) throw new Error(`There is no key to sign ${algorithm} with.`)
      return key
    },
    find: async kid => (await current()).all.find(key => key.stored.kid === kid && isPublished(key)) ?? null,
    published: async () => (await current()).all.filter(isPublished).map(key => key.stored.publicJwk),
    forget() {
      snapshot = { ...snapshot, readAt: nothing.readAt }
      reading = null
    },
  }
}

function isUnchanged({ stored }: SigningKey, key: StoredSigningKey): boolean {
  return (
    stored.kid === key.kid &&
    stored.sealedPrivateJwk === key.sealedPrivateJwk &&
    stored.retiresAt?.getTime() === key.retiresAt?.getTime() &&
    stored.expiresAt?.getTime() === key.expiresAt?.getTime()
  )
}

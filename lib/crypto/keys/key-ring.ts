/** The signing keys of the installation: made at first start, rotated by schedule, the same on every node. */
import type { Clock, Sealing } from '#lib/ports/environment.ts'
import type { KeyWrite, Signer, SigningKeys, StoredSigningKey } from '#lib/ports/signing-keys.ts'
import { type SigningAlgorithm, signingAlgorithms } from '#lib/protocol/vocabulary.ts'
import { createSigner } from '../signing/signer.ts'
import { createKeyCache } from './key-cache.ts'
import { dueKey, endsOf, type PlannedKey, promptKey, replacementKey } from './key-schedule.ts'
import { makeSigningKey } from './signing-key.ts'

export type KeyRing = {
  readonly signer: Signer
  /** Makes what the schedule asks for: the first keys at first start, each next one in time. Call it at start and daily. */
  readonly ensureKeys: () => Promise<readonly StoredSigningKey[]>
  /** Begins a rotation by hand: the new key signs as soon as every verifier can know it. The caller writes it. */
  readonly planRotation: (algorithm: SigningAlgorithm) => Promise<readonly KeyWrite[]>
  /** For a key that leaked: everything that it signed becomes invalid, and a new key replaces it. The caller stores the change. */
  readonly planRevocation: (kid: string) => Promise<readonly KeyWrite[]>
  /** Called after keys were written: the next signature reads them again. */
  readonly forget: () => void
}

export type KeyRingParts = {
  readonly keys: SigningKeys
  readonly sealing: Sealing
  readonly clock: Clock
  readonly issuer: string
}

type Plan = (keys: readonly StoredSigningKey[], now: Date) => PlannedKey | null

export function createKeyRing(parts: KeyRingParts): KeyRing {
  const cache = createKeyCache(parts)
  return {
    signer: createSigner(cache, parts),
    async ensureKeys() {
      const made = await makeDue(parts)
      await planEnds(parts.keys)
      cache.forget()
      return made
    },
    async planRotation(algorithm) {
      const stored = await parts.keys.all()
      const made = await makePlanned(parts, { stored, algorithms: [algorithm], plan: promptKey })
      return [...made.map(creation), ...endings([...stored, ...made])]
    },
    async planRevocation(kid) {
      const stored = await parts.keys.all()
      const plan: Plan = (keys, now) => replacementKey(keys, kid, now)
      const made = await makePlanned(parts, { stored, algorithms: signingAlgorithms, plan })
      const left = [...stored.filter(key => key.kid !== kid), ...made]
      return [...made.map(creation), ...endings(left), { kind: 'remove_key', kid }]
    },
    forget: cache.forget,
  }
}

/** Resolves to the keys that this node made; another node may have made them first. */
async function makeDue(parts: KeyRingParts): Promise<readonly StoredSigningKey[]> {
  const stored = await parts.keys.all()
  const planned = await makePlanned(parts, { stored, algorithms: signingAlgorithms, plan: dueKey })
  const made: StoredSigningKey[] = []
  for (const key of planned) if (await parts.keys.create(key)) made.push(key)
  return made
}

type Wanted = {
  readonly stored: readonly StoredSigningKey[]
  readonly algorithms: readonly SigningAlgorithm[]
  readonly plan: Plan
}

async function makePlanned(
  { sealing, clock }: KeyRingParts,
  { stored, algorithms, plan }: Wanted,
): Promise<readonly StoredSigningKey[]> {
  const now = clock.now()
  const made: StoredSigningKey[] = []
  for (const algorithm of algorithms) {
    const planned = plan(
      stored.filter(key => key.algorithm === algorithm),
      now,
    )
    if (planned !== null) made.push(await makeSigningKey({ ...planned, algorithm, createdAt: now }, sealing))
  }
  return made
}

/** Also completes what a crash between the making of a key and the retiring of its predecessor left undone. */
async function planEnds(keys: SigningKeys): Promise<void> {
  for (const { kid, retiresAt, expiresAt } of endings(await keys.all()))
    await keys.schedule(kid, { retiresAt, expiresAt })
}

function creation(key: StoredSigningKey): KeyWrite {
  return { kind: 'create_key', key }
}

function endings(keys: readonly StoredSigningKey[]): readonly Extract<KeyWrite, { kind: 'schedule_key' }>[] {
  return keys.flatMap(key => {
    const ends = endsOf(
      key,
      keys.filter(other => other.algorithm === key.algorithm),
    )
    return ends === null ? [] : [{ kind: 'schedule_key', kid: key.kid, ...ends } as const]
  })
}

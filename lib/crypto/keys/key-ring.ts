/** The signing keys of the installation: made at first start, rotated by schedule, the same on every node. */

import { isDeepStrictEqual } from 'node:util'
import { signingKeys as limits } from '#lib/config/limits.ts'
import type { Clock, Sealing } from '#lib/ports/environment.ts'
import type { KeyWrite, Signer, SigningKeys, StoredSigningKey } from '#lib/ports/signing-keys.ts'
import { keyState } from '#lib/protocol/key-state.ts'
import type { SigningAlgorithm } from '#lib/protocol/vocabulary.ts'
import { createSigner, type KeySource } from '../signing/signer.ts'
import type { CertifiedKey } from './certificates.ts'
import {
  atOnce,
  dueKey,
  type Ends,
  endsAt,
  endsOf,
  nextGeneration,
  promptKey,
  replacementKey,
  signingKey,
} from './key-schedule.ts'
import { importSigningKey, makeSigningKey, openSigningKey, type SigningKey } from './signing-key.ts'

export type KeyRing = {
  readonly signer: Signer
  /**
   * Makes the keys that the registrations and the schedule require, each before it is needed, and retires keys that have a
   * successor or are no longer needed. Must be called at the start, hourly, and after a change of registrations.
   */
  readonly ensureKeys: () => Promise<readonly StoredSigningKey[]>
  /**
   * Stores the key of a certificate, if it is new. It signs with RS256: immediately if no other key does, otherwise
   * like the new key of a rotation by hand.
   */
  readonly importKey: (certified: CertifiedKey) => Promise<void>
  /**
   * Plans a rotation by hand: the new key signs as soon as every verifier can know it. The caller stores the planned
   * writes.
   */
  readonly planRotation: (algorithm: SigningAlgorithm) => Promise<readonly KeyWrite[]>
  /**
   * Plans the removal of a leaked key: everything that it signed becomes invalid. A new key replaces it, unless it no
   * longer signs or no registration needs its algorithm. The caller stores the planned writes.
   */
  readonly planRevocation: (kid: string) => Promise<readonly KeyWrite[]>
  /** Discards the cached keys, so that the next signature reads them again. Must be called after keys were written. */
  readonly forget: () => void
}

type KeyRingParts = {
  readonly keys: SigningKeys
  readonly sealing: Sealing
  readonly clock: Clock
  readonly issuer: string
  /** Whether a certificate is published for each RSA key. */
  readonly hasCertificates?: boolean
  /** The algorithms that the registrations need now. */
  readonly algorithmsInUse: () => Promise<ReadonlySet<SigningAlgorithm>>
  /** The number of processors for this process; those of the machine by default. */
  readonly processors?: number
}

/** The time when a new key should begin to sign, given all keys of its algorithm; `null` if no key is needed. */
type Plan = (keys: readonly StoredSigningKey[], now: Date) => Date | null

export function createKeyRing(parts: KeyRingParts): KeyRing {
  const cache = createKeyCache(parts)
  return {
    signer: createSigner(withFirstKeys(cache, parts), parts),
    async ensureKeys() {
      const inUse = await parts.algorithmsInUse()
      const made = await makeDue(parts, inUse)
      // Retires keys by all stored ones, not only by those made now: another process may have crashed after making a key
      // and before retiring its predecessor
      const stored = await parts.keys.all()
      for (const { kid, retiresAt, expiresAt } of [
        ...endings(stored),
        ...unusedEndings(stored, inUse, parts),
      ])
        await parts.keys.schedule(kid, { retiresAt, expiresAt })
      cache.forget()
      return made
    },
    async importKey(certified) {
      await importInto(parts, certified)
      cache.forget()
    },
    async planRotation(algorithm) {
      const stored = await parts.keys.all()
      const made = await makePlanned(parts, { stored, algorithms: [algorithm], plan: promptKey })
      return [...made.map(creation), ...endings([...stored, ...made])]
    },
    async planRevocation(kid) {
      const stored = await parts.keys.all()
      const plan: Plan = (keys, now) => replacementKey(keys, kid, now)
      const made = await makePlanned(parts, { stored, algorithms: await parts.algorithmsInUse(), plan })
      const left = [...stored.filter(key => key.kid !== kid), ...made]
      return [...made.map(creation), ...endings(left), { kind: 'remove_key', kid }]
    },
    forget: cache.forget,
  }
}

/** Resolves to the keys that this node made; another node may have made them first. */
async function makeDue(
  parts: KeyRingParts,
  algorithms: Iterable<SigningAlgorithm>,
): Promise<readonly StoredSigningKey[]> {
  const stored = await parts.keys.all()
  const planned = await makePlanned(parts, { stored, algorithms, plan: dueKey })
  const made: StoredSigningKey[] = []
  for (const key of planned) if (await parts.keys.create(key)) made.push(key)
  return made
}

type Wanted = {
  readonly stored: readonly StoredSigningKey[]
  readonly algorithms: Iterable<SigningAlgorithm>
  readonly plan: Plan
}

async function makePlanned(
  { sealing, clock }: KeyRingParts,
  { stored, algorithms, plan }: Wanted,
): Promise<readonly StoredSigningKey[]> {
  const now = clock.now()
  const made: StoredSigningKey[] = []
  for (const algorithm of algorithms) {
    const keys = stored.filter(key => key.algorithm === algorithm)
    const activatesAt = plan(keys, now)
    const generation = nextGeneration(keys)
    if (activatesAt !== null)
      made.push(await makeSigningKey({ generation, activatesAt, algorithm, createdAt: now }, sealing))
  }
  return made
}

/**
 * Stores the key of a certificate. Starts again if another node has made a key of the same generation; the key itself is
 * stored once.
 */
async function importInto(parts: KeyRingParts, certified: CertifiedKey): Promise<void> {
  const all = await parts.keys.all()
  const stored = all.filter(key => key.algorithm === 'RS256')
  const now = parts.clock.now()
  const isSigning = stored.some(key => keyState(key, now) === 'active')
  const activatesAt = isSigning ? promptKey(stored, now) : atOnce(now)
  const wanted = { generation: nextGeneration(stored), activatesAt, createdAt: now }
  const key = importSigningKey(wanted, certified, parts.sealing)
  if (all.some(({ kid }) => kid === key.kid) || (await parts.keys.create(key))) return
  await importInto(parts, certified)
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

/**
 * Ends keys that sign although no registration needs them. Their tokens are verified until they expire, as after a rotation.
 */
function unusedEndings(
  keys: readonly StoredSigningKey[],
  inUse: ReadonlySet<SigningAlgorithm>,
  { clock }: KeyRingParts,
): readonly (Pick<StoredSigningKey, 'kid'> & Ends)[] {
  const now = clock.now()
  return keys
    .filter(key => !inUse.has(key.algorithm) && key.retiresAt === null && keyState(key, now) === 'active')
    .map(({ kid }) => ({ kid, ...endsAt(now) }))
}

/**
 * Makes the first key of an algorithm when a token needs it before `ensureKeys` has made it, for example after a change by
 * another node. Nodes that do this at the same time agree on one key: the store keeps one of a generation.
 */
function withFirstKeys(cache: KeyCache, parts: KeyRingParts): KeySource {
  const making = new Map<SigningAlgorithm, Promise<unknown>>()

  function make(algorithm: SigningAlgorithm): Promise<unknown> {
    const begun = making.get(algorithm)
    if (begun !== undefined) return begun
    const made = makeDue(parts, [algorithm]).finally(() => making.delete(algorithm))
    making.set(algorithm, made)
    return made
  }

  return {
    ...cache,
    async active(algorithm) {
      const key = await cache.active(algorithm)
      if (key !== null) return key
      await make(algorithm)
      cache.forget()
      const first = await cache.active(algorithm)
      if (first === null) throw new Error(`There is no key to sign ${algorithm} with.`)
      return first
    },
  }
}

/** The stored keys, opened once and read again when needed: a removal takes effect on every node within half a second. */
type Snapshot = { readonly all: readonly SigningKey[]; readonly readAt: number }

const nothing: Snapshot = { all: [], readAt: Number.NEGATIVE_INFINITY }

type KeyCache = Omit<KeySource, 'active'> & {
  /** Returns the key that signs; `null`: no key of the algorithm signs now. */
  readonly active: (algorithm: SigningAlgorithm) => Promise<SigningKey | null>
  /** Discards the snapshot: the next call reads the store. */
  readonly forget: () => void
}

function createKeyCache({ keys, sealing, clock, issuer, hasCertificates = false }: KeyRingParts): KeyCache {
  let snapshot = nothing
  let reading: Promise<Snapshot> | null = null
  const isPublished = (key: SigningKey) => keyState(key.stored, clock.now()) !== 'expired'

  async function read(before: Snapshot): Promise<Snapshot> {
    const readAt = clock.now().getTime()
    const stored = await keys.all()
    // Opened keys are reused: their private keys and headers are ready
    return {
      all: stored.map(
        key => before.all.find(one => isDeepStrictEqual(one.stored, key)) ?? openSigningKey(key, sealing),
      ),
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
      return key === null || !hasCertificates
        ? key
        : { ...key, headers: (await key.certified(issuer)).headers }
    },
    async findByHeader(header, kind) {
      const { all } = await current()
      const found = all.find(key => key.headers[kind] === header && isPublished(key))
      if (found !== undefined || kind !== 'identityserver3') return found ?? null
      // Covers servers without `hasCertificates`: another node, or this one before its restart, may have published
      // certificates and signed with this header
      for (const key of all.filter(isPublished))
        if ((await key.certified(issuer)).headers[kind] === header) return key
      return null
    },
    published: async () => {
      const keys = (await current()).all.filter(isPublished)
      return hasCertificates
        ? Promise.all(keys.map(async key => (await key.certified(issuer)).publicJwk))
        : keys.map(key => key.stored.publicJwk)
    },
    forget() {
      snapshot = { ...snapshot, readAt: nothing.readAt }
      reading = null
    },
  }
}

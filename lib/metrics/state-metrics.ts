/** Reads states from the database: the outbox, the signing keys, and the tasks that run by themselves. */
import { signingKeys } from '#lib/config/limits.ts'
import type { DatabaseStatus } from '#lib/ports/administration.ts'
import { deliveryKinds, type Outbox } from '#lib/ports/outbox.ts'
import type { SigningKeys, StoredSigningKey } from '#lib/ports/signing-keys.ts'
import { keyState } from '#lib/protocol/key-state.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { signingAlgorithms } from '#lib/protocol/vocabulary.ts'
import type { Registry } from './registry.ts'

export type StatePorts = {
  readonly outbox: Pick<Outbox, 'countWaiting'>
  readonly signingKeys: Pick<SigningKeys, 'all'>
  readonly databaseStatus: Pick<DatabaseStatus, 'purgedAt'>
  /** Returns the last verification of the audit log; `null` before the first one. */
  readonly auditCheck: () => Promise<{ readonly at: Date; readonly found: { readonly kind: string } } | null>
}

const stateNames = [
  'latchkey.delivery.waiting',
  'latchkey.delivery.oldest_age',
  'latchkey.key.age',
  'latchkey.key.signs_until.timestamp',
  'latchkey.purge.last_success.timestamp',
  'latchkey.audit.last_verified.timestamp',
  'latchkey.audit.broken',
] as const

/**
 * Replaces the states of the installation by those in the database. Ages are those at this time. A state that does not exist, or
 * no longer, has no series.
 */
export async function readStates(registry: Registry, ports: StatePorts, now: Date): Promise<void> {
  const [keys, purgedAt, audit, deliveries] = await Promise.all([
    ports.signingKeys.all(),
    ports.databaseStatus.purgedAt(),
    ports.auditCheck(),
    Promise.all(deliveryKinds.map(async kind => ({ kind, ...(await ports.outbox.countWaiting(kind)) }))),
  ])
  for (const name of stateNames) registry.drop(name)
  const set = (slot: number, value: number) => registry.set(slot, value)
  for (const { kind, count, oldestAt } of deliveries) {
    set(registry.find('latchkey.delivery.waiting', [kind]), count)
    set(registry.find('latchkey.delivery.oldest_age', [kind]), oldestAt === null ? 0 : ageOf(oldestAt, now))
  }
  for (const { algorithm, activatesAt, retiresAt } of signingKeysOf(keys, now)) {
    const end = retiresAt ?? secondsAfter(activatesAt, signingKeys.rotationSeconds)
    set(registry.find('latchkey.key.age', [algorithm]), ageOf(activatesAt, now))
    set(registry.find('latchkey.key.signs_until.timestamp', [algorithm]), secondsOf(end))
  }
  if (purgedAt !== null) set(registry.find('latchkey.purge.last_success.timestamp'), secondsOf(purgedAt))
  if (audit === null) return
  set(registry.find('latchkey.audit.last_verified.timestamp'), secondsOf(audit.at))
  set(registry.find('latchkey.audit.broken'), audit.found.kind === 'intact' ? 0 : 1)
}

/** Returns the key that signs, for each algorithm that has one. */
function signingKeysOf(keys: readonly StoredSigningKey[], now: Date): readonly StoredSigningKey[] {
  const active = keys.filter(key => keyState(key, now) === 'active')
  return signingAlgorithms.flatMap(algorithm =>
    active
      .filter(key => key.algorithm === algorithm)
      .toSorted((left, right) => right.generation - left.generation)
      .slice(0, 1),
  )
}

function ageOf(time: Date, now: Date): number {
  return Math.max(0, secondsOf(now) - secondsOf(time))
}

function secondsOf(time: Date): number {
  return time.getTime() / 1000
}

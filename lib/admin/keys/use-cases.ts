/** The use cases for signing keys. */

import { z } from 'zod'
import { signingKeys as limits } from '#lib/config/limits.ts'
import type { AuditEntry } from '#lib/ports/admin-store.ts'
import type { KeyWrite, StoredSigningKey } from '#lib/ports/signing-keys.ts'
import { keyState } from '#lib/protocol/key-state.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { signingAlgorithms } from '#lib/protocol/vocabulary.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, invalid, notFound, ok } from '../admin-result.ts'
import { type AdminCall, commit, defineUseCase, type UseCase } from '../use-case.ts'
import { type KeyView, keyView, keyViewSchema, rotationSchema, rotations } from './key-view.ts'

export const listKeys = defineUseCase({
  name: 'keys.list',
  permission: 'keys:read',
  summary:
    'Lists the signing keys with their public halves, the newest first, and the next rotation of each algorithm.',
  input: z.object({}),
  output: z.object({ keys: z.array(keyViewSchema), rotations: z.array(rotationSchema) }),
  api: { method: 'GET', path: '/keys' },
  run: async (ports, _input, { now }) => {
    const stored = await ports.signingKeys.all()
    const keys = stored.toSorted((left, right) => right.generation - left.generation)
    return ok({ keys: keys.map(key => keyView(key, now)), rotations: [...rotations(keys, now)] })
  },
})

/** JW-10: publishes the next key immediately. It signs as soon as every verifier can have fetched it. */
export const rotateKey = defineUseCase({
  name: 'keys.rotate',
  permission: 'keys:rotate',
  summary:
    'Creates the next signing key of an algorithm. It signs as soon as every verifier can have fetched it.',
  done: 'The next key is published. It signs in a few minutes, once clients have fetched it.',
  isSensitive: true,
  input: z.object({ algorithm: z.enum(signingAlgorithms) }),
  output: keyViewSchema,
  api: { method: 'POST', path: '/keys/rotations', status: 201 },
  run: async (ports, { algorithm }, call): Promise<AdminResult<KeyView>> => {
    const stored = await ports.signingKeys.all()
    const pending = stored.find(key => key.algorithm === algorithm && isAboutToSign(key, call.now))
    if (pending !== undefined)
      return invalid(
        '',
        `The next key is already published: it signs from ${pending.activatesAt.toUTCString()}.`,
      )
    const writes = await ports.keyRotation.planRotation(algorithm)
    const made = writes.flatMap(write => (write.kind === 'create_key' ? [write.key] : []))
    const [key] = made
    if (key === undefined) throw new Error('A rotation must create a key.')
    return writeKeys(ports, { writes, stored, change: 'rotated' }, call, keyView(key, call.now))
  },
})

/** Whether a key will sign as soon as a new one could, so that no new one is needed. */
function isAboutToSign(key: StoredSigningKey, now: Date): boolean {
  return (
    keyState(key, now) === 'next' && key.activatesAt <= secondsAfter(now, limits.promptPropagationSeconds)
  )
}

/** KEY-03: removes the key immediately. Other nodes no longer use it after at most `limits.freshnessMs`. */
export const revokeKey = defineUseCase({
  name: 'keys.revoke',
  permission: 'keys:rotate',
  summary:
    'Removes a signing key that leaked: all tokens that it signed become invalid, and a new key replaces it.',
  done: 'Key removed. All tokens that it signed are invalid.',
  isSensitive: true,
  input: z.object({ kid: z.string().min(1).max(200) }),
  output: z.object({ kid: z.string() }),
  api: { method: 'DELETE', path: '/keys/{kid}' },
  run: async (ports, { kid }, call) => {
    const stored = await ports.signingKeys.all()
    if (!stored.some(key => key.kid === kid)) return notFound
    const writes = await ports.keyRotation.planRevocation(kid)
    return writeKeys(ports, { writes, stored, change: 'revoked' }, call, { kid })
  },
})

type KeyChange = {
  readonly writes: readonly KeyWrite[]
  /** The stored keys before the change. */
  readonly stored: readonly StoredSigningKey[]
  readonly change: 'rotated' | 'revoked'
}

/**
 * Writes the plan and its audit rows in one transaction. On success records the change as an event and returns `value`. The next
 * signature reads the keys again, also after a conflict.
 */
export async function writeKeys<T>(
  ports: AdminPorts,
  { writes, stored, change }: KeyChange,
  call: AdminCall,
  value: T,
): Promise<AdminResult<T>> {
  const audit = writes.flatMap(write => auditEntry(write, stored, call))
  const result = await commit(ports, { writes, audit }, { now: call.now, value })
  ports.keyRotation.forget()
  if (result.kind === 'ok') recordChange(ports, writes, change, call)
  return result
}

function auditEntry(
  write: KeyWrite,
  stored: readonly StoredSigningKey[],
  { entry, now }: AdminCall,
): readonly AuditEntry[] {
  if (write.kind === 'create_key')
    return [entry({ kind: 'key', id: write.key.kid, before: null, after: keyView(write.key, now) })]
  const key = stored.find(({ kid }) => kid === write.kid)
  if (key === undefined) return []
  const after = write.kind === 'remove_key' ? null : keyView({ ...key, ...endsOf(write) }, now)
  return [entry({ kind: 'key', id: key.kid, before: keyView(key, now), after })]
}

function endsOf({ retiresAt, expiresAt }: Extract<KeyWrite, { kind: 'schedule_key' }>) {
  return { retiresAt, expiresAt }
}

function recordChange(
  ports: AdminPorts,
  writes: readonly KeyWrite[],
  change: KeyChange['change'],
  { actor, context }: AdminCall,
): void {
  const made = writes.flatMap(write => (write.kind === 'create_key' ? [write.key] : []))
  const removed = writes.flatMap(write => (write.kind === 'remove_key' ? [write.kid] : []))
  const details = {
    change,
    made: made.map(({ kid }) => kid).join(' ') || null,
    removed: removed.join(' ') || null,
  }
  ports.events.record({ name: 'key_changed', outcome: 'success', subject: actor.subject, details }, context)
}

export const keyUseCases: readonly UseCase[] = [listKeys, rotateKey, revokeKey]

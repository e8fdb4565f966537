/** The one way an admin changes keys: the steps of the plan and their audit rows are one transaction. */
import type { AuditEntry } from '#lib/ports/admin-store.ts'
import type { KeyWrite, StoredSigningKey } from '#lib/ports/signing-keys.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { AdminResult } from '../admin-result.ts'
import { commit } from '../run-use-case.ts'
import type { AdminCall } from '../use-case.ts'
import { keyView } from './key-view.ts'

type KeyChange = {
  readonly writes: readonly KeyWrite[]
  /** The keys before it. */
  readonly stored: readonly StoredSigningKey[]
  readonly change: 'rotated' | 'revoked'
}

/** Returns `value` on success. The next signature reads the keys again in any case. */
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

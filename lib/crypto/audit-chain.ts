/**
 * The audit trail's chain: each row's keyed digest covers the row and the digest before it. Who can write the database
 * but has no master key cannot change, drop or reorder rows unnoticed (LG-04).
 */
import { createHmac } from 'node:crypto'
import type { AuditHash, AuditRow, AuditTrail } from '#lib/ports/admin-store.ts'
import { deriveKey } from './sealing.ts'

const batch = 500

export function createAuditHash(masterKey: Buffer): AuditHash {
  const key = deriveKey(masterKey, 'audit-chain')
  return (previous, row) =>
    createHmac('sha256', key)
      .update(JSON.stringify([previous, ...covered(row)]))
      .digest('base64url')
}

/** Every column, in a fixed order. */
function covered(row: Omit<AuditRow, 'hash'>): readonly unknown[] {
  return [
    row.seq,
    row.time.toISOString(),
    row.action,
    row.actor,
    row.actorRole,
    row.targetKind,
    row.targetId,
    row.before,
    row.after,
    row.referenceId,
    row.address,
  ]
}

export type AuditVerification =
  | { readonly kind: 'intact'; readonly rows: number }
  | { readonly kind: 'broken'; readonly seq: number; readonly problem: string }

/** Walks the whole chain and names the first row that is not what was written. */
export async function verifyAuditChain(
  audit: Pick<AuditTrail, 'read' | 'head'>,
  hash: AuditHash,
): Promise<AuditVerification> {
  const head = await audit.head()
  let last = { seq: 0, hash: '' }
  for (let rows = await audit.read(0, batch); rows.length > 0; rows = await audit.read(last.seq, batch)) {
    for (const row of rows) {
      const problem = problemOf(row, last, hash)
      if (problem !== null) return { kind: 'broken', ...problem }
      last = row
    }
  }
  if (last.seq !== (head?.seq ?? 0)) return missing(last.seq + 1)
  if (head !== null && head.hash !== last.hash)
    return { kind: 'broken', seq: last.seq, problem: 'the end of the chain names another row' }
  return { kind: 'intact', rows: last.seq }
}

function problemOf(
  row: AuditRow,
  last: { readonly seq: number; readonly hash: string },
  hash: AuditHash,
): { readonly seq: number; readonly problem: string } | null {
  if (row.seq !== last.seq + 1) return { seq: last.seq + 1, problem: 'the row is missing' }
  const isUntouched = hash(last.hash, row) === row.hash
  return isUntouched ? null : { seq: row.seq, problem: 'the row, or the one before it, was changed' }
}

function missing(seq: number): AuditVerification {
  return { kind: 'broken', seq, problem: 'the row is missing' }
}

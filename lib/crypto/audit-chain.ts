/**
 * The chain of the audit log: each row's keyed digest covers the row and the digest before it. An attacker who can
 * write the database but has no master key cannot change, drop or reorder rows unnoticed (LG-04). NOTE: such an attacker
 * can delete the newest rows and set the stored end of the chain back; only an end that was recorded elsewhere shows
 * that. The server's log contains these ends.
 */
import { createHmac } from 'node:crypto'
import type { AuditHash, AuditRow, AuditTrail, StoredAuditRow } from '#lib/ports/admin-store.ts'
import { deriveKey } from './keys/sealing.ts'

const batch = 500

/** `auditKey`: the data key for this purpose. */
export function createAuditHash(auditKey: Buffer): AuditHash {
  const key = deriveKey(auditKey, 'audit-chain')
  return (previous, row) =>
    createHmac('sha256', key)
      .update(JSON.stringify([previous, ...covered(row)]))
      .digest('base64url')
}

/** Returns a hash for a database that contains its own key. `use` must be called with the key before the hash is used. */
export function createLateAuditHash(): {
  readonly hash: AuditHash
  readonly use: (auditKey: Buffer) => void
} {
  let opened: AuditHash | null = null
  return {
    hash: (previous, row) => {
      if (opened === null) throw new Error('The key of the audit log is not open yet.')
      return opened(previous, row)
    },
    use: auditKey => {
      opened = createAuditHash(auditKey)
    },
  }
}

/** Returns every column that the hash covers, in a fixed order: all except the hash itself. */
function covered({ seq, time, action, ...row }: Omit<AuditRow, 'hash'>): readonly unknown[] {
  const { actor, actorRole, targetKind, targetId, before, after, requestId, address } = row
  const change = [actor, actorRole, targetKind, targetId, before, after]
  return [seq, time.toISOString(), action, ...change, requestId, address]
}

export type End = { readonly seq: number; readonly hash: string }

/** The number of characters of a digest that the operator notes down. */
export const notedCharacters = 16

const nothing: End = { seq: 0, hash: '' }

/**
 * The result. `hash`: the digest of the last row. `changed`: the row was edited or moved, or a newer release wrote it.
 * `missing`: there is no row with this number. `end`: the stored end of the chain does not match the last row. `noted`:
 * the row does not match the digest that was recorded.
 */
export type AuditVerification =
  | { readonly kind: 'intact'; readonly rows: number; readonly hash: string }
  | {
      readonly kind: 'broken'
      readonly seq: number
      readonly problem: 'changed' | 'missing' | 'end' | 'noted'
    }

/**
 * Verifies the whole chain, even while rows are added to it, and returns the first fault. `noted`: a former end of the
 * chain, which it must still contain.
 */
export async function verifyAuditChain(
  audit: Pick<AuditTrail, 'read' | 'head'>,
  hash: AuditHash,
  noted: End = nothing,
): Promise<AuditVerification> {
  let last = nothing
  for (let rows = await read(audit, last); rows.length > 0; rows = await read(audit, last)) {
    for (const stored of rows) {
      const next = follow(stored, last, hash)
      if ('problem' in next) return next
      if (next.seq === noted.seq && !next.hash.startsWith(noted.hash))
        return { kind: 'broken', seq: next.seq, problem: 'noted' }
      last = next
    }
  }
  return last.seq < noted.seq
    ? { kind: 'broken', seq: last.seq + 1, problem: 'missing' }
    : endedRight(audit, last)
}

function read(audit: Pick<AuditTrail, 'read'>, last: End): Promise<readonly StoredAuditRow[]> {
  return audit.read(last.seq, batch)
}

type Broken = Extract<AuditVerification, { kind: 'broken' }>

function follow({ seq, row }: StoredAuditRow, last: End, hash: AuditHash): AuditRow | Broken {
  const expected = last.seq + 1
  if (seq !== expected) return { kind: 'broken', seq: expected, problem: 'missing' }
  if (row === null || hash(last.hash, row) !== row.hash) return { kind: 'broken', seq, problem: 'changed' }
  return row
}

/**
 * Compares the stored end. If it is later than the last row that was read, rows were added since, and the next row must
 * exist.
 */
async function endedRight(audit: Pick<AuditTrail, 'read' | 'head'>, last: End): Promise<AuditVerification> {
  const head = (await audit.head()) ?? nothing
  const isBehind = head.seq < last.seq || (head.seq === last.seq && head.hash !== last.hash)
  if (isBehind) return { kind: 'broken', seq: last.seq, problem: 'end' }
  const seq = last.seq + 1
  const [next] = head.seq >= seq ? await audit.read(last.seq, 1) : []
  if (head.seq >= seq && next?.seq !== seq) return { kind: 'broken', seq, problem: 'missing' }
  return { kind: 'intact', rows: last.seq, hash: last.hash }
}

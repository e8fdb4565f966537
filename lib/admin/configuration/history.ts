/** Finds earlier versions of clients, scopes, providers and the policies, and those that were deleted, in the audit log. */
import { adminList } from '#lib/config/limits.ts'
import type { AuditRow } from '#lib/ports/admin-store.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { documentInAudit } from '../resource/secrets.ts'
import { compareVersions, type FieldDifference } from './compare-documents.ts'

export type HistoryKind = 'client' | 'scope' | 'provider' | 'policies'

export type HistoryEntry = {
  readonly row: AuditRow
  readonly differences: readonly FieldDifference[]
}

/** The latest changes of one resource, newest first. */
export async function readHistory(
  ports: Pick<AdminPorts, 'adminStore'>,
  target: { readonly kind: HistoryKind; readonly id: string },
): Promise<readonly HistoryEntry[]> {
  const filter = { targetKind: target.kind, targetId: target.id }
  const rows = await ports.adminStore.audit.list(filter, null, adminList.largestPage)
  return rows
    .filter(isChange)
    .map(row => ({ row, differences: compareVersions(row.targetKind, row.before, row.after) }))
}

/** Whether the row records a change. Others record an action without one, such as a client test. */
function isChange({ before, after }: AuditRow): boolean {
  return before !== null || after !== null
}

export type Version = Readonly<Record<string, JsonValue>>

/** The document after a change, or the deleted document, without the notes about secrets; `null` if the row has no document. */
export function versionIn({ before, after }: Pick<AuditRow, 'before' | 'after'>): Version | null {
  const document = documentInAudit(after ?? before)
  if (document === null) return null
  const { secret_changed: _, ...version } = document
  return version
}

/**
 * The version of this resource in the audit row of a change or deletion; `null` if the row is not about this resource, or has
 * no document.
 */
export async function findVersion(
  ports: Pick<AdminPorts, 'adminStore'>,
  { kind, id, seq }: { readonly kind: HistoryKind; readonly id: string; readonly seq: number },
): Promise<Version | null> {
  const row = await ports.adminStore.audit.find(seq)
  return row?.targetKind === kind && row.targetId === id ? versionIn(row) : null
}

/** The audit rows of the latest deletions, newest first: one for each object that does not exist again. */
export async function findDeleted(
  ports: Pick<AdminPorts, 'adminStore'>,
  kind: HistoryKind,
  exists: (id: string) => Promise<boolean>,
): Promise<readonly AuditRow[]> {
  const filter = { targetKind: kind, action: `${kind}s.delete` }
  const rows = await ports.adminStore.audit.list(filter, null, adminList.largestPage)
  const latest = [...Map.groupBy(rows, row => row.targetId).values()].flatMap(([newest]) => newest ?? [])
  const gone = await Promise.all(latest.map(async row => !(await exists(row.targetId))))
  return latest.filter((_row, index) => gone[index])
}

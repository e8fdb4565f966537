/** How a client or scope came to be what it is: its audit rows as versions, each of which can be brought back. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { AuditRow } from '#lib/ports/admin-store.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { jsonValueSchema } from '#lib/protocol/json-value.ts'
import { isRecord } from '#lib/protocol/metadata-fields.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { invalid } from '../admin-result.ts'
import { auditedSecrets, changeClient } from '../clients/change-client.ts'
import { clientViewSchema } from '../clients/client-document.ts'
import { defineUseCase } from '../use-case.ts'
import { compareDocuments, type FieldDifference } from './compare-documents.ts'

export type HistoryEntry = {
  readonly row: AuditRow
  readonly differences: readonly FieldDifference[]
}

/** Newest first. */
export async function historyOf(
  ports: Pick<AdminPorts, 'adminStore'>,
  target: { readonly kind: 'client' | 'scope'; readonly id: string },
): Promise<readonly HistoryEntry[]> {
  const filter = { targetKind: target.kind, targetId: target.id }
  const rows = await ports.adminStore.audit.list(filter, null, adminList.largestPage)
  return rows.filter(isChange).map(row => ({ row, differences: compareDocuments(row.before, row.after) }))
}

/** Others tell of something done with it, such as a test. */
function isChange({ before, after }: AuditRow): boolean {
  return before !== null || after !== null
}

export const restoreClient = defineUseCase({
  name: 'clients.restore',
  permission: 'configuration:restore',
  summary:
    'Gives a client the document back that it had after an earlier change. Its secrets stay as they are.',
  done: 'The earlier version stands again.',
  input: z.object({
    client_id: clientIdSchema,
    version: z.coerce.number().int(),
    seq: z.coerce.number().int().positive(),
  }),
  output: clientViewSchema,
  api: { method: 'POST', path: '/clients/{client_id}/restore' },
  run: async (ports, { client_id: clientId, version, seq }, deed) => {
    const row = await ports.adminStore.audit.find(seq)
    const isTheirs = row?.targetKind === 'client' && row.targetId === clientId
    if (!isTheirs || !isRecord(row.after)) return invalid('seq', 'This change left no version to bring back.')
    const { [auditedSecrets]: _, ...document } = z.record(z.string(), jsonValueSchema).parse(row.after)
    return changeClient(ports, { clientId, version, alter: () => document }, deed)
  },
})

/** Bringing back what a client was after an earlier change, also when it was deleted since. */
import { z } from 'zod'
import type { ClientId } from '#lib/protocol/ids.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, invalid, notFound, ok } from '../admin-result.ts'
import { findVersion, type Version } from '../configuration/history.ts'
import { commit, type Deed, defineUseCase } from '../use-case.ts'
import { changeClient } from './change-client.ts'
import { checkedDocument } from './checked-document.ts'
import { type ClientView, clientView, clientViewSchema } from './client-document.ts'
import { ownersOnly } from './owned-client.ts'

export const restoreClient = defineUseCase({
  name: 'clients.restore',
  permission: 'configuration:restore',
  summary:
    'Gives a client the document back that it had after an earlier change. Its secrets stay as they are; one that was deleted has none.',
  done: 'The earlier version stands again.',
  input: z.object({
    client_id: clientIdSchema,
    version: z.coerce.number().int().describe('0: it was deleted.'),
    seq: z.coerce.number().int().positive(),
  }),
  output: clientViewSchema,
  api: { method: 'POST', path: '/clients/{client_id}/restore' },
  run: async (ports, { client_id: clientId, version, seq }, deed) => {
    const document = await findVersion(ports, { kind: 'client', id: clientId, seq })
    if (document === null) return invalid('seq', 'This change left no version to bring back.')
    if (version === 0) return bringBack(ports, { clientId, document }, deed)
    return changeClient(ports, { clientId, version, alter: () => document }, deed)
  },
})

/** NOTE: without its secrets: they were deleted with it. What it held stays ended. */
async function bringBack(
  ports: AdminPorts,
  { clientId, document }: { readonly clientId: ClientId; readonly document: Version },
  deed: Deed,
): Promise<AdminResult<ClientView>> {
  const wanted = { ...document, client_id: clientId }
  const checked = await checkedDocument(ports, { wanted, before: {} }, deed)
  if (checked.kind !== 'ok') return checked
  const refusal = await ownersOnly(ports, { clientId, metadata: checked.value }, deed)
  if (refusal !== null) return refusal
  const record = { clientId, metadata: checked.value, secrets: [] }
  const change = {
    writes: [{ kind: 'configuration', changes: { put: { clients: [record] }, remove: {} } }],
    expected: [{ kind: 'client', id: clientId, version: 0 }],
    audit: [deed.entry({ kind: 'client', id: clientId, before: null, after: checked.value })],
  } as const
  const result = await commit(ports, change, { now: deed.now, value: null })
  if (result.kind !== 'ok') return result
  const stored = await ports.adminLists.client(clientId)
  return stored === null ? notFound : ok(clientView(stored))
}

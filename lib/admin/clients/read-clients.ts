/** Finding clients, and exporting the list. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { ClientFilter, ListedClient } from '#lib/ports/admin-lists.ts'
import { clientKindSchema } from '#lib/protocol/registration/client.ts'
import { ok } from '../admin-result.ts'
import { type Columns, defineExport } from '../csv.ts'
import { nextToken, orderSchema, pageFields, pageRequest, readPages } from '../paging.ts'
import { defineUseCase } from '../use-case.ts'
import { viewOf } from '../view.ts'

const listedClientSchema = z.object({
  client_id: z.string(),
  name: z.string(),
  kind: clientKindSchema,
  enabled: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  last_used_at: z.string().nullable(),
  secret_expires_at: z.string().nullable(),
})

const filterShape = {
  q: z.string().max(200).optional(),
  kind: clientKindSchema.optional(),
  enabled: z.enum(['true', 'false']).optional(),
  sort: orderSchema(['updated', 'last_used']),
}

export const clientFilterSchema = z.object({ ...filterShape, ...pageFields })

type Filter = Pick<z.output<typeof clientFilterSchema>, 'q' | 'kind' | 'enabled'>

/** The filter as the list has it. */
export function clientFilterOf({ q, kind, enabled }: Filter): ClientFilter {
  return {
    search: q ?? null,
    kind: kind ?? null,
    enabled: enabled === undefined ? null : enabled === 'true',
  }
}

export const listClients = defineUseCase({
  name: 'clients.list',
  permission: 'clients:read',
  summary: 'Lists clients by name, page by page.',
  input: clientFilterSchema,
  output: z.object({ items: z.array(listedClientSchema), next: z.string().nullable() }),
  api: { method: 'GET', path: '/clients' },
  run: async (ports, { after, limit, ...input }, { now }) => {
    const filter = clientFilterOf(input)
    const order = input.sort ?? null
    const listed = { list: 'clients', filter: { ...filter, order } }
    const request = pageRequest(ports, listed, after, limit)
    const page = await ports.adminLists.clients(filter, request, now, order)
    const items = page.items.map(item => viewOf(listedClientSchema, item, {}))
    return ok({ items, next: nextToken(ports, listed, page) })
  },
})

export const exportClients = defineExport({
  name: 'clients.export',
  permission: 'clients:read',
  summary: 'Exports the first clients of a filter as CSV, without secrets.',
  input: z.object(filterShape),
  audited: null,
  read: async ({ adminLists }, input, { now }) => {
    const filter = clientFilterOf(input)
    const rows = await readPages(
      page => adminLists.clients(filter, page, now, input.sort ?? null),
      adminList.exported,
    )
    return { noted: { filter }, rows, columns }
  },
})

const columns: Columns<ListedClient> = {
  client_id: ({ clientId }) => clientId,
  name: ({ name }) => name,
  kind: ({ kind }) => kind,
  status: ({ enabled }) => (enabled ? 'enabled' : 'disabled'),
  created: ({ createdAt }) => createdAt.toISOString(),
  changed: ({ updatedAt }) => updatedAt.toISOString(),
  last_used: ({ lastUsedAt }) => lastUsedAt?.toISOString() ?? null,
  secret_expires: ({ secretExpiresAt }) => secretExpiresAt?.toISOString() ?? null,
}

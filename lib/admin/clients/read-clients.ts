/** Finding clients, and reading one. */
import { z } from 'zod'
import { clientKindSchema } from '#lib/protocol/registration/client.ts'
import { ok } from '../admin-result.ts'
import { nextToken, pageFields, pageRequest } from '../paging.ts'
import { readUseCase } from '../resource/resource-use-cases.ts'
import { defineUseCase } from '../use-case.ts'
import { clients, clientView, clientViewSchema } from './client-resource.ts'

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

export const clientFilterSchema = z.object({
  q: z.string().max(200).optional(),
  kind: clientKindSchema.optional(),
  enabled: z.enum(['true', 'false']).optional(),
  ...pageFields,
})

export const listClients = defineUseCase({
  name: 'clients.list',
  permission: 'clients:read',
  summary: 'Lists clients by name, page by page.',
  done: '',
  input: clientFilterSchema,
  output: z.object({ items: z.array(listedClientSchema), next: z.string().nullable() }),
  api: { method: 'GET', path: '/clients' },
  run: async (ports, { q, kind, enabled, after, limit }, { now }) => {
    const filter = {
      search: q ?? null,
      kind: kind ?? null,
      enabled: enabled === undefined ? null : enabled === 'true',
    }
    const listed = { list: 'clients', filter }
    const page = await ports.adminLists.clients(filter, pageRequest(ports, listed, after, limit), now)
    const items = page.items.map(item => ({
      client_id: item.clientId,
      name: item.name,
      kind: item.kind,
      enabled: item.enabled,
      created_at: item.createdAt.toISOString(),
      updated_at: item.updatedAt.toISOString(),
      last_used_at: item.lastUsedAt?.toISOString() ?? null,
      secret_expires_at: item.secretExpiresAt?.toISOString() ?? null,
    }))
    return ok({ items, next: nextToken(ports, listed, page) })
  },
})

export const readClient = readUseCase(clients, {
  summary: 'Reads one client: its registration document, and the dates of its secrets.',
  output: clientViewSchema,
  answer: (_ports, stored) => clientView(stored),
})

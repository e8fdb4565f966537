/** Lists scopes, and reads one. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import { scopeFromMetadata, standardScope } from '#lib/protocol/registration/scope.ts'
import { scopeKinds } from '#lib/protocol/vocabulary.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { ok } from '../admin-result.ts'
import { readUseCase } from '../resource/resource.ts'
import { defineUseCase } from '../use-case.ts'
import { viewOf } from '../view.ts'
import { scopes, scopeView, scopeViewSchema } from './scope-resource.ts'

const listedScopeSchema = z.object({
  name: z.string(),
  kind: z.enum(scopeKinds),
  display_name: z.string().nullable(),
  enabled: z.boolean(),
  required: z.boolean(),
  emphasize: z.boolean(),
  is_standard: z.boolean(),
  claims: z.number(),
  languages: z.array(z.string()),
  secrets: z.number(),
  used_by: z.object({ count: z.number(), is_more: z.boolean() }),
  updated_at: z.string(),
})

export type ListedScope = z.infer<typeof listedScopeSchema>

export const listScopes = defineUseCase({
  name: 'scopes.list',
  permission: 'scopes:read',
  summary: 'Lists all scopes, in registration order.',
  input: z.object({}),
  output: z.object({ items: z.array(listedScopeSchema) }),
  api: { method: 'GET', path: '/scopes' },
  run: async ports => {
    const stored = await ports.adminLists.scopes()
    return ok({ items: await Promise.all(stored.map(scope => listed(ports, scope))) })
  },
})

export const readScope = readUseCase(scopes, {
  summary:
    'Reads one scope: its registration document, the dates of its secrets, and the first clients that may ask for it.',
  output: scopeViewSchema.extend({
    used_by: z.object({
      clients: z.array(z.object({ client_id: z.string(), name: z.string() })),
      is_more: z.boolean(),
    }),
  }),
  answer: async (ports, stored) => {
    const { clients, isMore } = await clientsUsing(ports, stored.name)
    const named = clients.map(client => ({ client_id: client.clientId, name: client.name }))
    return { ...scopeView(stored), used_by: { clients: named, is_more: isMore } }
  },
})

/** The first clients by name that may request the scope, and whether there are more. */
export async function clientsUsing({ adminLists }: Pick<AdminPorts, 'adminLists'>, name: ScopeName) {
  const found = await adminLists.clientsWith({ scope: name }, adminList.namedUsers + 1)
  return { clients: found.slice(0, adminList.namedUsers), isMore: found.length > adminList.namedUsers }
}

type Stored = Awaited<ReturnType<AdminLists['scopes']>>[number]

async function listed(ports: AdminPorts, stored: Stored): Promise<ListedScope> {
  const scope = scopeFromMetadata(stored.metadata)
  const { clients, isMore } = await clientsUsing(ports, scope.name)
  return viewOf(
    listedScopeSchema,
    { ...scope, updatedAt: stored.updatedAt },
    {
      is_standard: standardScope(scope.name) !== null,
      claims: scope.claims.length,
      languages: Object.keys(scope.localized),
      secrets: stored.secrets.length,
      used_by: { count: clients.length, is_more: isMore },
    },
  )
}

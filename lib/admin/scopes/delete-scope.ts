/** Deleting a scope takes it from the clients that may ask for it, all in one. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { AdminWrite, AuditEntry, Change, Expected } from '#lib/ports/admin-store.ts'
import type { ClientId, ScopeName } from '#lib/protocol/ids.ts'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import { scopeWords } from '#lib/protocol/scope.ts'
import { standardScope } from '#lib/protocol/standard-scopes.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { denied, invalid, notFound } from '../admin-result.ts'
import { documentOf } from '../clients/client-document.ts'
import { ownersOnly } from '../clients/owned-client.ts'
import { auditedDocument } from '../secrets/audited-document.ts'
import { commit, type Deed, defineUseCase } from '../use-case.ts'
import { clientsUsing } from './read-scopes.ts'
import { type StoredScope, scopeDocument } from './scope-document.ts'

export const deleteScope = defineUseCase({
  name: 'scopes.delete',
  permission: 'scopes:delete',
  summary: 'Deletes a scope and takes it from the clients that may ask for it. In use, it must be confirmed.',
  done: 'Scope deleted.',
  input: z.object({
    name: scopeNameSchema,
    version: z.coerce.number().int(),
    /** The name once more, when clients use it. */
    confirm: z.string().default(''),
  }),
  output: z.object({ name: z.string(), clients: z.array(z.string()) }),
  api: { method: 'DELETE', path: '/scopes/{name}' },
  run: async (ports, { name, version, confirm }, deed) => {
    const stored = await ports.adminLists.scope(name)
    if (stored === null) return notFound
    if (standardScope(name) !== null)
      return denied(`"${name}" is a standard scope: it can be disabled, not deleted.`)
    const { clients, isMore } = await clientsUsing(ports, name)
    if (isMore)
      return invalid('confirm', `More than ${adminList.namedUsers} clients use it. Disable it instead.`)
    if (clients.length > 0 && confirm !== name) return invalid('confirm', usedBy(clients))
    for (const { clientId } of clients) {
      const client = await ports.adminLists.client(clientId)
      const refusal = client === null ? null : await ownersOnly(ports, client, deed)
      if (refusal !== null) return refusal
    }
    const change = await deletion(ports, stored, { clients, version, deed })
    const ids = clients.map(({ clientId }) => clientId)
    return commit(ports, change, { now: deed.now, value: { name, clients: ids } })
  },
})

type Deletion = { readonly clients: Clients; readonly version: number; readonly deed: Deed }

async function deletion(
  ports: AdminPorts,
  stored: StoredScope,
  { clients, version, deed }: Deletion,
): Promise<Change> {
  const { name, secrets } = stored
  const taken = await Promise.all(
    clients.map(({ clientId }) => takenFrom(ports, clientId, { scope: name, deed })),
  )
  const parts = taken.filter(part => part !== null)
  const before = auditedDocument(scopeDocument(stored), secrets)
  const removal = { put: {}, remove: { scopes: [name] } }
  return {
    writes: [...parts.map(part => part.write), { kind: 'configuration', changes: removal }],
    expected: [...parts.map(part => part.expected), { kind: 'scope', id: name, version }],
    audit: [...parts.map(part => part.audit), deed.entry({ kind: 'scope', id: name, before, after: null })],
  }
}

type Clients = Awaited<ReturnType<typeof clientsUsing>>['clients']
type Part = { readonly write: AdminWrite; readonly expected: Expected; readonly audit: AuditEntry }

async function takenFrom(
  ports: AdminPorts,
  clientId: ClientId,
  { scope, deed }: { readonly scope: ScopeName; readonly deed: Deed },
): Promise<Part | null> {
  const stored = await ports.adminLists.client(clientId)
  if (stored === null) return null
  const before = documentOf(stored)
  const words = scopeWords(typeof before.scope === 'string' ? before.scope : '')
  const after = { ...before, scope: words.filter(word => word !== scope).join(' ') }
  const clients = [{ clientId, metadata: after, secrets: stored.secrets }]
  return {
    write: { kind: 'configuration', changes: { put: { clients }, remove: {} } },
    expected: { kind: 'client', id: clientId, version: stored.version },
    audit: deed.entry({ kind: 'client', id: clientId, before, after }),
  }
}

/** In the sentence; the page lists all of them. */
const clientsNamed = 5

function usedBy(clients: Clients): string {
  const rest = clients.length - clientsNamed
  const first = clients.slice(0, clientsNamed).map(({ name }) => name)
  const names = new Intl.ListFormat('en').format(rest > 0 ? [...first, `${rest} more`] : first)
  return `Used by ${names}. Type the scope's name to take it from them and delete it.`
}

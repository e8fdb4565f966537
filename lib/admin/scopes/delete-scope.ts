/** Deleting a scope also removes it from the clients that may ask for it, in one transaction. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import { standardScope } from '#lib/protocol/registration/scope.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import { denied, invalid, ok } from '../admin-result.ts'
import { documentOf, type StoredClient } from '../clients/client-document.ts'
import { clients } from '../clients/client-resource.ts'
import { ownersOnly } from '../clients/owned-client.ts'
import { type ChangePart, putPart } from '../resource/resource.ts'
import { deleteUseCase } from '../resource/resource-use-cases.ts'
import type { AdminCall } from '../use-case.ts'
import { clientsUsing } from './read-scopes.ts'
import { scopes } from './scope-resource.ts'

export const deleteScope = deleteUseCase(scopes, {
  summary:
    'Deletes a scope and removes it from the clients that may ask for it. In use, it must be confirmed.',
  done: 'Scope deleted.',
  output: z.object({ name: z.string(), clients: z.array(z.string()) }),
  isConfirmed: true,
  plan: async (ports, { stored: { name }, confirm }, call) => {
    if (standardScope(name) !== null)
      return denied(`"${name}" is a standard scope: it can be disabled, not deleted.`)
    const { clients: used, isMore } = await clientsUsing(ports, name)
    if (isMore)
      return invalid('confirm', `More than ${adminList.namedUsers} clients use it. Disable it instead.`)
    if (used.length > 0 && confirm !== name) return invalid('confirm', usedBy(used))
    const parts: ChangePart[] = []
    for (const { clientId } of used) {
      const stored = await ports.adminLists.client(clientId)
      if (stored === null) continue
      const refusal = await ownersOnly(ports, stored, call)
      if (refusal !== null) return refusal
      parts.push(withoutScope(stored, name, call))
    }
    return ok({ parts, value: { name, clients: used.map(({ clientId }) => clientId) } })
  },
})

function withoutScope(before: StoredClient, scope: ScopeName, call: AdminCall): ChangePart {
  const document = documentOf(before)
  const words = scopeWords(typeof document.scope === 'string' ? document.scope : '')
  const metadata = { ...document, scope: words.filter(word => word !== scope).join(' ') }
  return putPart(clients, { row: { ...before, metadata }, before, version: before.version }, call)
}

/** In the sentence; the page lists all of them. */
const clientsNamed = 5

type UsingClients = Awaited<ReturnType<typeof clientsUsing>>['clients']

function usedBy(clients: UsingClients): string {
  const rest = clients.length - clientsNamed
  const first = clients.slice(0, clientsNamed).map(({ name }) => name)
  const names = new Intl.ListFormat('en').format(rest > 0 ? [...first, `${rest} more`] : first)
  return `Used by ${names}. Type the scope's name to remove it from them and delete it.`
}

/**
 * Deleting an identity provider: users keep their accounts, are signed out and can no longer sign in this way; it is
 * removed from the lists of clients.
 */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { Counted } from '#lib/ports/admin-lists.ts'
import { capitalised } from '#lib/protocol/text/display-text.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, invalid, ok } from '../admin-result.ts'
import { countedText } from '../counted-text.ts'
import type { ChangePart } from '../resource/resource.ts'
import { deleteUseCase } from '../resource/resource-use-cases.ts'
import type { AdminCall } from '../use-case.ts'
import { partFor } from './provider-clients.ts'
import { providers } from './provider-resource.ts'
import type { StoredProvider } from './provider-view.ts'

export const deleteProvider = deleteUseCase(providers, {
  summary:
    'Deletes an identity provider and signs out the users who came from there. When users or clients rely on it, it must be confirmed.',
  done: 'Provider deleted. It can no longer be used to sign in.',
  isSensitive: true,
  output: z.object({ scheme: z.string() }),
  isConfirmed: true,
  plan: async (ports, { stored, confirm }, call) => {
    const { scheme } = stored
    const clients = await ports.adminLists.clientsWithProvider(scheme, adminList.namedUsers + 1)
    const users = await ports.adminLists.linkedPeople(scheme)
    if (clients.length > adminList.namedUsers)
      return invalid('confirm', `More than ${adminList.namedUsers} clients list it. Disable it instead.`)
    if (confirm !== scheme && clients.length + users.count > 0)
      return invalid('confirm', reliedOn(users, clients))
    const parts = await withoutProvider(ports, stored, clients, call)
    return parts.kind === 'ok' ? ok({ parts: parts.value, value: { scheme } }) : parts
  },
})

type Clients = Awaited<ReturnType<AdminPorts['adminLists']['clientsWithProvider']>>

/** A client whose list would be empty would allow every provider from then on: that is for an admin to decide. */
async function withoutProvider(
  ports: AdminPorts,
  { scheme }: StoredProvider,
  clients: Clients,
  call: AdminCall,
): Promise<AdminResult<readonly ChangePart[]>> {
  const wish = { scheme, schemes: [], isAllowed: false }
  const parts = await Promise.all(clients.map(({ clientId }) => partFor(ports, clientId, wish, call)))
  const stuck = parts.flatMap(part => (part.kind === 'only_one' ? [part.name] : []))
  if (stuck.length === 0) return ok(parts.flatMap(part => (part.kind === 'changed' ? [part.part] : [])))
  const why = 'without it their lists would be empty and allow every provider'
  return invalid('confirm', `${named(stuck)} may use only this provider: ${why}. Change them first.`)
}

function reliedOn(users: Counted, clients: Clients): string {
  const lost = users.count === 0 ? [] : [`${countedText(users, 'user', 'users')} signed in there`]
  const listed =
    clients.length === 0 ? [] : [`it is in the lists of ${named(clients.map(({ name }) => name))}`]
  const said = [...lost, ...listed].join(', and ')
  return `${capitalised(said)}. Type its scheme to delete it anyway.`
}

function named(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names)
}

/**
 * Deleting a provider: people keep their accounts, are signed out and lose this way in; clients that list it lose it from
 * their lists.
 */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { Counted } from '#lib/ports/admin-lists.ts'
import { capitalised } from '#lib/protocol/capitalised.ts'
import { providerSchemeSchema } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, invalid, notFound, ok } from '../admin-result.ts'
import { countedText } from '../counted-text.ts'
import { commit, type Deed, defineUseCase } from '../use-case.ts'
import { type Part, partFor } from './provider-clients.ts'
import { providerFacts, type StoredProvider, storedProvider } from './provider-view.ts'

export const deleteProvider = defineUseCase({
  name: 'providers.delete',
  permission: 'providers:delete',
  summary:
    'Deletes an identity provider and signs out whoever came from there. When people or clients rely on it, it must be confirmed.',
  done: 'Provider deleted. Nobody can sign in there any more.',
  isSensitive: true,
  input: z.object({
    scheme: providerSchemeSchema,
    version: z.coerce.number().int(),
    /** The scheme once more, when people or clients rely on it. */
    confirm: z.string().default(''),
  }),
  output: z.object({ scheme: z.string() }),
  api: { method: 'DELETE', path: '/providers/{scheme}' },
  run: async (ports, { scheme, version, confirm }, deed) => {
    const stored = await storedProvider(ports, scheme)
    if (stored === null) return notFound
    const clients = await ports.adminLists.clientsWithProvider(scheme, adminList.namedUsers + 1)
    const people = await ports.adminLists.linkedPeople(scheme)
    if (clients.length > adminList.namedUsers)
      return invalid('confirm', `More than ${adminList.namedUsers} clients list it. Disable it instead.`)
    if (confirm !== scheme && clients.length + people.count > 0)
      return invalid('confirm', reliedOn(people, clients))
    const parts = await withoutProvider(ports, stored, clients, deed)
    if (parts.kind !== 'ok') return parts
    const removal = { kind: 'configuration', changes: { put: {}, remove: { providers: [scheme] } } } as const
    const audit = deed.entry({ kind: 'provider', id: scheme, before: providerFacts(stored), after: null })
    const change = {
      writes: [...parts.value.map(part => part.write), removal],
      expected: [
        ...parts.value.map(part => part.expected),
        { kind: 'provider', id: scheme, version } as const,
      ],
      audit: [...parts.value.map(part => part.audit), audit],
    }
    return commit(ports, change, { now: deed.now, value: { scheme } })
  },
})

type Clients = Awaited<ReturnType<AdminPorts['adminLists']['clientsWithProvider']>>

/** A client whose list would be empty would allow every provider from then on: that is for an admin to decide. */
async function withoutProvider(
  ports: AdminPorts,
  { scheme }: StoredProvider,
  clients: Clients,
  deed: Deed,
): Promise<AdminResult<readonly Part[]>> {
  const wish = { scheme, schemes: [], isAllowed: false }
  const parts = await Promise.all(clients.map(({ clientId }) => partFor(ports, clientId, wish, deed)))
  const stuck = parts.flatMap(part => (part.kind === 'only_one' ? [part.name] : []))
  if (stuck.length === 0) return ok(parts.filter(part => part.kind === 'changed'))
  const why = 'without it their lists would be empty and allow every provider'
  return invalid('confirm', `${named(stuck)} may use this provider alone: ${why}. Change them first.`)
}

function reliedOn(people: Counted, clients: Clients): string {
  const lost = people.count === 0 ? [] : [`${countedText(people, 'person', 'people')} signed in there`]
  const listed =
    clients.length === 0 ? [] : [`it is in the lists of ${named(clients.map(({ name }) => name))}`]
  const said = [...lost, ...listed].join(', and ')
  return `${capitalised(said)}. Type its scheme to delete it all the same.`
}

function named(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names)
}

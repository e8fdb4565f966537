/** Reads and sets which clients may use an identity provider. Deletes providers, which removes them from the lists of clients. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { Counted, NamedClient } from '#lib/ports/admin-lists.ts'
import {
  type ClientId,
  clientIdSchema,
  type ProviderScheme,
  providerSchemeSchema,
} from '#lib/protocol/ids.ts'
import { clientMetadataSchema } from '#lib/protocol/registration/client.ts'
import { capitalized } from '#lib/protocol/text/display-text.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, invalid, notFound, ok } from '../admin-result.ts'
import { clients, storedDocument } from '../clients/client-resource.ts'
import { countedText } from '../counted-text.ts'
import { nextToken, pageFields, pageRequest } from '../paging.ts'
import { auditedWrite, type ChangePart, toChange } from '../resource/resource.ts'
import { deleteUseCase } from '../resource/resource-use-cases.ts'
import { type AdminCall, commit, defineUseCase, type FormFields } from '../use-case.ts'
import { providers, type StoredProvider, storedProvider } from './provider-resource.ts'

const clientIdsSchema = z.array(clientIdSchema).max(adminList.namedUsers)

export const findProviderClients = defineUseCase({
  name: 'providers.find_clients',
  permission: 'providers:read',
  summary: 'Finds clients by name and whether each of them allows this provider.',
  input: z.object({ scheme: providerSchemeSchema, q: z.string().max(200).optional(), ...pageFields }),
  output: z.object({
    items: z.array(
      z.object({
        client_id: z.string(),
        name: z.string(),
        is_allowed: z.boolean(),
        allows_all: z.boolean().describe('It has no list and allows every provider.'),
      }),
    ),
    is_more: z.boolean(),
    next: z.string().nullable(),
  }),
  api: { method: 'GET', path: '/providers/{scheme}/clients' },
  run: async (ports, { scheme, q, after, limit }, { now }) => {
    if ((await storedProvider(ports, scheme)) === null) return notFound
    const filter = { search: q ?? null, kind: null, enabled: null }
    const listed = { list: 'provider-clients', filter: { ...filter, scheme } }
    const page = await ports.adminLists.clients(filter, pageRequest(ports, listed, after, limit), now)
    const items = page.items.map(async ({ clientId, name }) => {
      const restrictions = (await readRestrictions(ports, clientId))?.restrictions ?? []
      const allowsAll = restrictions.length === 0
      const isAllowed = allowsAll || restrictions.includes(scheme)
      return { client_id: clientId, name, is_allowed: isAllowed, allows_all: allowsAll }
    })
    const next = nextToken(ports, listed, page)
    return ok({ items: await Promise.all(items), is_more: next !== null, next })
  },
})

export const setProviderClients = defineUseCase({
  name: 'providers.set_clients',
  permission: 'providers:update',
  summary: 'Sets for some clients whether they may use this provider. Others are not changed.',
  done: 'Clients saved.',
  isSensitive: true,
  input: z.object({
    scheme: providerSchemeSchema,
    shown: clientIdsSchema.describe('The clients to change.'),
    allowed: clientIdsSchema.describe('Those of them that may use the provider.'),
  }),
  output: z.object({ scheme: z.string(), changed: z.array(z.string()) }),
  fromForm: ({ scheme, shown = [], allowed = [] }: FormFields) => ({
    scheme: scheme?.at(-1),
    shown,
    allowed,
  }),
  api: { method: 'PUT', path: '/providers/{scheme}/clients' },
  run: async (ports, { scheme, shown, allowed }, call) => {
    const schemes = (await ports.adminLists.providers()).map(provider => provider.scheme)
    if (!schemes.includes(scheme)) return notFound
    const parts: ChangePart[] = []
    for (const [index, clientId] of shown.entries()) {
      const permission = { scheme, schemes, isAllowed: allowed.includes(clientId) }
      const part = await partFor(ports, clientId, permission, call)
      if (part.kind === 'only_one') return onlyOne(index, part.name)
      if (part.kind === 'changed') parts.push(part.part)
    }
    const changed = parts.map(({ audit }) => audit.targetId)
    if (parts.length === 0) return ok({ scheme, changed })
    return commit(ports, toChange(parts), { now: call.now, value: { scheme, changed } })
  },
})

function onlyOne(index: number, name: string): AdminResult<never> {
  const why = 'without this provider its list would be empty, and an empty list allows every provider'
  return invalid(`shown.${index}`, `"${name}" must keep it: ${why}. Add a different one first.`)
}

type Permission = {
  readonly scheme: ProviderScheme
  /** The schemes of all registered providers; may be empty if the client has a list. */
  readonly schemes: readonly ProviderScheme[]
  readonly isAllowed: boolean
}

type ClientChange =
  | { readonly kind: 'changed'; readonly part: ChangePart }
  | { readonly kind: 'same' }
  | { readonly kind: 'only_one'; readonly name: string }

/**
 * The write that allows or forbids the provider to this client. `same`: nothing changes, or there is no such client. `only_one`:
 * the list of the client would become empty.
 */
async function partFor(
  ports: AdminPorts,
  clientId: ClientId,
  permission: Permission,
  call: Pick<AdminCall, 'entry'>,
): Promise<ClientChange> {
  const read = await readRestrictions(ports, clientId)
  if (read === null) return { kind: 'same' }
  const { stored, document, restrictions, name } = read
  const changed = restrictionsAfter(restrictions, permission)
  if (changed === null) return { kind: 'same' }
  if (changed.length === 0) return { kind: 'only_one', name }
  const metadata = { ...document, identity_provider_restrictions: [...changed] }
  const row = { ...stored, metadata }
  const part = auditedWrite(clients, { row, before: stored, version: stored.version }, call)
  return { kind: 'changed', part }
}

/**
 * The client's new list of providers; `null` if nothing changes. A client without a list gets one of all other providers if it
 * must not use this one.
 */
function restrictionsAfter(
  restrictions: readonly string[],
  { scheme, schemes, isAllowed }: Permission,
): readonly string[] | null {
  const isNow = restrictions.length === 0 || restrictions.includes(scheme)
  if (isNow === isAllowed) return null
  if (isAllowed) return [...restrictions, scheme]
  return (restrictions.length === 0 ? schemes : restrictions).filter(other => other !== scheme)
}

async function readRestrictions({ adminLists }: AdminPorts, clientId: ClientId) {
  const stored = await adminLists.client(clientId)
  if (stored === null) return null
  const document = storedDocument(stored)
  const read = clientMetadataSchema.parse(document)
  return {
    stored,
    document,
    name: read.client_name ?? clientId,
    restrictions: read.identity_provider_restrictions,
  }
}

export const deleteProvider = deleteUseCase(providers, {
  summary:
    'Deletes an identity provider and signs out the users who came from there. When users or clients rely on it, it must be confirmed.',
  done: 'Provider deleted. It can no longer be used to sign in.',
  isSensitive: true,
  output: z.object({ scheme: z.string() }),
  isConfirmed: true,
  plan: async (ports, { stored, confirm }, call) => {
    const { scheme } = stored
    const clients = await ports.adminLists.clientsWith({ provider: scheme }, adminList.namedUsers + 1)
    const users = await ports.adminLists.linkedUsers(scheme)
    if (clients.length > adminList.namedUsers)
      return invalid('confirm', `More than ${adminList.namedUsers} clients list it. Disable it instead.`)
    if (confirm !== scheme && clients.length + users.count > 0)
      return invalid('confirm', reliedOn(users, clients))
    const parts = await withoutProvider(ports, stored, clients, call)
    return parts.kind === 'ok' ? ok({ parts: parts.value, value: { scheme } }) : parts
  },
})

/**
 * Removes the provider from the lists of clients. Refuses if a list would become empty, which would allow every provider: an
 * admin has to decide that.
 */
async function withoutProvider(
  ports: AdminPorts,
  { scheme }: StoredProvider,
  clients: readonly NamedClient[],
  call: AdminCall,
): Promise<AdminResult<readonly ChangePart[]>> {
  const permission = { scheme, schemes: [], isAllowed: false }
  const parts = await Promise.all(clients.map(({ clientId }) => partFor(ports, clientId, permission, call)))
  const stuck = parts.flatMap(part => (part.kind === 'only_one' ? [part.name] : []))
  if (stuck.length === 0) return ok(parts.flatMap(part => (part.kind === 'changed' ? [part.part] : [])))
  const why = 'without it their lists would be empty and allow every provider'
  return invalid('confirm', `${named(stuck)} may use only this provider: ${why}. Change them first.`)
}

function reliedOn(users: Counted, clients: readonly NamedClient[]): string {
  const lost = users.count === 0 ? [] : [`${countedText(users, 'user', 'users')} signed in there`]
  const listed =
    clients.length === 0 ? [] : [`it is in the lists of ${named(clients.map(({ name }) => name))}`]
  const reasons = [...lost, ...listed].join(', and ')
  return `${capitalized(reasons)}. Type its scheme to delete it anyway.`
}

function named(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names)
}

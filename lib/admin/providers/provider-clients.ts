/** Which clients may send their people to a provider: written into the clients' own lists. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import {
  type ClientId,
  clientIdSchema,
  type ProviderScheme,
  providerSchemeSchema,
} from '#lib/protocol/ids.ts'
import { clientMetadataSchema } from '#lib/protocol/registration/client.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, invalid, notFound, ok } from '../admin-result.ts'
import { documentOf } from '../clients/client-document.ts'
import { clients } from '../clients/client-resource.ts'
import { nextToken, pageFields, pageRequest } from '../paging.ts'
import { type ChangePart, changeOf, putPart } from '../resource/resource.ts'
import { commit } from '../run-use-case.ts'
import { type AdminCall, defineUseCase, type FormFields } from '../use-case.ts'
import { storedProvider } from './provider-view.ts'

const clientIdsSchema = z.array(clientIdSchema).max(adminList.namedUsers)

export const findProviderClients = defineUseCase({
  name: 'providers.find_clients',
  permission: 'providers:read',
  summary: 'Finds clients by name and says of each whether it allows this provider.',
  done: '',
  input: z.object({ scheme: providerSchemeSchema, q: z.string().max(200).optional(), ...pageFields }),
  output: z.object({
    items: z.array(
      z.object({
        client_id: z.string(),
        name: z.string(),
        is_allowed: z.boolean(),
        /** It has no list of its own and so allows every provider. */
        allows_all: z.boolean(),
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
  summary: 'Says of some clients whether they may use this provider. Others stay as they are.',
  done: 'Clients saved.',
  isSensitive: true,
  input: z.object({
    scheme: providerSchemeSchema,
    /** The clients that are spoken of. */
    shown: clientIdsSchema,
    /** Those of them that may. */
    allowed: clientIdsSchema,
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
      const wish = { scheme, schemes, isAllowed: allowed.includes(clientId) }
      const part = await partFor(ports, clientId, wish, call)
      if (part.kind === 'only_one') return onlyOne(index, part.name)
      if (part.kind === 'changed') parts.push(part.part)
    }
    const changed = parts.map(({ audit }) => audit.targetId)
    if (parts.length === 0) return ok({ scheme, changed })
    return commit(ports, changeOf(parts), { now: call.now, value: { scheme, changed } })
  },
})

function onlyOne(index: number, name: string): AdminResult<never> {
  const why = 'without this provider its list would be empty, and an empty list allows every provider'
  return invalid(`shown.${index}`, `"${name}" must keep it: ${why}. Add another provider to it first.`)
}

type Wish = {
  readonly scheme: ProviderScheme
  /** All that are registered. */
  readonly schemes: readonly ProviderScheme[]
  readonly isAllowed: boolean
}

type Considered =
  | { readonly kind: 'changed'; readonly part: ChangePart }
  | { readonly kind: 'same' }
  | { readonly kind: 'only_one'; readonly name: string }

/** What must be written so that this client allows the provider, or does not. */
export async function partFor(
  ports: AdminPorts,
  clientId: ClientId,
  wish: Wish,
  call: Pick<AdminCall, 'entry'>,
): Promise<Considered> {
  const read = await readRestrictions(ports, clientId)
  if (read === null) return { kind: 'same' }
  const { stored, document, restrictions, name } = read
  const wanted = restrictionsAfter(restrictions, wish)
  if (wanted === null) return { kind: 'same' }
  if (wanted.length === 0) return { kind: 'only_one', name }
  const metadata = { ...document, identity_provider_restrictions: [...wanted] }
  const row = { ...stored, metadata }
  const part = putPart(clients, { row, before: stored, version: stored.version }, call)
  return { kind: 'changed', part }
}

/** `null`: as it is. A client without a list gets one of all others when it must leave this one out. */
function restrictionsAfter(
  restrictions: readonly string[],
  { scheme, schemes, isAllowed }: Wish,
): readonly string[] | null {
  const isNow = restrictions.length === 0 || restrictions.includes(scheme)
  if (isNow === isAllowed) return null
  if (isAllowed) return [...restrictions, scheme]
  return (restrictions.length === 0 ? schemes : restrictions).filter(other => other !== scheme)
}

async function readRestrictions({ adminLists }: AdminPorts, clientId: ClientId) {
  const stored = await adminLists.client(clientId)
  if (stored === null) return null
  const document = documentOf(stored)
  const read = clientMetadataSchema.parse(document)
  return {
    stored,
    document,
    name: read.client_name ?? clientId,
    restrictions: read.identity_provider_restrictions,
  }
}

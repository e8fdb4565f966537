/** Gives a client a role, and the grant type and scope that it needs to use the API. */

import { z } from 'zod'
import { adminRoleSchema, adminScope } from '#lib/protocol/admin-role.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import {
  type Client,
  clientFromMetadata,
  clientMetadataSchema,
  isPublic,
} from '#lib/protocol/registration/client.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import { invalid } from '../admin-result.ts'
import { clients, type StoredClient, storedDocument } from '../clients/client-resource.ts'
import { auditedWrite } from '../resource/resource.ts'
import { commit, defineUseCase } from '../use-case.ts'

export const addClient = defineUseCase({
  name: 'administrators.add_client',
  permission: 'administrators:update',
  summary:
    'Gives a client a role, so that it can use this API with its own tokens. A machine client also gets the grant type client_credentials and the scope latchkey.admin if it lacks them; a client of the configuration file needs them there, or the next start removes them.',
  done: 'The client may use the API now, with the grant type client_credentials and the scope latchkey.admin.',
  isSensitive: true,
  input: z.object({ client_id: clientIdSchema, role: adminRoleSchema }),
  output: z.object({ subject: z.string(), role: adminRoleSchema.nullable() }),
  api: { method: 'POST', path: '/administrators/clients', status: 201 },
  run: async (ports, { client_id: clientId, role }, call) => {
    const subject = subjectIdSchema.safeParse(clientId)
    const stored = await ports.adminLists.client(clientId)
    if (!subject.success || stored === null) return invalid('client_id', 'There is no client with this id.')
    if ((await ports.administrators.find(subject.data)) !== null)
      return invalid('client_id', 'This client has a role already; change it in the list.')
    const access = apiAccess(stored, clientFromMetadata(stored.metadata), call.now)
    if (access.kind === 'impossible') return invalid('client_id', access.because)
    const isChanged = access.kind === 'lacking'
    const metadata = isChanged ? access.document : stored.metadata
    // The client is also written when nothing changes, so that its version is compared
    const client = auditedWrite(
      clients,
      { row: { ...stored, metadata }, before: stored, version: stored.version },
      call,
    )
    const change = {
      writes: [client.write, { kind: 'put_administrator', subject: subject.data, role }],
      roles: [{ subject: subject.data, role: null }],
      audit: [
        ...(isChanged ? [client.audit] : []),
        call.entry({ kind: 'administrator', id: clientId, before: null, after: { role } }),
      ],
    } as const
    return commit(ports, change, { now: call.now, value: { subject: clientId, role } })
  },
})

type Document = Readonly<Record<string, JsonValue>>

export type ApiAccess =
  | { readonly kind: 'ready' }
  /** The client can use the API once `document` is stored. */
  | { readonly kind: 'lacking'; readonly document: Document }
  /** `because` is a sentence that says what to change first. */
  | { readonly kind: 'impossible'; readonly because: string }

const ownGrant = 'client_credentials'

/** A client at which users sign in does not get the scope automatically: it could act as any administrator who signs in. */
function apiAccess(stored: StoredClient, client: Client, now: Date): ApiAccess {
  const because = obstacle(stored, client, now)
  if (because !== null) return { kind: 'impossible', because }
  if (hasScope(client) && client.grantTypes.includes(ownGrant)) return { kind: 'ready' }
  const document = storedDocument(stored)
  const read = clientMetadataSchema.parse(document)
  const scope = [...new Set([...scopeWords(read.scope), adminScope])].join(' ')
  const grantTypes = [...new Set([...read.grant_types, ownGrant])]
  return { kind: 'lacking', document: { ...document, scope, grant_types: grantTypes } }
}

function obstacle({ secrets }: StoredClient, client: Client, now: Date): string | null {
  if (!client.enabled) return 'This client is disabled: enable it first.'
  if (isPublic(client))
    return 'This client is public and has no secret, so its identity cannot be verified. Register a machine client for the API.'
  if (!secrets.some(({ expiresAt }) => expiresAt === null || expiresAt > now))
    return 'This client has no valid secret: create one first.'
  if (client.grantTypes.some(signsUsersIn) && !hasScope(client))
    return `Users sign in to this client: with the scope "${adminScope}" it could act as any administrator who signs in to it. Register a machine client for the API, or add the scope in its settings.`
  return null
}

function hasScope({ scopes }: Client): boolean {
  return scopes.some(scope => scope === adminScope)
}

/** Whether a grant type can begin access for a user, which `refresh_token` only continues. Grant types of extensions can. */
function signsUsersIn(grantType: string): boolean {
  return !['client_credentials', 'refresh_token'].includes(grantType)
}

/** How a client is found, checked, stored and shown to admins: its registration document, without secrets. */
import { z } from 'zod'
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import type { ClientRecord } from '#lib/ports/configuration-store.ts'
import { jsonValueSchema } from '#lib/protocol/claims.ts'
import { type ClientId, clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { clientFromMetadata, clientKindSchema } from '#lib/protocol/registration/client.ts'
import { mayTouchAccount, mayTouchScope } from '../access/permissions.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, denied, ok } from '../admin-result.ts'
import { prefixErrors } from '../field-errors.ts'
import type { Resource } from '../resource/resource.ts'
import { auditedDocument, secretDates, secretDatesSchema } from '../resource/secrets.ts'
import type { AdminCall } from '../use-case.ts'
import { checkClient } from './check-client.ts'

export const clientViewSchema = z.object({
  client_id: z.string(),
  kind: clientKindSchema,
  version: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  last_used_at: z.string().nullable(),
  metadata: z.record(z.string(), jsonValueSchema),
  secrets: z.array(secretDatesSchema),
})

export type ClientView = z.infer<typeof clientViewSchema>
export type StoredClient = NonNullable<Awaited<ReturnType<AdminLists['client']>>>

/** The stored client as the API answers it. */
export function clientView(stored: StoredClient): ClientView {
  return {
    client_id: stored.clientId,
    kind: stored.kind,
    version: stored.version,
    created_at: stored.createdAt.toISOString(),
    updated_at: stored.updatedAt.toISOString(),
    last_used_at: stored.lastUsedAt?.toISOString() ?? null,
    metadata: documentOf(stored),
    secrets: stored.secretDates.map(secretDates),
  }
}

/** The document as stored: fields that were never set are not in it. */
export function documentOf({ metadata }: Pick<ClientRecord, 'metadata'>): ClientView['metadata'] {
  return z.record(z.string(), jsonValueSchema).parse(metadata)
}

type ClientTypes = {
  readonly field: 'client_id'
  readonly id: ClientId
  readonly row: ClientRecord
  readonly extra: Pick<StoredClient, 'kind' | 'lastUsedAt' | 'secretDates'>
  readonly view: ClientView
}

export const clients: Resource<ClientTypes> = {
  kind: 'client',
  area: 'clients',
  idField: 'client_id',
  idSchema: clientIdSchema,
  readId: given => clientIdSchema.parse(given),
  idOf: ({ clientId }) => clientId,
  find: ({ adminLists }, clientId) => adminLists.client(clientId),
  view: (_ports, stored) => clientView(stored),
  viewSchema: clientViewSchema,
  audited: row => auditedDocument(documentOf(row), row.secrets),
  current: stored => ({ version: stored.version, metadata: documentOf(stored) }),
  refusal: ownersOnly,
  check: async (ports, { row, before }, call) => {
    const document = { ...documentOf(row), client_id: row.clientId }
    const stored = before === null ? {} : documentOf(before)
    const checked = await checkClient(ports, { document, before: stored }, call)
    if (checked.kind === 'invalid')
      return { kind: 'invalid', errors: prefixErrors('metadata', checked.errors) }
    return checked.kind === 'ok' ? ok({ ...row, metadata: checked.value }) : checked
  },
  put: ({ clientId, metadata, secrets }, expectedVersion) => ({
    kind: 'put',
    of: 'client',
    record: { clientId, metadata, secrets },
    expectedVersion,
  }),
  remove: (id, expectedVersion) => ({ kind: 'remove', of: 'client', id, expectedVersion }),
  withEnabled: (row, enabled) => ({ ...row, metadata: { ...documentOf(row), enabled } }),
}

/** `null` when this admin may change or delete the stored client. */
export async function ownersOnly(
  ports: Pick<AdminPorts, 'administrators'>,
  { clientId, metadata }: Pick<ClientRecord, 'clientId' | 'metadata'>,
  { actor }: Pick<AdminCall, 'actor'>,
): Promise<AdminResult<never> | null> {
  const subject = subjectIdSchema.safeParse(clientId)
  const administrator = subject.success ? await ports.administrators.find(subject.data) : null
  const isOpen =
    mayTouchAccount(actor.role, administrator?.role ?? null) &&
    clientFromMetadata(metadata).scopes.every(scope => mayTouchScope(actor.role, scope))
  return isOpen ? null : denied('This client administers the service. Only owners may change it.')
}

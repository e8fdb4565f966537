/** How a client is found, checked, stored and shown to admins. */
import type { ClientRecord } from '#lib/ports/configuration-store.ts'
import { type ClientId, clientIdSchema } from '#lib/protocol/ids.ts'
import { prefixErrors } from '../field-errors.ts'
import type { Resource } from '../resource/resource.ts'
import { auditedDocument } from '../secrets/audited-document.ts'
import { checkedDocument } from './checked-document.ts'
import {
  type ClientView,
  clientView,
  clientViewSchema,
  documentOf,
  type StoredClient,
} from './client-document.ts'
import { ownersOnly } from './owned-client.ts'

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
    const wanted = { ...documentOf(row), client_id: row.clientId }
    const stored = before === null ? {} : documentOf(before)
    const checked = await checkedDocument(ports, { wanted, before: stored }, call)
    if (checked.kind === 'invalid')
      return { kind: 'invalid', errors: prefixErrors('metadata', checked.errors) }
    return checked.kind === 'ok' ? { kind: 'ok', value: { ...row, metadata: checked.value } } : checked
  },
  put: ({ clientId, metadata, secrets }, expectedVersion) => ({
    kind: 'put_client',
    record: { clientId, metadata, secrets },
    expectedVersion,
  }),
  remove: (id, expectedVersion) => ({ kind: 'remove_client', id, expectedVersion }),
  withEnabled: (row, enabled) => ({ ...row, metadata: { ...documentOf(row), enabled } }),
}

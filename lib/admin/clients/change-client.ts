/** The one way a stored client changes: read, alter its document, check, and write it with its audit row. */
import type { Change } from '#lib/ports/admin-store.ts'
import type { StoredSecret } from '#lib/ports/clients.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { ClientId } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, notFound, ok } from '../admin-result.ts'
import { inside } from '../field-errors.ts'
import { auditedDocument } from '../secrets/audited-document.ts'
import { secretRefusal } from '../secrets/new-secret.ts'
import type { SecretListChange } from '../secrets/secret-list.ts'
import { commit, type Deed } from '../use-case.ts'
import { checkedDocument } from './checked-document.ts'
import { type ClientView, clientView, documentOf, type StoredClient } from './client-document.ts'
import { ownersOnly } from './owned-client.ts'

type Document = Readonly<Record<string, JsonValue>>

export type ClientChange = {
  readonly clientId: ClientId
  /** The version the admin saw; `null` changes whatever stands there, for changes that contradict nothing. */
  readonly version: number | null
  readonly alter?: (document: Document) => Document
  readonly alterSecrets?: (secrets: readonly StoredSecret[]) => SecretListChange
}

/** Answers with the client as it stands afterwards. */
export async function changeClient(
  ports: AdminPorts,
  { clientId, version, alter = same, alterSecrets = unchanged }: ClientChange,
  deed: Deed,
): Promise<AdminResult<ClientView>> {
  const stored = await ports.adminLists.client(clientId)
  if (stored === null) return notFound
  const refusal = await ownersOnly(ports, stored, deed)
  if (refusal !== null) return refusal
  const before = documentOf(stored)
  const document = { ...alter(before), client_id: clientId }
  const checked = await checkedDocument(ports, { wanted: document, before }, deed)
  if (checked.kind === 'invalid') return { kind: 'invalid', errors: inside('metadata', checked.errors) }
  if (checked.kind !== 'ok') return checked
  const altered = alterSecrets(stored.secrets)
  if (altered.kind !== 'changed') return secretRefusal(altered.kind)
  const { secrets } = altered
  const change = changeOf(stored, { version, document, metadata: checked.value, secrets }, deed)
  const current = () => currentOf(ports, clientId)
  const result = await commit(ports, change, { now: deed.now, value: null, current })
  if (result.kind !== 'ok') return result
  const changed = await ports.adminLists.client(clientId)
  return changed === null ? notFound : ok(clientView(changed))
}

const same = (document: Document) => document
const unchanged = (secrets: readonly StoredSecret[]): SecretListChange => ({ kind: 'changed', secrets })

type Wanted = {
  readonly version: number | null
  /** What the audit trail keeps. */
  readonly document: Document
  /** What is stored: the same, checked. */
  readonly metadata: JsonValue
  readonly secrets: readonly StoredSecret[]
}

function changeOf(
  stored: StoredClient,
  { version, document, metadata, secrets }: Wanted,
  { entry }: Deed,
): Change {
  const { clientId } = stored
  const before = auditedDocument(documentOf(stored), stored.secrets)
  const after = auditedDocument(document, secrets)
  const put = { clients: [{ clientId, metadata, secrets }] }
  return {
    writes: [{ kind: 'configuration', changes: { put, remove: {} } }],
    expected: [{ kind: 'client', id: clientId, version: version ?? stored.version }],
    audit: [entry({ kind: 'client', id: clientId, before, after })],
  }
}

async function currentOf(ports: AdminPorts, clientId: ClientId): Promise<JsonValue | null> {
  const stored = await ports.adminLists.client(clientId)
  return stored === null ? null : { version: stored.version, metadata: documentOf(stored) }
}

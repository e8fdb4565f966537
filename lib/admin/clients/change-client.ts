/** The one way a stored client changes: read, alter its document, check, and write it with its audit row. */
import type { StoredSecret } from '#lib/ports/clients.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { clientMetadataSchema } from '#lib/protocol/client-metadata.ts'
import { plainMessage } from '#lib/protocol/configuration-problems.ts'
import type { ClientId } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, notFound } from '../admin-result.ts'
import { auditedSecrets } from '../configuration/history.ts'
import { secretRefusal } from '../secrets/new-secret.ts'
import type { SecretListChange } from '../secrets/secret-list.ts'
import { commit, type Deed, fieldSentence } from '../use-case.ts'
import { type ClientView, checkedDocument, clientView, documentOf } from './client-document.ts'
import { ownersOnly } from './owned-client.ts'

type Document = Readonly<Record<string, JsonValue>>

export type ClientChange = {
  readonly clientId: ClientId
  /** The version the admin saw; `null` changes whatever stands there, for changes that contradict nothing. */
  readonly version: number | null
  readonly alter?: (document: Document) => Document
  readonly alterSecrets?: (secrets: readonly StoredSecret[]) => SecretListChange
}

/** Answers with the client as it stands afterwards. A change that changes nothing is none, and leaves no audit row. */
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
  const after = { ...alter(before), client_id: clientId }
  const read = clientMetadataSchema.safeParse(after, { error: plainMessage })
  if (!read.success) return { kind: 'invalid', errors: read.error.issues.map(documentError) }
  const checked = checkedDocument(ports, after, deed)
  if (checked.kind !== 'ok') return checked
  const secrets = alterSecrets(stored.secrets)
  if (secrets.kind !== 'changed') return secretRefusal(secrets.kind)
  const change = {
    writes: [
      {
        kind: 'configuration',
        changes: {
          put: { clients: [{ clientId, metadata: checked.value, secrets: secrets.secrets }] },
          remove: {},
        },
      },
    ],
    expected: [{ kind: 'client', id: clientId, version: version ?? stored.version }],
    audit: [
      deed.entry({
        kind: 'client',
        id: clientId,
        before: withSecretNames(before, stored.secrets),
        after: withSecretNames(after, secrets.secrets),
      }),
    ],
  } as const
  const result = await commit(ports, change, {
    now: deed.now,
    value: null,
    current: () => current(ports, clientId),
  })
  if (result.kind !== 'ok') return result
  const changed = await ports.adminLists.client(clientId)
  return changed === null ? notFound : { kind: 'ok', value: clientView(changed) }
}

const same = (document: Document) => document
const unchanged = (secrets: readonly StoredSecret[]): SecretListChange => ({ kind: 'changed', secrets })

/** The audit tells which secrets there are, and nothing of what they are (AD-05). */
function withSecretNames(document: Document, secrets: readonly StoredSecret[]): JsonValue {
  const named = secrets.map(({ id, name = null, expiresAt }) => ({
    id,
    name,
    expires_at: expiresAt?.toISOString() ?? null,
  }))
  return named.length === 0 ? document : { ...document, [auditedSecrets]: named }
}

async function current(ports: AdminPorts, clientId: ClientId): Promise<JsonValue | null> {
  const stored = await ports.adminLists.client(clientId)
  return stored === null ? null : { version: stored.version, metadata: documentOf(stored) }
}

function documentError({
  path,
  message,
}: {
  readonly path: readonly PropertyKey[]
  readonly message: string
}) {
  return { path: ['metadata', ...path].join('.'), message: fieldSentence(message) }
}

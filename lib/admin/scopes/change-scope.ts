/** The one way a stored scope changes: read, plan, check, and write it with its audit row. */
import type { StoredSecret } from '#lib/ports/clients.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, notFound, ok } from '../admin-result.ts'
import { auditedDocument } from '../secrets/audited-document.ts'
import { commit, type Deed } from '../use-case.ts'
import {
  checkedScope,
  type ScopeDocument,
  type ScopeView,
  type StoredScope,
  scopeDocument,
  scopeView,
} from './scope-document.ts'

export type ScopeState = { readonly document: ScopeDocument; readonly secrets: readonly StoredSecret[] }

export type ScopeChange = {
  readonly name: ScopeName
  /** The version the admin saw; `null` changes whatever stands there, for changes that contradict nothing. */
  readonly version: number | null
  readonly plan: (stored: ScopeState) => AdminResult<ScopeState>
}

/** Answers with the scope as it stands afterwards. */
export async function changeScope(
  ports: AdminPorts,
  { name, version, plan }: ScopeChange,
  deed: Deed,
): Promise<AdminResult<ScopeView>> {
  const stored = await ports.adminLists.scope(name)
  if (stored === null) return notFound
  const before = { document: scopeDocument(stored), secrets: stored.secrets }
  const planned = plan(before)
  if (planned.kind !== 'ok') return planned
  const after = { ...planned.value, document: { ...planned.value.document, name } }
  const checked = checkedScope(after.document)
  if (checked.kind !== 'ok') return checked
  const record = { name, metadata: after.document, secrets: after.secrets }
  const change = {
    writes: [{ kind: 'configuration', changes: { put: { scopes: [record] }, remove: {} } }],
    expected: [{ kind: 'scope', id: name, version: version ?? stored.version }],
    audit: [deed.entry({ kind: 'scope', id: name, before: audited(before), after: audited(after) })],
  } as const
  const current = async () => currentScope(await ports.adminLists.scope(name))
  const result = await commit(ports, change, { now: deed.now, value: null, current })
  if (result.kind !== 'ok') return result
  const changed = await ports.adminLists.scope(name)
  return changed === null ? notFound : ok(scopeView(changed))
}

function audited({ document, secrets }: ScopeState): ScopeDocument {
  return auditedDocument(document, secrets)
}

function currentScope(stored: StoredScope | null): JsonValue | null {
  return stored === null ? null : { version: stored.version, metadata: scopeDocument(stored) }
}

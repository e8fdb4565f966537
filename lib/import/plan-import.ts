/**
 * Plans an import: compares it with the stored data. Changes by admins are not overwritten unless the operator requests
 * it.
 */
import { canonicalJson } from '#lib/admin/configuration/compare-documents.ts'
import type { AuditEntry, Change } from '#lib/ports/admin-store.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import {
  hashKindsMeta,
  parseImportedHash,
  readHashKinds,
} from '#lib/protocol/registration/imported-hashes.ts'
import type { Imported } from './imported.ts'
import { planConsents, planTokens } from './plan-grants.ts'
import { planClients, planScopes } from './plan-registrations.ts'
import { planUsers } from './plan-users.ts'
import { beginPlanning, entry, type ImportPorts, importedKinds, type Planning } from './planning.ts'

export type ImportPlan = Pick<Planning, 'counts' | 'notes' | 'usernames'> & {
  readonly hasImportedHashes: boolean
  /** The change to commit. If it has no audit rows, there is nothing to write. */
  readonly change: Change
  /**
   * A digest of the audit rows, by which a later plan is compared with this one. Links, consents and tokens are only
   * numbers in it, in the row of the whole import.
   */
  readonly digest: string
}

/**
 * Plans an import. `replaces`: later changes by admins, and objects that existed before, are overwritten, and deleted
 * objects are created again; administrators are never changed.
 */
export async function planImport(
  ports: ImportPorts,
  imported: Imported,
  { replaces }: { readonly replaces: boolean },
): Promise<ImportPlan> {
  const planning = await beginPlanning(ports, replaces)
  const registrations = [...imported.clients]
  const clientIds = new Set(registrations.map(({ document }) => document.client_id))
  const { scopes, names } = await planScopes(planning, imported.scopes, clientIds)
  const { clients, known } = await planClients(planning, registrations, names)
  const { users, links } = await planUsers(planning, imported.users)
  const consents = await planConsents(planning, imported.consents, known)
  const tokens = await planTokens(planning, imported.tokens, known)
  const { counts, notes, usernames, expected, audit } = planning
  const meta = await uncountedHashes(ports, users)
  const put = { scopes, clients, users }
  const isNothing = audit.length + links.length + consents.length + tokens.length === 0
  const change: Change = {
    writes: [{ kind: 'import', put, expected, links, consents, tokens, meta }],
    audit: isNothing ? [] : [...audit, summaryOf(planning)],
  }
  return {
    counts,
    notes,
    usernames,
    hasImportedHashes: hashKindsMeta in meta,
    change,
    digest: ports.hashing.digest(canonicalJson(change.audit.map(factsOf))),
  }
}

/** Returns the stored value that causes a new count of the imported hashes by kind; empty if no hash is imported. */
async function uncountedHashes(
  { meta }: ImportPorts,
  users: readonly StoredUser[],
): Promise<Readonly<Record<string, string>>> {
  const isImported = ({ passwordHash }: StoredUser) =>
    passwordHash !== null && parseImportedHash(passwordHash) !== null
  if (!users.some(isImported)) return {}
  const kinds = readHashKinds(await meta.find(hashKindsMeta))?.kinds ?? []
  return { [hashKindsMeta]: JSON.stringify({ countedAt: 0, kinds }) }
}

/** The audit row of the whole import, which appears at the top of the list of changes. */
function summaryOf({ counts }: Planning): AuditEntry {
  const written = importedKinds.map(kind => [kind, counts[kind].added, counts[kind].updated] as const)
  const after = written
    .filter(([, added, updated]) => added + updated > 0)
    .map(([kind, added, updated]) => [kind, { added, updated }] as const)
  return entry({ kind: 'configuration', id: 'import', before: null, after: Object.fromEntries(after) })
}

/**
 * Returns the parts of an audit row that identify a change: only the number of secrets, because the IDs of new secrets
 * differ each time.
 */
function factsOf({ targetKind, targetId, before, after }: AuditEntry) {
  const withoutIds = JSON.stringify([before, after], (name, value) =>
    name === 'secrets' ? value.length : value,
  )
  return [targetKind, targetId, withoutIds]
}

/** The policies of the site: writes them, and reads them once per revision of the configuration. */
import type { SitePolicies } from '#lib/ports/policies.ts'
import {
  defaultPolicies,
  policiesId as id,
  type Policies,
  policiesSchema,
  policyFields,
} from '#lib/protocol/registration/policies.ts'
import type { Database, Tables } from '../../database.ts'
import type { StoreContext } from '../../store.ts'
import { cachedRead } from '../reads.ts'
import { documentText, readDocument } from './stored-documents.ts'

export function createSitePolicies(database: Database, { revision }: StoreContext): SitePolicies {
  const load = async () => {
    const row = await database.sitePolicies.findUnique({ where: { id } })
    return row === null ? defaultPolicies : policiesFromRow(row)
  }
  const read = cachedRead({ load, size: 1, revision: revision.current })
  return { current: async () => (await read(id)) ?? defaultPolicies }
}

export function policiesFromRow({ document }: { readonly document: string }): Policies {
  return policiesSchema.parse(readDocument(document, policyFields))
}

/** Creates or replaces the policies. Returns false if nothing changed. */
export async function putPolicies(tables: Tables, policies: Policies, now: Date): Promise<boolean> {
  const found = await tables.sitePolicies.findUnique({ where: { id } })
  if (found !== null && JSON.stringify(policiesFromRow(found)) === JSON.stringify(policies)) return false
  const document = documentText(policies, found?.document ?? null, policyFields)
  const create = { id, document, version: 1, createdAt: now, updatedAt: now }
  const update = { document, version: { increment: 1 }, updatedAt: now }
  await tables.sitePolicies.upsert({ where: { id }, create, update })
  return true
}

/** Removes the policies, so that the defaults are in force again. Returns false if there were none. */
export async function removePolicies(tables: Tables): Promise<boolean> {
  const { count } = await tables.sitePolicies.deleteMany()
  return count > 0
}

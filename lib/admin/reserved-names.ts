/** Names that the dashboard brings along: nobody else may have them, whoever asks. */
import { adminScope } from '#lib/protocol/admin-role.ts'
import { isRecord } from '#lib/protocol/metadata-fields.ts'
import { adminClientId } from './access/built-in.ts'

/** Why a client may not be called so, as the end of a sentence; `null` when it may. */
export function reservedClientId(clientId: string): string | null {
  return clientId === adminClientId ? `"${adminClientId}" is the dashboard itself; choose another name` : null
}

export function reservedScope(name: string): string | null {
  return name === adminScope ? `"${adminScope}" opens the admin API; choose another name` : null
}

const lists = [
  { list: 'clients', field: 'client_id', why: reservedClientId },
  // A token's `sub` could mean either
  { list: 'users', field: 'sub', why: reservedClientId },
  { list: 'scopes', field: 'name', why: reservedScope },
] as const

/** One problem for each record of a configuration that takes such a name. Looks at the raw document, like its neighbours. */
export function reservedNames(document: unknown): readonly string[] {
  return lists.flatMap(({ list, field, why }) => {
    const records: unknown = isRecord(document) ? document[list] : null
    if (!Array.isArray(records)) return []
    return records.flatMap((record: unknown, index) => {
      const name = isRecord(record) ? record[field] : null
      const problem = typeof name === 'string' ? why(name) : null
      return problem === null ? [] : [`${list}[${index}].${field}: ${problem}`]
    })
  })
}

/** Names that the dashboard uses: they are reserved. */
import { adminScope } from '#lib/protocol/admin-role.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { adminClientId } from './access/built-in.ts'

/** Why a client may not be called so, as the end of a sentence; `null` when it may. */
export function reservedClientId(clientId: string): string | null {
  return clientId === adminClientId ? `"${adminClientId}" is the dashboard itself; choose another name` : null
}

export function reservedScope(name: string): string | null {
  return name === adminScope ? `"${adminScope}" opens the admin API; choose another name` : null
}

/** Disabling it would lock out all users, including the owners of the dashboard (AD-06). */
export function disabledSignIn({
  name,
  enabled,
}: {
  readonly name?: unknown
  readonly enabled?: unknown
}): string | null {
  if (name !== 'openid' || enabled !== false) return null
  return '"openid" is the sign-in itself, of the dashboard, too; it cannot be disabled'
}

const lists = [
  { list: 'clients', field: 'client_id', why: reservedClientId },
  // A token's `sub` could mean either
  { list: 'users', field: 'sub', why: reservedClientId },
  { list: 'scopes', field: 'name', why: reservedScope },
] as const

/** One problem for each record of a configuration that takes such a name. Looks at the raw document, like its neighbours. */
export function reservedNames(document: unknown): readonly string[] {
  const named = lists.flatMap(({ list, field, why }) =>
    recordsOf(document, list).flatMap((record, index) => {
      const name = record[field]
      const problem = typeof name === 'string' ? why(name) : null
      return problem === null ? [] : [`${list}[${index}].${field}: ${problem}`]
    }),
  )
  const disabled = recordsOf(document, 'scopes').flatMap((record, index) => {
    const problem = disabledSignIn(record)
    return problem === null ? [] : [`scopes[${index}].enabled: ${problem}`]
  })
  return [...named, ...disabled]
}

/** Other values keep their position. */
function recordsOf(document: unknown, list: string): readonly Readonly<Record<string, unknown>>[] {
  const records: unknown = isRecord(document) ? document[list] : null
  return Array.isArray(records) ? records.map((record: unknown) => (isRecord(record) ? record : {})) : []
}

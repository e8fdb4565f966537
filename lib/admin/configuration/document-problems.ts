/** Names that the dashboard uses: they are reserved. */

import type { CustomGrant } from '#lib/ports/extensions.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import { grantTypeSchema } from '#lib/protocol/registration/client-rules.ts'
import { placeInFile, sentence } from '#lib/protocol/registration/configuration-problems.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { userRecordSchema } from '#lib/protocol/registration/records.ts'
import { standardClaimProblem } from '#lib/protocol/registration/standard-claims.ts'
import { looksLike, meantName, unknownName } from '#lib/protocol/text/similar-names.ts'
import { grantTypes } from '#lib/protocol/vocabulary.ts'
import { adminClientId } from '../access/built-in.ts'

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
  return '"openid" cannot be disabled: every sign-in needs it, including that of the dashboard'
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

const product = 'Latchkey'

/**
 * One problem for each client whose name looks like this site's or this software's: "… wants to see your address" must
 * never seem to come from the sign-in itself. Reads the raw document, so that all problems are reported together.
 */
export function imitatedNames(document: unknown, siteName: string): readonly string[] {
  const clients: unknown = isRecord(document) ? document.clients : null
  if (!Array.isArray(clients)) return []
  return clients.flatMap((client: unknown, index) => {
    const name = isRecord(client) ? client.client_name : null
    const own = typeof name === 'string' ? imitatedName(name, siteName) : null
    if (own === null) return []
    return [`clients[${index}].client_name: looks like "${own}", the sign-in itself; name the app`]
  })
}

/** The name of this site or software that this one resembles; `null` if none. */
export function imitatedName(name: string, siteName: string): string | null {
  return [siteName, product].find(own => looksLike(name, own)) ?? null
}

type CustomGrants = readonly Pick<CustomGrant, 'grantType'>[]

/** One problem for each in a document, with its path. Reads the raw document, so that all are reported together. */
export function unknownGrants(document: unknown, customGrants: CustomGrants): readonly string[] {
  const clients: unknown = isRecord(document) ? document.clients : null
  if (!Array.isArray(clients)) return []
  return clients.flatMap((client: unknown, index) => {
    const grants: unknown = isRecord(client) ? client.grant_types : null
    if (!Array.isArray(grants)) return []
    return grants.flatMap((grant: unknown, at) => {
      const problem = typeof grant === 'string' ? unknownGrant(grant, customGrants) : null
      return problem === null ? [] : [`clients[${index}].grant_types[${at}]: ${sentence(problem)}`]
    })
  })
}

/** Why a client cannot use it; `null` if it is implemented, or if the schema refuses it. */
export function unknownGrant(grant: string, customGrants: CustomGrants): string | null {
  const known = [...grantTypes, ...customGrants.map(({ grantType }) => grantType)]
  if (known.includes(grant) || !grantTypeSchema.safeParse(grant).success) return null
  const problem = unknownName(grant, 'grant type', known)
  return meantName(grant, known) === null ? `${problem}; there are ${known.join(', ')}` : problem
}

/**
 * One problem for each in a document, with its path. Reads the raw document, so that all are reported together. For what
 * an operator writes: of an export some may have come from an identity provider, and those may stay.
 */
export function wrongClaims(document: unknown): readonly string[] {
  const users: unknown = isRecord(document) ? document.users : null
  if (!Array.isArray(users)) return []
  return users.flatMap((user: unknown, index) => {
    const claims = userRecordSchema.shape.claims.safeParse(isRecord(user) ? user.claims : {}).data ?? {}
    return Object.entries(claims).flatMap(([name, value]) => {
      const problem = standardClaimProblem(name, value)
      return problem === null
        ? []
        : [`${placeInFile(['users', index, 'claims', name])}: ${sentence(problem)}`]
    })
  })
}

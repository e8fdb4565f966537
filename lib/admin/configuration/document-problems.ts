/** Problems of a configuration that its schema does not know: names in use by the server, unknown grant types, wrong claims. */

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

type RawRecord = Readonly<Record<string, unknown>>
type Checks = {
  readonly siteName: string
  /** Those of the extensions; left out where they are not loaded yet. */
  readonly customGrants?: CustomGrants | undefined
}

/** One sentence for each problem, with its path. Reads the raw document, so that all problems are reported together. */
export function documentProblems(document: unknown, checks: Checks): readonly string[] {
  return [
    ...problemsIn(document, 'clients', client => [
      ...problemOf(client, 'client_id', reservedClientId),
      ...problemOf(client, 'client_name', name => imitationProblem(name, checks.siteName)),
      ...unknownGrants(client, checks),
    ]),
    // A token's `sub` could mean either
    ...problemsIn(document, 'users', user => problemOf(user, 'sub', reservedClientId)),
    ...problemsIn(document, 'scopes', scope => [
      ...problemOf(scope, 'name', reservedScope),
      ...found(['enabled'], disabledSignIn(scope)),
    ]),
  ]
}

/**
 * One sentence for each standard claim of the wrong type, with its path. For what an operator writes: of an export some may
 * have come from an identity provider, and those may stay.
 */
export function wrongClaims(document: unknown): readonly string[] {
  return problemsIn(document, 'users', user => {
    const claims = userRecordSchema.shape.claims.safeParse(user.claims ?? {}).data ?? {}
    return Object.entries(claims).flatMap(([name, value]) =>
      found(['claims', name], standardClaimProblem(name, value)),
    )
  })
}

type Found = { readonly path: readonly PropertyKey[]; readonly problem: string }

/** Records that are not objects keep their position. */
function problemsIn(
  document: unknown,
  list: string,
  check: (record: RawRecord) => readonly Found[],
): readonly string[] {
  const records: unknown = isRecord(document) ? document[list] : null
  if (!Array.isArray(records)) return []
  return records.flatMap((record: unknown, index) =>
    check(isRecord(record) ? record : {}).map(
      ({ path, problem }) => `${placeInFile([list, index, ...path])}: ${sentence(problem)}`,
    ),
  )
}

function found(path: readonly PropertyKey[], problem: string | null): readonly Found[] {
  return problem === null ? [] : [{ path, problem }]
}

function problemOf(record: RawRecord, field: string, why: (text: string) => string | null): readonly Found[] {
  const value = record[field]
  return typeof value === 'string' ? found([field], why(value)) : []
}

function unknownGrants({ grant_types: grants }: RawRecord, { customGrants }: Checks): readonly Found[] {
  if (customGrants === undefined || !Array.isArray(grants)) return []
  return grants.flatMap((grant: unknown, at) =>
    typeof grant === 'string' ? found(['grant_types', at], unknownGrant(grant, customGrants)) : [],
  )
}

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

const product = 'Latchkey'

/** "… wants to see your address" must never seem to come from the sign-in itself. */
function imitationProblem(name: string, siteName: string): string | null {
  const own = imitatedName(name, siteName)
  return own === null ? null : `looks like "${own}", the sign-in itself; name the app`
}

/** The name of this site or software that this one resembles; `null` if none. */
export function imitatedName(name: string, siteName: string): string | null {
  return [siteName, product].find(own => looksLike(name, own)) ?? null
}

type CustomGrants = readonly Pick<CustomGrant, 'grantType'>[]

/** Why a client cannot use it; `null` if it is implemented, or if the schema refuses it. */
export function unknownGrant(grant: string, customGrants: CustomGrants): string | null {
  const known = [...grantTypes, ...customGrants.map(({ grantType }) => grantType)]
  if (known.includes(grant) || !grantTypeSchema.safeParse(grant).success) return null
  const problem = unknownName(grant, 'grant type', known)
  return meantName(grant, known) === null ? `${problem}; there are ${known.join(', ')}` : problem
}

/**
 * Finds problems of a configuration that its schema does not find, such as reserved names, client names that imitate this site,
 * and unknown grant types.
 */

import { clientNameCharacters } from '#lib/config/limits.ts'
import type { CustomGrant } from '#lib/ports/extensions.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import { grantTypeSchema } from '#lib/protocol/registration/client-rules.ts'
import type { ConfigurationFile } from '#lib/protocol/registration/configuration-file.ts'
import { placeInFile, sentence } from '#lib/protocol/registration/configuration-problems.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { userRecordSchema } from '#lib/protocol/registration/records.ts'
import { standardClaimProblem } from '#lib/protocol/registration/standard-claims.ts'
import { looksLike, meantName, unknownName } from '#lib/protocol/text/similar-names.ts'
import { grantTypes } from '#lib/protocol/vocabulary.ts'
import { adminClientId } from '../access/built-in.ts'
import { makesNamesOfSharedAddresses, type StoredAddresses } from '../policies/consequences.ts'

type RawRecord = Readonly<Record<string, unknown>>
type Checks = {
  readonly siteName: string
  /** The grant types of extensions; left out before the extensions are loaded. */
  readonly customGrants?: CustomGrants | undefined
}

/**
 * Returns one sentence with its path for each problem. The document may be invalid, so that these problems can be reported
 * together with those of the schema.
 */
export function documentProblems(document: unknown, checks: Checks): readonly string[] {
  return [
    ...problemsIn(document, 'clients', client => [
      ...problemOf(client, 'client_id', reservedClientId),
      ...problemOf(client, 'client_name', name => imitationProblem(name, checks.siteName)),
      ...unknownGrants(client, checks),
    ]),
    // The `sub` of a token could mean the user or the client
    ...problemsIn(document, 'users', user => problemOf(user, 'sub', reservedClientId)),
    ...problemsIn(document, 'scopes', scope => [
      ...problemOf(scope, 'name', reservedScope),
      ...found(['enabled'], disabledSignIn(scope)),
    ]),
  ]
}

/**
 * Returns one sentence with its path for each standard claim of the wrong type. Used only for files that an operator writes: an
 * export may contain claims from an identity provider, which are accepted as they are.
 */
export function wrongClaims(document: unknown): readonly string[] {
  return problemsIn(document, 'users', user => {
    const claims = userRecordSchema.shape.claims.safeParse(user.claims ?? {}).data ?? {}
    return Object.entries(claims).flatMap(([name, value]) =>
      found(['claims', name], standardClaimProblem(name, value)),
    )
  })
}

/** Returns one sentence for each policy that does not fit the stored users. */
export async function wrongPolicies(
  stored: StoredAddresses,
  { policies }: Pick<ConfigurationFile, 'policies'>,
): Promise<readonly string[]> {
  if (policies === undefined || !(await makesNamesOfSharedAddresses(stored, policies))) return []
  return [
    'policies.email_as_username: cannot be turned on while an address names several users; Policies in the dashboard lists them',
  ]
}

type Found = { readonly path: readonly PropertyKey[]; readonly problem: string }

/**
 * Checks each record of a list. A record that is not an object is checked as an empty one, so that the others keep their index.
 */
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

/** Explains why a client may not have this ID, as the end of a sentence; `null` if it may. */
export function reservedClientId(clientId: string): string | null {
  return clientId === adminClientId ? `"${adminClientId}" is the dashboard itself; choose another name` : null
}

export function reservedScope(name: string): string | null {
  return name === adminScope ? `"${adminScope}" opens the admin API; choose another name` : null
}

/** AD-06: refuses to disable `openid`, which would lock out all users, owners of the dashboard included. */
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

/** Refuses a client name that users could take for the name of this site. */
function imitationProblem(name: string, siteName: string): string | null {
  const own = imitatedName(name, siteName)
  return own === null ? null : `looks like "${own}", the sign-in itself; name the app`
}

/**
 * Returns the name of this site or of Latchkey that the given name resembles; `null` if it resembles neither, or if it is
 * too long, which the schema refuses. NOTE: the time that normalizing takes can grow with the square of the length.
 */
export function imitatedName(name: string, siteName: string): string | null {
  if (name.length > clientNameCharacters) return null
  return [siteName, product].find(own => looksLike(name, own)) ?? null
}

type CustomGrants = readonly Pick<CustomGrant, 'grantType'>[]

/** Explains why a client cannot use this grant type; `null` if it is implemented, or if the schema refuses it already. */
export function unknownGrant(grant: string, customGrants: CustomGrants): string | null {
  const known = [...grantTypes, ...customGrants.map(({ grantType }) => grantType)]
  if (known.includes(grant) || !grantTypeSchema.safeParse(grant).success) return null
  const problem = unknownName(grant, 'grant type', known)
  return meantName(grant, known) === null ? `${problem}; there are ${known.join(', ')}` : problem
}

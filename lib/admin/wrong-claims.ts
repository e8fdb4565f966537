/** Standard claims about people that no app could use (OpenID Connect Core 5.1). */
import { placeInFile, sentence } from '#lib/protocol/registration/configuration-problems.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { userRecordSchema } from '#lib/protocol/registration/records.ts'
import { standardClaimProblem } from '#lib/protocol/registration/standard-claims.ts'

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

/** What of a person's profile no app could use. */
import { z } from 'zod'
import type { Claims } from '#lib/protocol/claims.ts'
import { jsonValueSchema } from '#lib/protocol/claims.ts'
import { standardClaimProblem } from '#lib/protocol/registration/standard-claims.ts'
import type { FieldError } from '../admin-result.ts'
import { errorFor, lenient } from '../field-errors.ts'
import { profileClaims, usernameSchema } from './user-input.ts'

/**
 * One error for each changed standard claim that is invalid by OpenID Connect Core 5.1. Values of `before` can stay: they
 * come from an identity provider, or from before this rule.
 */
export function profileErrors(claims: Claims, before: Claims): readonly FieldError[] {
  const written = Object.entries(claims).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  return written.flatMap(([name, value]) => {
    const problem = standardClaimProblem(name, value)
    return errorFor(`claims.${name}`, problem === null ? null : messageFor(name, problem))
  })
}

const readableClaims = z.record(z.string(), jsonValueSchema)

/** What can be read of a person where something cannot. `profile` comes from forms, for where `claims` is not JSON. */
export const readablePersonSchema = z.object({
  username: lenient(usernameSchema),
  claims: lenient(readableClaims),
  profile: readableClaims.catch({}),
})

/** Several claims share the last field of the form: it says which one is meant. */
function messageFor(name: string, problem: string): string {
  return profileClaims.some(claim => claim === name) ? problem : `"${name}" ${problem}`
}

/** The details of a grant; stored as one JSON value. */
import { z } from 'zod'
import { assurances } from './acr-values.ts'
import { jsonValueSchema } from './claims.ts'
import { scopeNameSchema } from './ids.ts'

/**
 * To add a detail, such as resources (RFC 8707), add its field here with a default: stored grants without it can still
 * be read, and neither the table nor its mapping changes.
 */
export const grantDetailsSchema = z.object({
  scopes: z.array(scopeNameSchema).readonly(),
  /** Claims that `postAuthenticate` of the extensions added at the sign-in, for the tokens. */
  claims: z.record(z.string(), jsonValueSchema).readonly().optional(),
  /** The level that the factors of the sign-in reached; absent for one factor, and for a grant without a sign-in. */
  level: z.enum(assurances).optional(),
})
export type GrantDetails = Readonly<z.output<typeof grantDetailsSchema>>

/** Picks the details from a value with other fields, such as a stored grant. */
export function grantDetails(value: GrantDetails): GrantDetails {
  return grantDetailsSchema.parse(value)
}

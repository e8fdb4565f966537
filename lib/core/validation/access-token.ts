/** The access token validation endpoint: for resources that cannot check tokens themselves. */
import type { Ports } from '#lib/ports/ports.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import { readValidationParameters, type ValidationParameters } from '#lib/protocol/wire/parameters.ts'
import { readAccessToken } from './read-access-token.ts'
import { renderAsText, renderTyped } from './render-claims.ts'
import {
  insufficientScope,
  invalidToken,
  limitedByAddress,
  tokenMissing,
  type ValidationOutcome,
} from './validation-outcome.ts'

/** Returns only what already stands in the token. */
export async function validateAccessToken(
  ports: Ports,
  { parameters }: { readonly parameters: Parameters },
  context: RequestContext,
): Promise<ValidationOutcome> {
  return limitedByAddress(ports, context, () => validate(ports, readValidationParameters(parameters)))
}

async function validate(
  ports: Ports,
  { token, expectedScope }: ValidationParameters,
): Promise<ValidationOutcome> {
  if (token === null) return tokenMissing
  const read = await readAccessToken(ports, token)
  if (read === null) return invalidToken
  // JW-07: a whole word among the token's scopes
  if (expectedScope !== null && !read.scopes.includes(expectedScope)) return insufficientScope
  const claims = read.kind === 'jwt' ? renderAsText(read.claims) : renderTyped(read.claims)
  const { grant, client } = read
  const owner = grant === null ? {} : { subject: grant.subject, grantId: grant.id }
  return { kind: 'valid', claims, of: { clientId: client.clientId, ...owner } }
}

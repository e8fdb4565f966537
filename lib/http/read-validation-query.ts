/** The query of the two validation endpoints, for operators who allow tokens in it. */
import { validationQueryCharacters } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { type Parameters, readQuery } from './read-params.ts'

/**
 * The query's parameters, of which one is the token.
 * @throws OauthError `method_not_allowed` where tokens may only come in a body; else as `readQuery`
 */
export function readValidationQuery(
  request: Request,
  { allowTokenInQuery }: { readonly allowTokenInQuery: boolean },
): Parameters {
  if (!allowTokenInQuery) throw new OauthError('method_not_allowed', 'token_in_query')
  return readQuery(request, validationQueryCharacters)
}

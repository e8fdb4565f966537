/** The parameters of the two validation endpoints. A token that is too long is invalid, and the core refuses it. */
import { bodyBytes, validationQueryCharacters } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import { decodeForm } from './decode-form.ts'
import { queryText, readFormPairs, readParameters } from './read-params.ts'

const rules = { anyLength: ['token', 'client_id', 'expectedScope'] }

/**
 * The query's parameters, of which one is the token, for operators who allow that.
 * @throws OauthError `method_not_allowed` where tokens may only come in a body; else as `readQuery`
 */
export function readValidationQuery(
  request: Request,
  { allowTokenInQuery }: { readonly allowTokenInQuery: boolean },
): Parameters {
  if (!allowTokenInQuery) throw new OauthError('token_in_query_disabled')
  return readParameters(decodeForm(queryText(request, validationQueryCharacters)), rules)
}

/** The parameters of a form body. @throws OauthError as `readForm` */
export async function readValidationForm(request: Request): Promise<Parameters> {
  return readParameters(await readFormPairs(request, bodyBytes.token), rules)
}

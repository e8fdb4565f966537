/** Reads the parameters of a form, with refusals that name the parameter and the rule. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import { isTooLong } from '#lib/protocol/parameter-length.ts'
import { type FormParameters, givenParameter, type TokenParameterName } from '#lib/protocol/token-params.ts'

/** The value of a parameter that must be there; throws `invalid_request`. */
export function requiredParameter(parameters: FormParameters, name: TokenParameterName): string {
  const value = givenParameter(parameters, name)
  if (value === null) throw new OauthError('invalid_request', `${name}_missing`, `${name} is missing.`)
  return value
}

/** No parameter is longer than its limit, or holds a NUL, which no database text can. */
export function checkParameterSizes(parameters: FormParameters): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (isTooLong(name, value))
      throw new OauthError('invalid_request', 'too_long', sentence(name, 'is too long.'))
    if (value.includes('\0'))
      throw new OauthError('invalid_request', 'nul', sentence(name, 'contains a NUL character.'))
  }
}

// RFC 6749 5.2 has a small alphabet for descriptions, and the name is the sender's.
function sentence(name: string, rest: string): string {
  return /^[\w.-]{1,50}$/.test(name) ? `${name} ${rest}` : `A parameter ${rest}`
}

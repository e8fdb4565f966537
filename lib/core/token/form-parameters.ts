/** Reads the parameters of a form, with refusals that name the parameter and the rule. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import { isTooLong } from '#lib/protocol/wire/parameters.ts'

/** The value of a parameter that must be there; throws `invalid_request`. */
export function requiredParameter(parameters: Parameters, name: 'grant_type' | 'token'): string {
  const value = parameters.one(name)
  if (value === null) throw new OauthError(`${name}_missing`, { description: `${name} is missing.` })
  return value
}

/** No parameter is longer than its limit, or holds a NUL, which no database text can. */
export function checkParameterSizes(parameters: Parameters): void {
  for (const name of parameters.names) {
    for (const value of parameters.all(name)) {
      if (isTooLong(name, value))
        throw new OauthError('too_long', { description: sentence(name, 'is too long.') })
      if (value.includes('\0'))
        throw new OauthError('nul', { description: sentence(name, 'contains a NUL character.') })
    }
  }
}

// RFC 6749 5.2 has a small alphabet for descriptions, and the name is the sender's.
function sentence(name: string, rest: string): string {
  return /^[\w.-]{1,50}$/.test(name) ? `${name} ${rest}` : `A parameter ${rest}`
}

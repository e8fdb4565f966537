/** Checks of the request as a whole, before its parameters mean anything. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import { isTooLong } from '#lib/protocol/parameter-length.ts'
import type { ValidationInput } from './valid-request.ts'

/** No parameter may be longer than `limits.ts` allows, or hold a NUL, which no database text can. */
export function checkSizes({ raw }: ValidationInput): void {
  for (const [name, value] of Object.entries(raw)) {
    if (isTooLong(name, value))
      throw new OauthError('invalid_request', `${name}_too_long`, `${name} is too long.`)
    if (value.includes('\0')) {
      throw new OauthError('invalid_request', `${name}_with_nul`, `${name} contains a NUL character.`)
    }
  }
}

/** We read no request objects and no inline registrations, and must say so (OpenID Connect Core 6, 7.2.1). */
export function refuseUnsupported({ raw }: ValidationInput): void {
  if (raw.request !== undefined) throw new OauthError('request_not_supported', 'request_object')
  if (raw.request_uri !== undefined) throw new OauthError('request_uri_not_supported', 'request_uri')
  if (raw.registration !== undefined) throw new OauthError('registration_not_supported', 'registration')
}

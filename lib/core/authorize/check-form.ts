/** Checks of the request as a whole, before its parameters mean anything. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { ValidationInput } from './valid-request.ts'

/** RFC 6749 3.1: each parameter came once, decodable and in its length. Those that did not are not in `raw`. */
export function refuseFault({ fault }: ValidationInput): void {
  if (fault) throw fault
}

/** We read no request objects and no inline registrations, and must say so (OpenID Connect Core 6, 7.2.1). */
export function refuseUnsupported({ raw }: ValidationInput): void {
  if (raw.request !== undefined) throw new OauthError('request_not_supported', 'request_object')
  if (raw.request_uri !== undefined) throw new OauthError('request_uri_not_supported', 'request_uri')
  if (raw.registration !== undefined) throw new OauthError('registration_not_supported', 'registration')
}

/** Checks of what the app wants back, and how. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import { parseResponseMode } from '#lib/protocol/response-mode.ts'
import { parseResponseType } from '#lib/protocol/response-type.ts'
import { type ResponseType, responseTypes } from '#lib/protocol/vocabulary.ts'
import type { ValidationInput } from './valid-request.ts'

/** `response_type` is one of ours (RFC 6749 4.1.2.1). */
export function readResponseType({ raw }: ValidationInput): ResponseType {
  if (raw.response_type === undefined) {
    throw new OauthError('invalid_request', 'response_type_missing', 'response_type is missing.')
  }
  const type = parseResponseType(raw.response_type)
  if (type === null) throw new OauthError('unsupported_response_type', 'response_type_unknown', supported)
  return type
}

const supported = `response_type must be one of: ${responseTypes.join(', ')}.`

/** The client is registered for this `response_type`. */
export function checkClientMayUseResponseType(input: ValidationInput): void {
  const type = readResponseType(input)
  if (input.client.responseTypes.includes(type)) return
  const description = `This client is not registered for response_type ${type}.`
  throw new OauthError('unauthorized_client', 'response_type_not_allowed', description)
}

/** `response_mode` is one of ours and puts no token into a query (OAuth 2.0 Multiple Response Types 5). */
export function checkResponseMode(input: ValidationInput): void {
  const mode = input.raw.response_mode
  if (mode === undefined || parseResponseMode(mode, readResponseType(input)) !== null) return
  const description =
    'response_mode must be query, fragment or form_post, and not query when a token is asked for.'
  throw new OauthError('invalid_request', 'response_mode_not_allowed', description)
}

/** A token from the front channel needs a `nonce` that ties it to the request (OpenID Connect Core 3.2.2.1). */
export function checkNonce(input: ValidationInput): void {
  const type = readResponseType(input)
  if (!type.includes('id_token') || input.raw.nonce !== undefined) return
  throw new OauthError(
    'invalid_request',
    'nonce_missing',
    `nonce is missing; response_type ${type} needs it.`,
  )
}

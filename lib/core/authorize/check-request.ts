/** The checks of an authorization request that need nothing but its parameters and its client. Each throws an `OauthError`. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import {
  type Prompt,
  prompts,
  type ResponseType,
  responseModes,
  responseTypes,
} from '#lib/protocol/vocabulary.ts'
import type { AuthorizeParameters } from '#lib/protocol/wire/authorize-params.ts'
import { parsePrompt, parseResponseMode, parseResponseType } from '#lib/protocol/wire/authorize-params.ts'
import { sent } from './evidence.ts'

/** Request objects and inline registrations are not supported (OpenID Connect Core 6, 7.2.1). */
export function refuseUnsupported(raw: AuthorizeParameters): void {
  if (raw.request !== undefined) throw new OauthError('request_object')
  if (raw.request_uri !== undefined) throw new OauthError('request_uri')
  if (raw.registration !== undefined) throw new OauthError('registration')
}

/** `response_type` is a supported one (RFC 6749 4.1.2.1). */
export function readResponseType(raw: AuthorizeParameters): ResponseType {
  if (raw.response_type === undefined) {
    throw new OauthError('response_type_missing', { evidence: sent(undefined, responseTypes) })
  }
  const type = parseResponseType(raw.response_type)
  if (type === null)
    throw new OauthError('response_type_unknown', { evidence: sent(raw.response_type, responseTypes) })
  return type
}

/** The client is registered for this `response_type`. */
export function requireAllowedResponseType(client: Client, type: ResponseType): void {
  if (client.responseTypes.includes(type)) return
  const description = `This client is not registered for response_type ${type}.`
  const evidence = sent(type, client.responseTypes)
  throw new OauthError('response_type_not_allowed', { description, evidence })
}

/** `response_mode` is a supported one and puts no token into a query (OAuth 2.0 Multiple Response Types 5). */
export function requireAllowedResponseMode(raw: AuthorizeParameters, type: ResponseType): void {
  const mode = raw.response_mode
  if (mode === undefined || parseResponseMode(mode, type) !== null) return
  throw new OauthError('response_mode_not_allowed', { evidence: sent(mode, responseModes) })
}

/** A token from the front channel needs a `nonce` that ties it to the request (OpenID Connect Core 3.2.2.1). */
export function readNonce(raw: AuthorizeParameters, type: ResponseType): string | null {
  if (!type.includes('id_token') || raw.nonce !== undefined) return raw.nonce ?? null
  throw new OauthError('nonce_missing', { description: `nonce is missing; response_type ${type} needs it.` })
}

/** Known values only, and `none` without others (OpenID Connect Core 3.1.2.1). Empty when it is absent. */
export function readPrompts(raw: AuthorizeParameters): readonly Prompt[] {
  const read = parsePrompt(raw.prompt ?? '')
  if (read === null) {
    throw new OauthError('prompt_unknown', { evidence: sent(raw.prompt, prompts) })
  }
  if (read.includes('none') && read.length > 1) {
    throw new OauthError('prompt_none_with_others', { evidence: sent(raw.prompt, prompts) })
  }
  return read
}

/** A whole number of seconds, not negative. */
export function readMaxAge(raw: AuthorizeParameters): number | null {
  if (raw.max_age === undefined) return null
  if (/^[0-9]{1,15}$/.test(raw.max_age)) return Number(raw.max_age)
  throw new OauthError('max_age_malformed', { evidence: sent(raw.max_age) })
}

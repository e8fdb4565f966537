/** Validates an authorization request once its client and redirect URI are proven: the checks, in order. */
import type { OauthError } from '#lib/errors/oauth-error.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import type { Prompt, ResponseType } from '#lib/protocol/vocabulary.ts'
import type { AuthorizeParameters } from '#lib/protocol/wire/authorize-params.ts'
import { type AcrValues, parseAcrValues } from '#lib/protocol/wire/authorize-params.ts'
import { type CodeChallenge, readCodeChallenge } from './check-pkce.ts'
import { type CheckRecorder, createCheckRecorder } from './check-recorder.ts'
import {
  readMaxAge,
  readNonce,
  readPrompts,
  readResponseType,
  refuseUnsupported,
  requireAllowedResponseMode,
  requireAllowedResponseType,
} from './check-request.ts'
import { readScopes, requireFittingScopes } from './check-scopes.ts'

/** What is requested, whatever the way back: see `ReturnAddress` for that. */
export type ValidAuthorizeRequest = {
  readonly responseType: ResponseType
  /** Known, enabled and allowed for the client, in the order of the request. */
  readonly scopes: readonly ScopeName[]
  readonly nonce: string | null
  readonly codeChallenge: CodeChallenge | null
  /** Empty when there was none. */
  readonly prompts: readonly Prompt[]
  readonly maxAgeSeconds: number | null
  readonly loginHint: string | null
  /** As it came: its signature is checked where it is used. */
  readonly idTokenHint: string | null
  readonly acrValues: AcrValues
}

export type ValidationInput = {
  readonly raw: AuthorizeParameters
  readonly client: Client
  /** All registered ones. */
  readonly scopes: readonly Scope[]
  /** Why a parameter is missing from `raw`, if one is (RFC 6749 3.1: each comes once, decodable and in its length). */
  readonly fault?: OauthError | null
}

/**
 * Runs the checks of OpenID Connect Core 3.1.2.2. Pure; runs again at each step of an interaction, because registrations
 * may change while a user signs in. Throws the `OauthError` of the first check that fails.
 */
export function validate(
  { raw, client, scopes: registered, fault = null }: ValidationInput,
  { check }: Pick<CheckRecorder, 'check'> = createCheckRecorder(),
): ValidAuthorizeRequest {
  check('parameters_whole', () => refuseFault(fault))
  check('features_supported', () => refuseUnsupported(raw))
  const responseType = check('response_type_known', () => readResponseType(raw))
  check('response_type_allowed', () => requireAllowedResponseType(client, responseType))
  check('response_mode_allowed', () => requireAllowedResponseMode(raw, responseType))
  const scopes = check('scopes_allowed', () => readScopes({ raw, client, scopes: registered }))
  check('scopes_fit_response_type', () => requireFittingScopes(scopes, registered, responseType))
  const codeChallenge = check('code_challenge_valid', () => readCodeChallenge(raw, client, responseType))
  const nonce = check('nonce_present', () => readNonce(raw, responseType))
  const prompts = check('prompt_right', () => readPrompts(raw))
  const maxAgeSeconds = check('max_age_right', () => readMaxAge(raw))
  return Object.freeze({
    responseType,
    scopes,
    nonce,
    codeChallenge,
    prompts,
    maxAgeSeconds,
    loginHint: raw.login_hint ?? null,
    idTokenHint: raw.id_token_hint ?? null,
    acrValues: parseAcrValues(raw.acr_values ?? ''),
  })
}

function refuseFault(fault: OauthError | null): void {
  if (fault !== null) throw fault
}

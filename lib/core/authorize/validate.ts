/** Everything that is asked of a request once its client and redirect URI are proven, in order. */
import { parseAcrValues } from '#lib/protocol/acr-values.ts'
import type { AuthorizeCheck } from '#lib/protocol/request-checks.ts'
import { refuseFault, refuseUnsupported } from './check-form.ts'
import { readMaxAge, readPrompts } from './check-interaction.ts'
import { readProofKey } from './check-proof-key.ts'
import {
  checkClientMayUseResponseType,
  checkNonce,
  checkResponseMode,
  readResponseType,
} from './check-response.ts'
import { checkScopesFitResponseType, readScopes } from './check-scopes.ts'
import type { ReturnAddress } from './return-address.ts'
import { beginTrail, type Trail } from './trail.ts'
import type { ValidAuthorizeRequest, ValidationInput } from './valid-request.ts'

/** Each throws an `OauthError` or passes; the first that throws is the answer. */
const checks: ReadonlyArray<readonly [name: AuthorizeCheck, check: (input: ValidationInput) => unknown]> = [
  ['parameters_whole', refuseFault],
  ['features_supported', refuseUnsupported],
  ['response_type_known', readResponseType],
  ['response_type_allowed', checkClientMayUseResponseType],
  ['response_mode_allowed', checkResponseMode],
  ['scopes_allowed', readScopes],
  ['scopes_fit_response_type', checkScopesFitResponseType],
  ['proof_key_right', readProofKey],
  ['nonce_present', checkNonce],
  ['prompt_right', readPrompts],
  ['max_age_right', readMaxAge],
]

/**
 * Validates an authorization request (OpenID Connect Core 3.1.2.2). Pure; run again at each step of an interaction,
 * because registrations may change while a person signs in. Throws what the client is to be told.
 */
export function validate(
  input: ValidationInput,
  address: ReturnAddress,
  trail: Trail = beginTrail(),
): ValidAuthorizeRequest {
  for (const [name, check] of checks) {
    check(input)
    trail.passed(name)
  }
  const { raw } = input
  return Object.freeze({
    clientId: address.clientId,
    redirectUri: address.redirectUri,
    responseType: readResponseType(input),
    responseMode: address.responseMode,
    state: address.state,
    scopes: readScopes(input),
    nonce: raw.nonce ?? null,
    proofKey: readProofKey(input),
    prompts: readPrompts(input),
    maxAgeSeconds: readMaxAge(input),
    loginHint: raw.login_hint ?? null,
    idTokenHint: raw.id_token_hint ?? null,
    uiLocales: address.uiLocales,
    acrValues: parseAcrValues(raw.acr_values ?? ''),
  })
}

/** Validates an authorization request after its client and redirect URI are verified: the checks, in order. */
import { type Checks, sent, unrecorded } from '#lib/errors/checks.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { GrantDetails } from '#lib/protocol/grant-details.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import {
  leadsToAccessToken,
  leadsToIdToken,
  type Prompt,
  prompts,
  type ResponseType,
  responseModes,
  responseTypeNames,
  responseTypeRow,
} from '#lib/protocol/vocabulary.ts'
import {
  type AcrValues,
  type AuthorizeParameters,
  parseAcrValues,
  parsePrompt,
  parseResponseMode,
  parseResponseType,
} from '#lib/protocol/wire/parameters.ts'
import { offlineScope, openidScope, scopeWords } from '#lib/protocol/wire/scopes.ts'
import { extensionRefusal } from '../hooks/hooks.ts'
import {
  resolveScopes,
  scopeKinds,
  type WithoutOffline,
  whyWithoutOffline,
} from '../scopes/resolve-scopes.ts'
import { type CodeChallenge, readCodeChallenge } from './code-challenge.ts'

/** A request without its delivery, which is in the `ResponseTarget`. */
export type ValidAuthorizeRequest = {
  readonly responseType: ResponseType
  /**
   * The details that a grant for this request can have. Scopes are known, enabled and allowed for the client, in the order
   * of the request.
   */
  readonly details: GrantDetails
  readonly nonce: string | null
  readonly codeChallenge: CodeChallenge | null
  /** The `prompt` values; empty if the parameter is absent. */
  readonly prompts: readonly Prompt[]
  readonly maxAgeSeconds: number | null
  readonly loginHint: string | null
  /** The hint as sent: its signature is verified where it is used. */
  readonly idTokenHint: string | null
  readonly acrValues: AcrValues
  /** The reason why `offline_access` was left out; `null` if it was not requested, or not left out. */
  readonly withoutOffline: IgnoredOffline | null
}

/** Why a requested `offline_access` is ignored: no code is requested, or a reason of `whyWithoutOffline`. */
type IgnoredOffline = WithoutOffline | 'offline_access_without_code'

export type ValidationInput = {
  readonly raw: AuthorizeParameters
  readonly client: Client
  /** All registered scopes. */
  readonly scopes: readonly Scope[]
  /**
   * The fault of a parameter that was left out of `raw`, such as one that was sent twice (RFC 6749 3.1); absent or
   * `null` if none was left out.
   */
  readonly fault?: OauthError | null
}

/**
 * Runs the checks of OpenID Connect Core 3.1.2.2, again at each step of an interaction, because registrations may change
 * while a user signs in. Throws the `OauthError` of the first check that fails.
 */
export function validate(
  { raw, client, scopes: registered, fault = null }: ValidationInput,
  checks: Checks = unrecorded,
): ValidAuthorizeRequest {
  checks.begin('parameters_well_formed')
  if (fault !== null) throw fault
  const acrValues = readAcrValues(raw.acr_values)
  checks.begin('features_supported')
  refuseUnsupported(raw)
  checks.begin('response_type_known')
  const responseType = readResponseType(raw)
  checks.begin('response_type_allowed')
  requireAllowedResponseType(client, responseType)
  checks.begin('response_mode_allowed')
  requireAllowedResponseMode(raw, responseType)
  checks.begin('scopes_allowed')
  const scopes = readScopes({ raw, client, scopes: registered, responseType })
  checks.begin('scopes_fit_response_type')
  requireFittingScopes(scopes, registered, responseType)
  checks.begin('code_challenge_valid')
  const codeChallenge = readCodeChallenge(raw, client, responseType)
  checks.begin('nonce_present')
  const nonce = readNonce(raw, responseType)
  checks.begin('prompt_valid')
  const prompts = readPrompts(raw)
  checks.begin('max_age_valid')
  const maxAgeSeconds = readMaxAge(raw)
  return Object.freeze({
    responseType,
    details: { scopes },
    nonce,
    codeChallenge,
    prompts,
    maxAgeSeconds,
    loginHint: raw.login_hint ?? null,
    idTokenHint: raw.id_token_hint ?? null,
    acrValues,
    withoutOffline: whyOfflineIsIgnored({ raw, client, scopes: registered, responseType }),
  })
}

type ValidatedRequest = {
  readonly client: Client
  readonly redirectUri: string
  readonly request: ValidAuthorizeRequest
  readonly session: Session | null
}

/** Runs the check of the extensions on a valid request. Throws the error that `validateAuthorizeRequest` chose. */
export async function callValidateAuthorizeRequestHook(
  { hooks: { validateAuthorizeRequest } }: Pick<Ports, 'hooks'>,
  { client, redirectUri, request, session }: ValidatedRequest,
  checks: Checks,
): Promise<void> {
  if (validateAuthorizeRequest === undefined) return
  checks.begin('extension_accepted')
  const { responseType, details, prompts, maxAgeSeconds, loginHint, acrValues } = request
  const verdict = await validateAuthorizeRequest({
    client,
    redirectUri,
    responseType,
    scopes: details.scopes,
    prompts,
    maxAgeSeconds,
    loginHint,
    acrValues,
    subject: session?.subject ?? null,
  })
  if (verdict.kind === 'refused') throw extensionRefusal('authorize_request_not_accepted', verdict)
}

/** Reads `acr_values`. The name of a tenant is free text, which is logged and shown: control characters are refused. */
export function readAcrValues(sent = ''): AcrValues {
  const acrValues = parseAcrValues(sent)
  if (/\p{Cc}/u.test(acrValues.tenant ?? '')) throw new OauthError('tenant_malformed')
  return acrValues
}

/** Refuses request objects and inline registrations, which are not supported (OpenID Connect Core 6, 7.2.1). */
export function refuseUnsupported(raw: AuthorizeParameters): void {
  if (raw.request !== undefined) throw new OauthError('request_object')
  if (raw.request_uri !== undefined) throw new OauthError('request_uri')
  if (raw.registration !== undefined) throw new OauthError('registration')
}

/** Reads a supported `response_type` (RFC 6749 4.1.2.1). */
export function readResponseType(raw: AuthorizeParameters): ResponseType {
  if (raw.response_type === undefined) {
    throw new OauthError('response_type_missing', { evidence: sent(undefined, responseTypeNames) })
  }
  const type = parseResponseType(raw.response_type)
  if (type === null)
    throw new OauthError('response_type_unknown', { evidence: sent(raw.response_type, responseTypeNames) })
  return type
}

/** Checks that the client is registered for this `response_type`. */
export function requireAllowedResponseType(client: Client, type: ResponseType): void {
  if (client.responseTypes.includes(type)) return
  const description = `This client is not registered for response_type ${type}.`
  const evidence = sent(type, client.responseTypes)
  throw new OauthError('response_type_not_allowed', { description, evidence })
}

/** Checks that `response_mode` is supported and puts no token into a query (OAuth 2.0 Multiple Response Types 5). */
export function requireAllowedResponseMode(raw: AuthorizeParameters, type: ResponseType): void {
  const mode = raw.response_mode
  if (mode === undefined || parseResponseMode(mode, type) !== null) return
  throw new OauthError('response_mode_not_allowed', { evidence: sent(mode, responseModes) })
}

/**
 * Reads the `nonce`. An ID token from the front channel needs one that ties it to the request (OpenID Connect Core
 * 3.2.2.1).
 */
export function readNonce(raw: AuthorizeParameters, type: ResponseType): string | null {
  if (!responseTypeRow(type).idToken || raw.nonce !== undefined) return raw.nonce ?? null
  throw new OauthError('nonce_missing', { description: `nonce is missing; response_type ${type} needs it.` })
}

/**
 * Reads the `prompt` values: known ones only, and `none` without others (OpenID Connect Core 3.1.2.1), nor `create` (OpenID
 * Connect Prompt Create 1.0, 4). Empty when it is absent.
 */
export function readPrompts(raw: AuthorizeParameters): readonly Prompt[] {
  const read = parsePrompt(raw.prompt ?? '')
  if (read === null) {
    throw new OauthError('prompt_unknown', { evidence: sent(raw.prompt, prompts) })
  }
  if (read.includes('none') && read.length > 1) {
    throw new OauthError('prompt_none_with_others', { evidence: sent(raw.prompt, prompts) })
  }
  if (read.includes('create') && read.length > 1) {
    throw new OauthError('prompt_create_with_others', { evidence: sent(raw.prompt, prompts) })
  }
  return read
}

/** Reads `max_age`: a whole number of seconds, not negative. */
export function readMaxAge(raw: AuthorizeParameters): number | null {
  if (raw.max_age === undefined) return null
  if (/^[0-9]{1,15}$/.test(raw.max_age)) return Number(raw.max_age)
  throw new OauthError('max_age_malformed', { evidence: sent(raw.max_age) })
}

type ScopeInput = {
  readonly raw: AuthorizeParameters
  readonly client: Client
  /** All registered scopes. */
  readonly scopes: readonly Scope[]
  readonly responseType: ResponseType
}

/**
 * Reads the scopes. Each must be known, enabled and allowed for the client; `offline_access` is left out if no refresh token
 * can follow.
 */
export function readScopes({
  raw,
  client,
  scopes: registered,
  responseType,
}: ScopeInput): readonly ScopeName[] {
  if (raw.scope === undefined)
    throw new OauthError('scope_missing', { evidence: sent(undefined, client.scopes) })
  const isIgnored = whyOfflineIsIgnored({ raw, client, scopes: registered, responseType }) !== null
  const words = scopeWords(raw.scope).filter(word => word !== offlineScope || !isIgnored)
  if (words.length === 0) throw new OauthError('scope_empty', { evidence: sent(raw.scope, client.scopes) })
  return resolveScopes(words, { client, registered, namesScope: true })
}

/**
 * Returns why a requested `offline_access` is ignored (OpenID Connect Core 11). `null`: it is not requested, or a code and a refresh
 * token can follow.
 */
function whyOfflineIsIgnored({ raw, client, scopes, responseType }: ScopeInput): IgnoredOffline | null {
  if (!scopeWords(raw.scope ?? '').includes(offlineScope)) return null
  if (!responseTypeRow(responseType).code) return 'offline_access_without_code'
  return whyWithoutOffline(client, scopes)
}

/**
 * Checks the scopes against the response type: identity scopes need an ID token and `openid`, resource scopes an access
 * token; an ID token in the response needs `openid`.
 */
export function requireFittingScopes(
  names: readonly ScopeName[],
  registered: readonly Scope[],
  type: ResponseType,
): void {
  const kinds = scopeKinds(names, registered)
  const hasOpenid = names.includes(openidScope)
  const evidence = sent(names.join(' '))
  if (responseTypeRow(type).idToken && !hasOpenid) {
    const description = `scope must contain openid for response_type ${type}.`
    throw new OauthError('openid_missing', { description, evidence })
  }
  if (!leadsToIdToken(type) && kinds.has('identity'))
    throw new OauthError('identity_scope_with_token', { evidence })
  if (!leadsToAccessToken(type) && kinds.has('resource'))
    throw new OauthError('resource_scope_with_id_token', { evidence })
  if (kinds.has('identity') && !hasOpenid) throw new OauthError('identity_scope_without_openid', { evidence })
}

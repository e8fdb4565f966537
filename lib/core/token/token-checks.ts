/**
 * What is checked at the token endpoint, in order, for the story of a refusal. A success records nothing: the lists of
 * `request-checks.ts` are laid over the refusal's reason afterwards.
 */
import type { OauthError } from '#lib/errors/oauth-error.ts'
import type { CheckResult } from '#lib/ports/events.ts'
import { callerChecks, grantChecks, type TokenCheck } from '#lib/protocol/request-checks.ts'

/** The check that each reason belongs to. */
const checkOf: Readonly<Record<string, TokenCheck>> = {
  two_methods: 'request_read',
  two_clients: 'request_read',
  no_credentials: 'client_authenticated',
  unreadable_header: 'client_authenticated',
  credentials_too_long: 'client_authenticated',
  wrong_credentials: 'client_authenticated',
  client_throttled: 'client_authenticated',
  secret_queue_full: 'client_authenticated',
  too_long: 'sizes_fit',
  nul: 'sizes_fit',
  grant_type_missing: 'grant_type_known',
  grant_type_unknown: 'grant_type_known',
  grant_type_not_allowed: 'grant_type_allowed',
  code_missing: 'parameters_present',
  redirect_uri_missing: 'parameters_present',
  refresh_token_missing: 'parameters_present',
  username_missing: 'parameters_present',
  password_missing: 'parameters_present',
  public_client: 'client_keeps_secrets',
  local_login_disabled: 'password_sign_in_allowed',
  code_unknown: 'code_known',
  code_of_another_client: 'code_known',
  code_spoilt: 'code_not_spoilt',
  redirect_uri_differs: 'code_redirect_uri_same',
  verifier_missing: 'code_verifier_right',
  verifier_unexpected: 'code_verifier_right',
  verifier_wrong: 'code_verifier_right',
  code_replayed: 'code_unused',
  code_expired: 'code_in_time',
  refresh_token_malformed: 'refresh_token_known',
  refresh_token_unknown: 'refresh_token_known',
  refresh_token_of_another_client: 'refresh_token_known',
  refresh_token_gone: 'refresh_token_unused',
  refresh_token_expired: 'refresh_token_in_time',
  refresh_token_reused: 'refresh_token_unused',
  grant_revoked: 'grant_live',
  grant_expired: 'grant_live',
  grant_of_another_client: 'grant_live',
  subject_inactive: 'person_active',
  account_changed: 'person_active',
  offline_no_longer_allowed: 'scopes_left',
  no_scope_left: 'scopes_left',
  scope_not_granted: 'scopes_left',
  repeat_differs: 'scopes_left',
  scope_missing: 'scopes_allowed',
  scope_refused: 'scopes_allowed',
  identity_scope: 'scopes_fit_grant',
  offline_scope: 'scopes_fit_grant',
  no_subject: 'scopes_fit_grant',
  custom_grant_refused: 'extension_agreed',
  sign_in_throttled: 'tries_left',
  password_queue_full: 'credentials_right',
  sign_in_refused: 'credentials_right',
  sign_in_partial: 'credentials_right',
  password_change_required: 'credentials_right',
}

/** All checks of this grant, up to the one that the refusal came from and those after it; `null`: it came from none. */
export function tokenChecks(
  grantType: string,
  { reason, evidence }: Pick<OauthError, 'reason' | 'evidence'>,
): readonly CheckResult[] | null {
  const failed = checkOf[reason]
  const all: readonly TokenCheck[] = [...callerChecks, ...ownChecks(grantType)]
  const at = failed === undefined ? -1 : all.indexOf(failed)
  if (at === -1) return null
  return all.map((check, index) => ({
    check,
    result: resultAt(index - at),
    atMs: null,
    ...(index === at ? evidence : null),
  }))
}

/** The name of a custom grant is an operator's own; `unknown` is none. */
function ownChecks(grantType: string): readonly TokenCheck[] {
  if (isBuiltIn(grantType)) return grantChecks[grantType]
  return grantType === 'unknown' ? [] : grantChecks.custom
}

function isBuiltIn(grantType: string): grantType is keyof typeof grantChecks {
  return Object.hasOwn(grantChecks, grantType)
}

function resultAt(distance: number): CheckResult['result'] {
  if (distance === 0) return 'failed'
  return distance < 0 ? 'passed' : 'not_reached'
}

/**
 * What is checked at the token endpoint, in order, for the story of a refusal. A success records nothing: these lists are
 * laid over the refusal's reason afterwards.
 */
import type { CheckResult } from '#lib/ports/events.ts'

const client = ['request_read', 'client_authenticated', 'grant_type_known', 'grant_type_allowed'] as const

const byGrant: Readonly<Record<string, readonly string[]>> = {
  authorization_code: [
    'code_known',
    'code_not_spoilt',
    'code_redirect_uri_same',
    'code_verifier_right',
    'code_unused',
    'code_in_time',
    'grant_live',
    'person_active',
    'scopes_left',
  ],
  refresh_token: [
    'refresh_token_known',
    'grant_live',
    'person_active',
    'scopes_left',
    'refresh_token_unused',
    'refresh_token_in_time',
  ],
  client_credentials: ['client_keeps_secrets', 'scopes_allowed'],
  password: [
    'client_keeps_secrets',
    'password_sign_in_allowed',
    'scopes_allowed',
    'tries_left',
    'credentials_right',
    'person_active',
  ],
}

/** The check that each reason belongs to. */
const checkOf: Readonly<Record<string, string>> = {
  two_methods: 'request_read',
  two_clients: 'request_read',
  too_long: 'request_read',
  nul: 'request_read',
  no_credentials: 'client_authenticated',
  unreadable_header: 'client_authenticated',
  credentials_too_long: 'client_authenticated',
  wrong_credentials: 'client_authenticated',
  client_throttled: 'client_authenticated',
  secret_queue_full: 'client_authenticated',
  grant_type_unknown: 'grant_type_known',
  grant_type_not_allowed: 'grant_type_allowed',
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
  refresh_token_gone: 'refresh_token_known',
  refresh_token_expired: 'refresh_token_in_time',
  refresh_token_reused: 'refresh_token_unused',
  repeat_differs: 'refresh_token_unused',
  grant_revoked: 'grant_live',
  grant_of_another_client: 'grant_live',
  subject_inactive: 'person_active',
  offline_no_longer_allowed: 'scopes_left',
  no_scope_left: 'scopes_left',
  scope_not_granted: 'scopes_left',
  scope_missing: 'scopes_allowed',
  scope_refused: 'scopes_allowed',
  identity_scope: 'scopes_allowed',
  offline_scope: 'scopes_allowed',
  sign_in_throttled: 'tries_left',
  sign_in_refused: 'credentials_right',
  sign_in_partial: 'credentials_right',
}

/** `null` for a reason that no list knows, and for custom grants: their checks are their own. */
export function tokenChecks(grantType: string, reason: string): readonly CheckResult[] | null {
  const failed = checkOf[reason]
  const all = [...client, ...(byGrant[grantType] ?? [])]
  const at = failed === undefined ? -1 : all.indexOf(failed)
  if (at === -1) return null
  return all.map((check, index) => ({ check, result: resultAt(index - at), atMs: null }))
}

function resultAt(distance: number): CheckResult['result'] {
  if (distance === 0) return 'failed'
  return distance < 0 ? 'passed' : 'not_reached'
}

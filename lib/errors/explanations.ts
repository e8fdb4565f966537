/**
 * What a developer is told about a refusal, by its reason: the parameter and the rule, never what was sent. Reasons that
 * would help a stranger guess (`wrong_credentials` and its like) are left out: for them the catalogue speaks.
 * RFC 6749 5.2 has a small alphabet: printable ASCII without quotes and backslash.
 */
const explanations: Readonly<Record<string, string>> = {
  code_unknown: 'code is not known here. It may be cut off, or was issued by another server.',
  code_of_another_client: 'code is not known here. It may be cut off, or was issued by another server.',
  code_expired: 'code has expired. Redeem it as soon as the browser brings it.',
  code_replayed: 'code was already used. All tokens issued for it are revoked now.',
  code_spoilt: 'code had too many failed redemptions. Start a new authorization request.',
  redirect_uri_differs: 'redirect_uri differs from the one in the authorization request.',
  verifier_missing: 'code_verifier is missing; the authorization request had a code_challenge.',
  verifier_unexpected: 'code_verifier was sent, but the authorization request had no code_challenge.',
  verifier_wrong: 'code_verifier does not match the code_challenge of the authorization request.',
  refresh_token_malformed: 'refresh_token is not a refresh token of this server.',
  refresh_token_unknown: 'refresh_token is not known here, or was revoked.',
  refresh_token_of_another_client: 'refresh_token is not known here, or was revoked.',
  refresh_token_gone: 'refresh_token is not known here, or was revoked.',
  refresh_token_expired: 'refresh_token has expired. The person must sign in again.',
  refresh_token_reused: 'refresh_token was already used. All tokens of this sign-in are revoked now.',
  offline_no_longer_allowed: 'The client may not use offline_access any more.',
  grant_revoked: 'The permission behind this was withdrawn, or the session has ended.',
  grant_expired: 'Everything issued for this sign-in has expired. The person must sign in again.',
  no_scope_left: 'None of the granted scopes is allowed for this client any more.',
  subject_inactive: 'The account is not active.',
  no_credentials:
    'No client credentials were sent. Use HTTP Basic, or client_id and client_secret in the body.',
  unreadable_header: 'The Authorization header is not Basic with base64 of client_id:client_secret.',
  offline_scope: 'offline_access cannot be asked for with this grant_type.',
  identity_scope: 'Identity scopes such as openid cannot be asked for with this grant_type; nobody signs in.',
  password_change_required:
    'The password was handed out by an administrator. The person must sign in on this server once and choose another.',
  public_client: 'Clients without a secret may not use this grant_type.',
  local_login_disabled: 'The client does not allow signing in with a password here.',
  grant_type_unknown: 'grant_type is not one of those in grant_types_supported of the discovery document.',
  grant_type_not_allowed: 'grant_type is not among the grant_types of this client.',
}

/** `null` when the reason has no explanation of its own. */
export function explanationOf(reason: string): string | null {
  return explanations[reason] ?? null
}

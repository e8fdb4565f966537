/** The checks of a request: what each requires, and their results for a request trace. */

/** The sent value and the expected ones, for admins only. It contains no secret. */
export type Evidence = { readonly sent?: string; readonly expected?: readonly string[] }

/** One check of a request. `check` is a `RequestCheck`, or the name of a check of another release. */
export type CheckResult = Evidence & {
  readonly check: string
  readonly result: 'passed' | 'failed' | 'not_reached'
  /** The time since the checks began, in milliseconds; `null` if not measured. */
  readonly atMs: number | null
}

export type CheckWords = {
  /** The condition that the check requires. */
  readonly text: string
  readonly standard: string
  readonly href: string
}

const rfc = (number: number, section: string) => ({
  standard: `RFC ${number} §${section}`,
  href: `https://www.rfc-editor.org/rfc/rfc${number}.html#section-${section}`,
})
const oidc = (section: string, anchor: string) => ({
  standard: `OpenID Connect Core §${section}`,
  href: `https://openid.net/specs/openid-connect-core-1_0.html#${anchor}`,
})
const responseModes = {
  standard: 'OAuth 2.0 Multiple Response Types §5',
  href: 'https://openid.net/specs/oauth-v2-multiple-response-types-1_0.html#ResponseModes',
}

type CheckRow = readonly [text: string, source: Pick<CheckWords, 'standard' | 'href'>]

/** The checks by name: the condition of each, and the section of a standard about it. */
export const requestChecks = {
  request_read: ['The request is readable, with no repeated parameter', rfc(6749, '3.1')],
  client_known: ['The client is registered', rfc(6749, '2.2')],
  client_enabled: ['The client is enabled', rfc(6749, '2.2')],
  redirect_uri_registered: ['redirect_uri is registered', rfc(9700, '2.1')],
  parameters_well_formed: ['Each parameter is sent once, readable and not too long', rfc(6749, '3.1')],
  features_supported: ['No unsupported feature is requested', oidc('6', 'JWTRequests')],
  response_type_known: ['response_type is known', rfc(6749, '3.1.1')],
  response_type_allowed: ['The client is registered for this response type', rfc(7591, '2')],
  response_mode_allowed: ['Response mode is allowed', responseModes],
  scopes_allowed: ['Every scope is known and allowed for the client', rfc(6749, '3.3')],
  scopes_fit_response_type: ['The scopes fit the response type', oidc('3.1.2.1', 'AuthRequest')],
  code_challenge_valid: ['code_challenge is present, with an allowed method', rfc(7636, '4.3')],
  nonce_present: ['nonce is present where it is required', oidc('3.2.2.1', 'ImplicitAuthRequest')],
  prompt_valid: ['prompt contains known values that fit together', oidc('3.1.2.1', 'AuthRequest')],
  max_age_valid: ['max_age is a number of seconds', oidc('3.1.2.1', 'AuthRequest')],
  user_may_continue: [
    'The user is signed in at the required level and consents, or may be asked',
    oidc('3.1.2.3', 'Authenticates'),
  ],
  client_authenticated: ['The client is authenticated', rfc(6749, '2.3')],
  grant_type_known: ['grant_type is known', rfc(6749, '4.5')],
  grant_type_allowed: ['The client may use this grant type', rfc(7591, '2')],
  parameters_present: ['Every required parameter is present', rfc(6749, '5.2')],
  client_is_confidential: ['The client is confidential', rfc(6749, '2.1')],
  password_sign_in_allowed: ['The client allows signing in with a password', rfc(6749, '4.3')],
  code_known: ['The code is known and was issued to this client', rfc(6749, '4.1.3')],
  code_attempts_not_exceeded: ['Not too many failed attempts', rfc(9700, '4.5')],
  code_redirect_uri_matches: ['redirect_uri is that of the authorization request', rfc(6749, '4.1.3')],
  code_verifier_correct: ['code_verifier matches code_challenge', rfc(7636, '4.6')],
  code_unused: ['The code was not used before', rfc(6749, '4.1.2')],
  code_not_expired: ['The code has not expired', rfc(6749, '4.1.2')],
  grant_live: ['The grant is active', rfc(6749, '5.2')],
  user_active: ['The account is active', rfc(6749, '5.2')],
  level_reached: ['The sign-in reached the level that the client requires', rfc(9470, '3')],
  scopes_still_allowed: ['The requested scopes are granted and still allowed', rfc(6749, '6')],
  refresh_token_known: ['The refresh token is known and belongs to this client', rfc(6749, '6')],
  refresh_token_unused: ['The refresh token was not used before', rfc(9700, '4.14.2')],
  refresh_token_not_expired: ['The refresh token has not expired', rfc(6749, '6')],
  scopes_fit_grant: ['The scopes fit the grant', rfc(6749, '3.3')],
  rate_limit_not_exceeded: ['Rate limit not exceeded', rfc(6749, '10.10')],
  credentials_correct: ['User name and password are right', rfc(6749, '4.3.2')],
  post_logout_redirect_uri_registered: [
    'post_logout_redirect_uri is registered',
    {
      standard: 'OpenID Connect RP-Initiated Logout §3',
      href: 'https://openid.net/specs/openid-connect-rpinitiated-1_0.html#RedirectionAfterLogout',
    },
  ],
  provider_issuer_matches: [
    'The identity provider has the registered issuer',
    {
      standard: 'OpenID Connect Discovery §4.3',
      href: 'https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfigurationValidation',
    },
  ],
  extension_accepted: ['The extension accepts the request', rfc(6749, '4.5')],
} as const satisfies Readonly<Record<string, CheckRow>>

export type RequestCheck = keyof typeof requestChecks

/** Returns the texts of a check; a check of another release is shown by its name. */
export function checkWords(check: string): CheckWords {
  if (!isKnown(check)) return { text: check.replaceAll('_', ' '), standard: '', href: '' }
  const [text, source] = requestChecks[check]
  return { text, ...source }
}

function isKnown(check: string): check is RequestCheck {
  return Object.hasOwn(requestChecks, check)
}

/** The checks of the authorization endpoint, in order, without that of the extensions. */
export const authorizeChecks = [
  'request_read',
  'client_known',
  'client_enabled',
  'redirect_uri_registered',
  'parameters_well_formed',
  'features_supported',
  'response_type_known',
  'response_type_allowed',
  'response_mode_allowed',
  'scopes_allowed',
  'scopes_fit_response_type',
  'code_challenge_valid',
  'nonce_present',
  'prompt_valid',
  'max_age_valid',
  'user_may_continue',
  'rate_limit_not_exceeded',
] as const satisfies readonly RequestCheck[]

export type AuthorizeCheck = (typeof authorizeChecks)[number]

/** The checks of the token endpoint before those of the grant type. */
export const callerChecks = [
  'request_read',
  'client_authenticated',
  'grant_type_known',
  'grant_type_allowed',
] as const satisfies readonly RequestCheck[]

/**
 * Returns the results, without times, when one check failed: those before it passed, those after it were not reached.
 */
export function resultsOfFailure(
  checks: readonly RequestCheck[],
  failed: RequestCheck,
  evidence: Evidence | null = null,
): readonly CheckResult[] {
  const at = checks.indexOf(failed)
  return checks.map((check, index) => {
    if (index === at) return { check, result: 'failed', atMs: null, ...evidence }
    return { check, result: index < at ? 'passed' : 'not_reached', atMs: null }
  })
}

/** Records the checks of a request and their times. The code of each check calls `begin` at its start. */
export type CheckRecorder = {
  /**
   * Begins a check; the one before it has then passed. A check that begins again discards the results since its
   * first run.
   */
  readonly begin: (check: RequestCheck) => void
  /**
   * Returns all checks: those that passed, the current one, which failed, and the expected ones that were not reached.
   */
  readonly failed: (evidence?: Evidence | null) => readonly CheckResult[]
}

/** The part of a recorder that the code of a check needs. */
export type Checks = Pick<CheckRecorder, 'begin'>

/** A recorder for requests whose checks are not shown. */
export const unrecorded: Checks = { begin: () => undefined }

/**
 * Creates a recorder, which begins with `request_read`; times are measured from there.
 * @param expected the checks to show even when they are not reached
 */
export function recordChecks(expected: readonly RequestCheck[]): CheckRecorder {
  const startedAt = performance.now()
  const since = () => Math.round((performance.now() - startedAt) * 100) / 100
  const passed: CheckResult[] = []
  let current: RequestCheck = 'request_read'
  return {
    begin: check => {
      passed.push({ check: current, result: 'passed', atMs: since() })
      const earlier = passed.findIndex(done => done.check === check)
      if (earlier >= 0) passed.length = earlier
      current = check
    },
    failed: (evidence = null) => [
      ...passed,
      { check: current, result: 'failed', atMs: since(), ...evidence },
      ...expected
        .filter(check => check !== current && passed.every(done => done.check !== check))
        .map(notReached),
    ],
  }
}

function notReached(check: RequestCheck): CheckResult {
  return { check, result: 'not_reached', atMs: null }
}

const longestSent = 500

/**
 * Makes the evidence of a parameter for the request trace: the beginning of its value (`undefined`: it was absent), and
 * the allowed values. It must not be a secret.
 */
export function sent(value: string | undefined, allowed: readonly string[] = []): Evidence {
  const expected = allowed.length === 0 ? {} : { expected: allowed }
  return value === undefined ? expected : { sent: value.slice(0, longestSent), ...expected }
}

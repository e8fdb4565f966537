/** What was checked of one authorization request, in order: the story an admin reads when it was refused. */
import type { CheckResult } from '#lib/ports/events.ts'

/** Every check in the order it is made. `validate.ts` runs those between the redirect URI and the person. */
export const authorizeChecks = [
  'request_read',
  'client_known',
  'redirect_uri_registered',
  'sizes_fit',
  'features_supported',
  'response_type_known',
  'response_type_allowed',
  'response_mode_allowed',
  'scopes_allowed',
  'scopes_fit_response_type',
  'proof_key_right',
  'nonce_present',
  'prompt_right',
  'max_age_right',
  'person_may_go_on',
] as const

export type AuthorizeCheck = (typeof authorizeChecks)[number]

export type Evidence = Pick<CheckResult, 'sent' | 'expected'>

export type Trail = {
  readonly passed: (check: AuthorizeCheck) => void
  /** All of them: those that passed, the one that failed, and those that were not reached. */
  readonly failedAt: (check: AuthorizeCheck, evidence?: Evidence) => readonly CheckResult[]
  /** The first check that has not passed. */
  readonly current: () => AuthorizeCheck
}

/** `atMs` counts from here. */
export function beginTrail(): Trail {
  const startedAt = performance.now()
  const done: CheckResult[] = []
  const since = () => Math.round((performance.now() - startedAt) * 100) / 100
  return {
    passed: check => void done.push({ check, result: 'passed', atMs: since() }),
    failedAt: (check, evidence = {}) => [
      ...done,
      { check, result: 'failed', atMs: since(), ...evidence },
      ...authorizeChecks.slice(authorizeChecks.indexOf(check) + 1).map(notReached),
    ],
    current: () => authorizeChecks[done.length] ?? 'person_may_go_on',
  }
}

function notReached(check: AuthorizeCheck): CheckResult {
  return { check, result: 'not_reached', atMs: null }
}

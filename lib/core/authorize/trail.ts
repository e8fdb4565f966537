/** What was checked of one authorization request, in order: the story an admin reads when it was refused. */
import type { Evidence } from '#lib/errors/oauth-error.ts'
import type { CheckResult } from '#lib/ports/events.ts'
import { type AuthorizeCheck, authorizeChecks } from '#lib/protocol/request-checks.ts'

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

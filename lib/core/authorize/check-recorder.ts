/** Records the checks of one authorization request in order, for the request trace of a refusal. */
import type { Evidence } from '#lib/errors/oauth-error.ts'
import type { CheckResult } from '#lib/ports/events.ts'
import { type AuthorizeCheck, authorizeChecks } from '#lib/protocol/wire/request-checks.ts'

export type CheckRecorder = {
  /** Runs a check and returns its value; it counts as passed unless it throws. */
  readonly check: <Value>(name: AuthorizeCheck, run: () => Value) => Value
  readonly passed: (name: AuthorizeCheck) => void
  /** All checks: those that passed, the one that failed, and those that were not reached. */
  readonly failedAt: (name: AuthorizeCheck, evidence?: Evidence) => readonly CheckResult[]
  /** The first check that has not passed. */
  readonly current: () => AuthorizeCheck
}

/** `atMs` of the results counts from this call. */
export function createCheckRecorder(): CheckRecorder {
  const startedAt = performance.now()
  const done: CheckResult[] = []
  const since = () => Math.round((performance.now() - startedAt) * 100) / 100
  const passed = (check: AuthorizeCheck) => void done.push({ check, result: 'passed', atMs: since() })
  return {
    passed,
    check: (name, run) => {
      const value = run()
      passed(name)
      return value
    },
    failedAt: (check, evidence = {}) => [
      ...done,
      { check, result: 'failed', atMs: since(), ...evidence },
      ...authorizeChecks.slice(authorizeChecks.indexOf(check) + 1).map(notReached),
    ],
    current: () => authorizeChecks[done.length] ?? 'user_may_continue',
  }
}

function notReached(check: AuthorizeCheck): CheckResult {
  return { check, result: 'not_reached', atMs: null }
}

const longest = 500

/** A parameter as it was sent (`undefined`: it was not), and the allowed values, for the request trace. Never a secret. */
export function sent(value: string | undefined, allowed: readonly string[] = []): Evidence {
  const expected = allowed.length === 0 ? {} : { expected: allowed }
  return value === undefined ? expected : { sent: value.slice(0, longest), ...expected }
}

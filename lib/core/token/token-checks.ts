/**
 * What is checked at the token endpoint, in order, for the trace of a refused request. A success records nothing: the lists of
 * `request-checks.ts` are laid over the refusal's reason afterwards.
 */
import type { OauthError } from '#lib/errors/oauth-error.ts'
import { checkOf } from '#lib/errors/reasons.ts'
import type { CheckResult } from '#lib/ports/events.ts'
import {
  callerChecks,
  grantChecks,
  type RequestCheck,
  type TokenCheck,
} from '#lib/protocol/wire/request-checks.ts'

/** All checks of this grant, up to the one that the refusal came from and those after it; `null`: it came from none. */
export function tokenChecks(
  grantType: string,
  { reason, evidence }: Pick<OauthError, 'reason' | 'evidence'>,
): readonly CheckResult[] | null {
  const failed = checkOf(reason)
  const all: readonly RequestCheck[] = [...callerChecks, ...ownChecks(grantType)]
  const at = failed === null ? -1 : all.indexOf(failed)
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

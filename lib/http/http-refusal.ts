/** Turns any error into a refusal that may be sent. */
import { catalog, type ErrorCode } from '#lib/errors/catalog.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { type ErrorReason, type Reason, reasons, wireTextOf } from '#lib/errors/reasons.ts'

export type HttpRefusal = {
  readonly code: ErrorCode
  readonly status: number
  /** The description for developers; contains no secret. */
  readonly description: string
  readonly retryAfterSeconds: number | null
  /** The reason for the log; `null` if only a code is known. */
  readonly reason: Reason | null
  /** Whether the error is unexpected: it is then logged completely, and the response contains no details. */
  readonly isUnexpected: boolean
}

const retryAfterSeconds = 5

/** Makes a refusal of an error. An error other than `OauthError` is unexpected. */
export function refusalFromError(error: unknown): HttpRefusal {
  if (isOauthError(error)) {
    return {
      ...refusalFromCode(error.code, error.description, error.retryAfterSeconds),
      reason: error.reason,
    }
  }
  return { ...refusalFromReason('unexpected'), isUnexpected: true }
}

/** Makes a refusal of a reason, with the sentence of the reason, or otherwise of its code. */
export function refusalFromReason(reason: ErrorReason, retryAfter: number | null = null): HttpRefusal {
  return { ...refusalFromCode(reasons[reason].error, wireTextOf(reason), retryAfter), reason }
}

/** Makes the refusal of a method, with the ones to use except HEAD and OPTIONS. */
export function methodRefusal(allowed: readonly string[]): HttpRefusal {
  const named = allowed.filter(method => method !== 'HEAD' && method !== 'OPTIONS')
  const refused = refusalFromReason('method_not_allowed')
  if (named.length === 0) return refused
  return { ...refused, description: `${refused.description} Use ${named.join(' or ')}.` }
}

/**
 * Makes a refusal of a code; the catalog supplies the rest. RFC 9110 15.6.4, RFC 6585 4: a 503 or 429 reports when to
 * come back.
 */
export function refusalFromCode(
  code: ErrorCode,
  description: string | null = null,
  retryAfter: number | null = null,
): HttpRefusal {
  const row = catalog[code]
  const wantsRetry = row.status === 503 || row.status === 429
  return {
    code,
    status: row.status,
    description: description ?? row.description,
    retryAfterSeconds: retryAfter ?? (wantsRetry ? retryAfterSeconds : null),
    reason: null,
    isUnexpected: false,
  }
}

export function retryHeaders(retryAfter: number | null): Readonly<Record<string, string>> {
  return retryAfter === null ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfter))) }
}

/** Turns whatever was thrown into what may be said about it. */
import { catalog, type ErrorCode } from '#lib/errors/catalog.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { type ErrorReason, type Reason, reasons, wireTextOf } from '#lib/errors/reasons.ts'

export type HttpRefusal = {
  readonly code: ErrorCode
  readonly status: number
  /** For developers; contains no secret. */
  readonly description: string
  readonly retryAfterSeconds: number | null
  /** For the log; `null` where it was recorded already. */
  readonly reason: Reason | null
  /** An unexpected error: it is logged completely, and the response contains no details. */
  readonly isUnexpected: boolean
}

const retryAfterSeconds = 5

/** RFC 9110 15.6.4: a service that is away says when to come back. */
export function refusalFromError(error: unknown): HttpRefusal {
  if (isOauthError(error)) {
    return {
      ...refusalFromCode(error.code, error.description, error.retryAfterSeconds),
      reason: error.reason,
    }
  }
  return { ...refusalFromReason('unexpected'), isUnexpected: true }
}

/** A refusal by its reason; the sentence is that of the reason, or else of its code. */
export function refusalFromReason(reason: ErrorReason, retryAfter: number | null = null): HttpRefusal {
  return { ...refusalFromCode(reasons[reason].error, wireTextOf(reason), retryAfter), reason }
}

/** A refusal by its code; the catalog fills what is not given. */
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

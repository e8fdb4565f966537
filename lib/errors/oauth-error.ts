/** A refusal, which is thrown where it is found. The endpoints convert it to their response. */
import { catalog, type ErrorCode } from './catalog.ts'
import type { Evidence } from './checks.ts'
import { type ErrorReason, type ReasonFor, reasons, wireTextOf } from './reasons.ts'

// RFC 6749 4.1.2.1 and 5.2, RFC 6750 3: printable ASCII without quotes and backslash
const notPermitted = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g

/** Whether an `error` or `error_description` can contain the text unchanged. */
export function isErrorText(text: string): boolean {
  return text.replace(notPermitted, '') === text
}

const mark = Symbol.for('latchkey.oauth-error')

type Options = {
  /** The description to send, if the reason's sentence is not sufficient. Invalid characters become `?`. */
  readonly description?: string | null
  /** The code to send instead of the reason's: an extension chose it, see `isErrorText`. */
  readonly wireCode?: string | null
  readonly evidence?: Evidence | null
  readonly retryAfterSeconds?: number | null
}

/**
 * A refusal. `reason` is for logs, events and tests; the response contains `code` (or `wireCode`) and `description`.
 */
export class OauthError extends Error {
  readonly code: ErrorCode
  readonly reason: ErrorReason
  readonly description: string
  readonly wireCode: string | null
  readonly retryAfterSeconds: number | null
  readonly evidence: Evidence | null

  constructor(
    reason: ErrorReason,
    { description = null, wireCode = null, evidence = null, retryAfterSeconds = null }: Options = {},
  ) {
    const code = reasons[reason].error
    super(`${code}: ${reason}`)
    this.code = code
    this.reason = reason
    this.description =
      description?.replace(notPermitted, '?') ?? wireTextOf(reason) ?? catalog[code].description
    this.wireCode = wireCode
    this.retryAfterSeconds = retryAfterSeconds
    this.evidence = evidence
    Object.defineProperty(this, mark, { value: true })
  }
}

/** Recognizes errors from every copy of this module: Next loads its own copy, so `instanceof` does not work. */
export function isOauthError(error: unknown): error is OauthError {
  return typeof error === 'object' && error !== null && mark in error
}

/** Makes the error for an exceeded rate limit: the description and `Retry-After` contain the time to wait. */
export function tooManyRequests(reason: ReasonFor<'too_many_requests'>, seconds: number): OauthError {
  const wait = Math.max(1, Math.ceil(seconds))
  const description = `Too many attempts. Try again in ${wait} ${wait === 1 ? 'second' : 'seconds'}.`
  return new OauthError(reason, { description, retryAfterSeconds: seconds })
}

/** The one way a refusal travels inside the core: thrown here, caught once at the core's border. */
import type { ErrorCode } from './catalog.ts'

const mark = Symbol.for('latchkey.oauth-error')

/** What was sent and what would have been right, for admins alone. Holds no secret. */
export type Evidence = { readonly sent?: string; readonly expected?: readonly string[] }

/** `reason` is a tagged internal cause for logs, events and tests; the wire gets `code` and the catalogue's text. */
export class OauthError extends Error {
  readonly code: ErrorCode
  readonly reason: string
  /** For the wire; printable ASCII without quotes and backslash (RFC 6749 5.2). */
  readonly description: string | null
  readonly retryAfterSeconds: number | null
  readonly evidence: Evidence | null

  constructor(
    code: ErrorCode,
    reason: string,
    description: string | null = null,
    retryAfterSeconds: number | null = null,
    evidence: Evidence | null = null,
  ) {
    super(`${code}: ${reason}`)
    this.code = code
    this.reason = reason
    this.description = description
    this.retryAfterSeconds = retryAfterSeconds
    this.evidence = evidence
    Object.defineProperty(this, mark, { value: true })
  }
}

/** Works across the two hosts' copies of this module, where `instanceof` does not. */
export function isOauthError(error: unknown): error is OauthError {
  return typeof error === 'object' && error !== null && mark in error
}

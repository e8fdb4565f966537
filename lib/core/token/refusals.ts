/** Refusals as clients receive them from the endpoints where they authenticate (RFC 6749 5.2). */
import { catalog, type ErrorCode } from '#lib/errors/catalog.ts'
import { isOauthError, type OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'

export type RefusedOutcome = { readonly kind: 'refused'; readonly refusal: TokenError }

export type TokenError = {
  readonly code: ErrorCode
  /** Sent instead of the code: an extension chose it. */
  readonly wireCode?: string
  /** For the developer of the client; contains nothing that was sent. */
  readonly description: string
  readonly retryAfterSeconds: number | null
}

export function toTokenError(error: OauthError): TokenError {
  return {
    code: error.code,
    ...(error.wireCode === null ? {} : { wireCode: error.wireCode }),
    description: error.description ?? catalog[error.code].description,
    retryAfterSeconds: error.retryAfterSeconds,
  }
}

/** Runs an endpoint where clients authenticate, other than the token endpoint: a refusal becomes an event and an outcome. */
export async function withRefusals<Answered>(
  ports: Ports,
  endpoint: string,
  context: RequestContext,
  run: () => Promise<Answered>,
): Promise<Answered | RefusedOutcome> {
  try {
    return await run()
  } catch (error) {
    if (!isOauthError(error)) throw error
    const event = { name: 'request_refused', outcome: 'failure', reason: error.reason } as const
    ports.events.record({ ...event, details: { endpoint } }, context)
    return { kind: 'refused', refusal: toTokenError(error) }
  }
}

/** Refusals of the endpoints where clients authenticate (RFC 6749 5.2). */
import { isOauthError, type OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'

export type RefusedOutcome = { readonly kind: 'refused'; readonly refusal: SentError }

/** The error without the parts that are only for the events: the values of the request, and the reason. */
export type SentError = Pick<OauthError, 'code' | 'wireCode' | 'description' | 'retryAfterSeconds'>

export function refusedOutcome({
  code,
  wireCode,
  description,
  retryAfterSeconds,
}: OauthError): RefusedOutcome {
  return { kind: 'refused', refusal: { code, wireCode, description, retryAfterSeconds } }
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
    return refusedOutcome(error)
  }
}

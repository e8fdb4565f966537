/** The event of a refusal at the neighbours of the token endpoint. */
import type { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'

export function recordRefusal(
  ports: Ports,
  { error, endpoint }: { readonly error: OauthError; readonly endpoint: 'introspection' | 'revocation' },
  context: RequestContext,
): void {
  const { reason } = error
  ports.events.record({ name: 'request_refused', outcome: 'failure', reason, details: { endpoint } }, context)
}

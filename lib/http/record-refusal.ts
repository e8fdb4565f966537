/** What is refused before the core looks at it leaves its event, too: its page carries a reference (LG-01). */
import type { CheckResult } from '#lib/ports/events.ts'
import { authorizeChecks, callerChecks } from '#lib/protocol/wire/request-checks.ts'
import type { EndpointOptions } from './dispatch.ts'
import type { EndpointServices, Exchange } from './exchange.ts'
import type { Refused } from './refused.ts'

export function recordRefusal<S extends EndpointServices>(
  { pattern, refusal }: Pick<EndpointOptions<S>, 'pattern' | 'refusal'>,
  { services, context }: Exchange<S>,
  { reason, status }: Pick<Refused, 'reason' | 'status'>,
): void {
  if (reason === null || reason === 'admin_not_allowed') return
  const event = { outcome: 'failure', reason, details: { endpoint: pattern } } as const
  // An internal error is not a fault of the request
  if (refusal === undefined || status >= 500)
    services.events?.record({ ...event, name: 'request_refused' }, context)
  else services.events?.record({ ...event, name: refusal, checks: unreadable(refusal) }, context)
}

function unreadable(refusal: 'authorize_refused' | 'token_refused'): readonly CheckResult[] {
  const names = refusal === 'authorize_refused' ? authorizeChecks : callerChecks
  return names.map((check, index) => ({ check, result: index === 0 ? 'failed' : 'not_reached', atMs: null }))
}

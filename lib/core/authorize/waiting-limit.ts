/** How many requests one address may have waiting for people, whatever browsers it says they come from (LIM-06). */
import { rateLimits } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RateLimitRule } from '#lib/ports/sessions.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { addressKey } from '#lib/protocol/text/addresses.ts'

/** Counts one more. Throws `too_many_requests`: a page, for whoever is sent on would come back at once. */
export async function countWaiting(
  { rateLimiter, clock }: Ports,
  { address }: RequestContext,
): Promise<void> {
  if (address === null) return
  const permit = await rateLimiter.consume([ruleOf(address)], clock.now())
  if (permit.kind === 'allowed') return
  throw new OauthError('waiting_throttled', { retryAfterSeconds: permit.retryAfterSeconds })
}

/** It ended with a grant: people who sign in are no flood, however many share an address. */
export async function uncountWaiting(
  { rateLimiter, clock }: Ports,
  { address }: RequestContext,
): Promise<void> {
  if (address !== null) await rateLimiter.refund([ruleOf(address)], clock.now())
}

function ruleOf(address: string): RateLimitRule {
  return { key: JSON.stringify(['waiting:address', addressKey(address)]), ...rateLimits.waitingAddress }
}

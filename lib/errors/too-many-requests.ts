import { OauthError } from './oauth-error.ts'
import type { ReasonFor } from './reasons.ts'

/** The rate limit was exceeded: the description and `Retry-After` say when to try again. */
export function tooManyRequests(reason: ReasonFor<'too_many_requests'>, seconds: number): OauthError {
  const wait = Math.max(1, Math.ceil(seconds))
  const description = `Too many attempts. Try again in ${wait} ${wait === 1 ? 'second' : 'seconds'}.`
  return new OauthError(reason, { description, retryAfterSeconds: seconds })
}

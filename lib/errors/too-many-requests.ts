import { OauthError } from './oauth-error.ts'

/** Tries ran out: says when there are some again, in the answer as in `Retry-After`. */
export function tooManyRequests(reason: string, seconds: number): OauthError {
  const wait = Math.max(1, Math.ceil(seconds))
  const description = `Too many tries. Try again in ${wait} ${wait === 1 ? 'second' : 'seconds'}.`
  return new OauthError('too_many_requests', reason, description, seconds)
}

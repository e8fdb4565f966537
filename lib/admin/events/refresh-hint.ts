/** Gives advice in the trace of a redeemed code, for a client that expected a refresh token. */
import type { StoredEvent } from '#lib/ports/events.ts'
import { reasonOf, reasonTextOf } from './reason-words.ts'

/**
 * Returns why there is no refresh token although `offline_access` was requested, and what to change. `null` for other
 * events than tokens for a code, and if `offline_access` was not ignored.
 * @param events the events of the sign-in
 */
export function refreshHint({ name, grantType }: StoredEvent, events: readonly StoredEvent[]): string | null {
  if (name !== 'tokens_issued' || grantType !== 'authorization_code') return null
  const answer = events.find(event => event.name === 'authorize_answered' && reasonOf(event) !== null)
  const text = answer === undefined ? null : reasonTextOf(answer)
  return text === null ? null : `There is no refresh token: ${text.cause}. ${text.remedy ?? ''}`
}

/** Describes the reasons of stored events in words. */
import { providerFailureSentence } from '#lib/errors/provider-failures.ts'
import { knownReason, type Reason, type ReasonRow, reasonRow } from '#lib/errors/reasons.ts'
import type { StoredEvent } from '#lib/ports/events.ts'

/** The reason of an event; `null` if it has none, or one that this release does not know. */
export function reasonOf({ reason }: Pick<StoredEvent, 'reason'>): Reason | null {
  // Earlier releases appended the provider's error code after a colon
  return reason === null ? null : knownReason(reason.split(':', 1)[0] ?? '')
}

/** Reasons of failures whose events are stored without a reason, because their name implies it. */
const impliedReasons: Readonly<Partial<Record<StoredEvent['name'], Reason>>> = {
  code_replayed: 'code_replayed',
  refresh_token_replayed: 'refresh_token_replayed',
  sign_in_limited: 'sign_in_rate_limited',
  client_authentication_limited: 'client_rate_limited',
}

/** Adds the reason that the name of the event implies. */
export function withImpliedReason(event: StoredEvent): StoredEvent {
  const implied = event.outcome === 'failure' ? impliedReasons[event.name] : undefined
  return event.reason === null && implied !== undefined ? { ...event, reason: implied } : event
}

/** The texts about the reason of an event; `null` if there are none. */
export function reasonTextOf(event: Pick<StoredEvent, 'reason'>): ReasonRow | null {
  const reason = reasonOf(event)
  return reason === null ? null : reasonRow(reason)
}

/** The cause as the end of a sentence. A reason of another release is shown by its name. */
export function reasonWords(stored: string): string {
  return reasonTextOf({ reason: stored })?.cause ?? stored.replaceAll('_', ' ')
}

/** The failure of an identity provider as the end of a sentence. */
export function providerWords(event: Pick<StoredEvent, 'reason' | 'details'>): string {
  const reason = reasonOf(event)
  const { answer = event.reason?.split(':')[1] } = event.details
  if (reason === null || typeof answer !== 'string') return reasonWords(event.reason ?? '')
  const sentence = providerFailureSentence({ reason, answer })
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '')
}

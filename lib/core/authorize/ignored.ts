/** Notes in the event of an authorization request which of its parts have no effect. */
import type { Event } from '#lib/ports/events.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { requestedProvider } from './sign-in-providers.ts'
import type { ValidAuthorizeRequest } from './validate.ts'

type Requested = {
  readonly request: Pick<ValidAuthorizeRequest, 'acrValues'>
  readonly client: Client
  /** The providers that the client may use. */
  readonly providers: readonly IdentityProvider[]
}

/** Whether `acr_values` names an identity provider that the client cannot use. */
export function ignoresProvider(
  acrValues: string | undefined,
  { request, client, providers }: Requested,
): boolean {
  if (acrValues === undefined || !/(^| )idp:/.test(acrValues)) return false
  return requestedProvider(request, client, providers) === null
}

/**
 * Adds the names of ignored parameters to an event.
 * @param names the ignored parameters of a new request; absent for a stored one, whose first event named them
 */
export function withIgnored(
  event: Event,
  names: readonly string[] | undefined,
  isProviderIgnored: boolean,
): Event {
  if (names === undefined) return event
  const ignored = isProviderIgnored ? [...names, 'acr_values=idp:'] : names
  return ignored.length === 0
    ? event
    : { ...event, details: { ...event.details, ignored: ignored.join(' ') } }
}

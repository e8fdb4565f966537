/** Finds the remedy for a refusal: a sentence, and sometimes an offer to apply it. */
import type { CheckResult } from '#lib/errors/checks.ts'
import type { RemedyPlace } from '#lib/errors/reasons.ts'
import type { StoredEvent } from '#lib/ports/events.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import { may } from '../access/permissions.ts'
import { clientPath, userPath } from '../page-paths.ts'
import { type EventOffer, eventOffer, eventOffers, offerFor, offerState } from './event-offers.ts'
import { reasonTextOf } from './reason-words.ts'

export type Remedy = {
  readonly sentence: string
  /** A form that applies the remedy; `null` if none is offered to this admin, or if the remedy is applied already. */
  readonly action: EventOffer | null
  /**
   * The page of the dashboard where the remedy can be applied by hand; `null` if there is none, or if the role may not open it.
   */
  readonly href: string | null
  /** A sentence if the remedy is already applied; otherwise `null`. */
  readonly done: string | null
}

type Refusal = Pick<StoredEvent, 'reason' | 'clientId' | 'subject' | 'grantType'>
type Ports = Parameters<typeof offerState>[0]
type Reader = Parameters<typeof offerState>[2]

/** Finds the remedy, limited to what the role of `reader` permits. Returns `null` if no remedy is known. */
export async function remedyFor(
  ports: Ports,
  refusal: Refusal,
  failed: CheckResult | null,
  reader: Reader,
): Promise<Remedy | null> {
  const { remedy, place = null } = reasonTextOf(refusal) ?? {}
  if (remedy === undefined) return null
  const href = addressOf(place, refusal, reader)
  const wanted = offerFor(refusal, failed?.sent)
  if (wanted?.name === 'allow_scope' && wanted.value === adminScope)
    return { sentence: adminScopeAsked, action: null, href, done: null }
  const state = wanted === null ? 'closed' : await offerState(ports, wanted, reader)
  return {
    sentence: remedy,
    action: wanted !== null && state === 'open' ? eventOffer(wanted) : null,
    href,
    done: wanted !== null && state === 'done' ? eventOffers[wanted.name].done : null,
  }
}

const adminScopeAsked = `No action needed: anyone can request ${adminScope} in the name of a client. An owner who wants the client to administer this service allows the scope on the client’s page.`

/** The address of the page for a remedy; `null` if it has no page, or if the role may not open it. */
function addressOf(
  place: RemedyPlace | null,
  { clientId, subject }: Refusal,
  { role }: Reader,
): string | null {
  if (place === null) return null
  if (place === 'user') {
    if (!may(role, 'users:read')) return null
    return subject === null ? '/admin/users' : userPath(subject)
  }
  if (place === 'clients' || clientId === null) return '/admin/clients'
  return clientPath(clientId, place === 'client' ? 'settings' : 'secrets')
}

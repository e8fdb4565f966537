/** Finds the remedy for a refusal: a sentence, and sometimes an offer to apply it. */
import type { CheckResult } from '#lib/errors/checks.ts'
import type { RemedyPlace } from '#lib/errors/reasons.ts'
import type { StoredEvent } from '#lib/ports/events.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import { isCut } from '#lib/protocol/text/addresses.ts'
import { may } from '../access/permissions.ts'
import { clientPath, userPath } from '../page-paths.ts'
import {
  type EventOffer,
  type EventOfferName,
  eventOffer,
  offerState,
  type WantedOffer,
} from './event-offers.ts'
import { reasonTextOf } from './reason-words.ts'

export type Remedy = {
  readonly sentence: string
  /** A form that applies the remedy; `null` if there is none, or if this admin may not use it. */
  readonly action: EventOffer | null
  /** The page of the dashboard where the remedy can be applied by hand. */
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
  const wanted = offerFor(refusal, failed)
  if (wanted?.name === 'allow_scope' && wanted.value === adminScope)
    return { sentence: adminScopeAsked, action: null, href, done: null }
  const state = wanted === null ? 'closed' : await offerState(ports, wanted, reader)
  return {
    sentence: remedy,
    action: wanted !== null && state === 'open' ? eventOffer(wanted) : null,
    href,
    done: wanted !== null && state === 'done' ? doneSentences[wanted.name] : null,
  }
}

const adminScopeAsked = `No action needed: anyone can request ${adminScope} in the name of a client. An owner who wants the client to administer this service allows the scope on the client’s page.`

const doneSentences: Readonly<Record<EventOfferName, string>> = {
  add_redirect_uri: 'This redirect URI is registered now.',
  allow_scope: 'The client may request this scope now.',
  allow_grant_type: 'The client may use this grant type now.',
  enable_client: 'The client is enabled now.',
  unlock_user: 'The account is not locked now.',
  allow_sign_in: 'Sign-in is not blocked now.',
}

function offerFor({ reason, clientId, subject }: Refusal, failed: CheckResult | null): WantedOffer | null {
  if (reason === 'account_disabled' && subject !== null)
    return { name: 'unlock_user', input: { sub: subject, enabled: 'true' }, value: subject }
  if (clientId === null) return null
  const ofClient = { client_id: clientId }
  if (reason === 'client_disabled')
    return { name: 'enable_client', input: { ...ofClient, enabled: 'true' }, value: clientId }
  const value = failed?.sent
  if (value === undefined || isCut(value)) return null
  if (reason === 'redirect_uri_mismatch')
    return { name: 'add_redirect_uri', input: { ...ofClient, redirect_uri: value }, value }
  if (reason === 'scope_not_allowed')
    return { name: 'allow_scope', input: { ...ofClient, scope: value }, value }
  if (reason === 'grant_type_not_allowed')
    return { name: 'allow_grant_type', input: { ...ofClient, grant_type: value }, value }
  return null
}

/** The address of the page for a remedy; `null` for a page that the role may not open. */
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

/**
 * The actions that the dashboard offers because of an event, on its page or on that of the user. Strangers can cause many of
 * these events. An offer is therefore never the main button of a page, and its dialog names the consequence and who can cause
 * the event. Only admins with permission for the action get the offer. The scope `latchkey.admin` is never offered.
 */
import type { Reason } from '#lib/errors/reasons.ts'
import { findRegistration } from '#lib/ports/clients.ts'
import type { StoredEvent } from '#lib/ports/events.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import { scopeNameSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { isCut, webHost } from '#lib/protocol/text/addresses.ts'
import { may, type Permission } from '../access/permissions.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { ownersOnly } from '../clients/client-resource.ts'
import type { Actor } from '../use-case.ts'
import { refusalToTouch } from '../users/user-resource.ts'

type OfferRow = {
  /** The reason of the refusals whose pages have the offer; left out: the offer is on another page. */
  readonly reason?: Reason
  /** The name of the input for the client or user. */
  readonly idField: 'client_id' | 'sub'
  /** The name of the input for the value that was sent; left out: the action needs no value. */
  readonly valueField?: 'redirect_uri' | 'scope' | 'grant_type'
  readonly useCase: string
  readonly permission: Permission
  /** The look of the button. It is never `primary`, which would recommend an action that an attacker may want. */
  readonly look: 'plain'
  /** AD-04: whether the use case requires a fresh sign-in. */
  readonly freshSignIn: boolean
  readonly label: (value: string) => string
  /** The consequence of the action, in its dialog. */
  readonly consequence: (value: string) => string
  /** A warning in the dialog: who can cause the event, and what to check first. */
  readonly caution: string
  /** Whether the action already has its effect on the client. */
  readonly isDone?: (client: Client, value: string) => boolean
  /** A sentence for an action that already has its effect. */
  readonly done: string
}

const clientOffer = { idField: 'client_id', permission: 'clients:update', look: 'plain' } as const
const userOffer = { idField: 'sub', look: 'plain', freshSignIn: false } as const

export const eventOffers = {
  add_redirect_uri: {
    ...clientOffer,
    reason: 'redirect_uri_mismatch',
    valueField: 'redirect_uri',
    useCase: 'clients.add_redirect_uri',
    freshSignIn: true,
    label: () => 'Add this redirect URI',
    consequence: uri =>
      `If you add it, the authorization codes of every user of this client can be sent to ${webHost(uri) ?? uri}.`,
    caution:
      'Anyone can send such a request: add it only if you know that the address belongs to the client.',
    isDone: ({ redirectUris }, uri) => redirectUris.includes(uri),
    done: 'This redirect URI is registered now.',
  },
  allow_scope: {
    ...clientOffer,
    reason: 'scope_not_allowed',
    valueField: 'scope',
    useCase: 'clients.allow_scope',
    freshSignIn: true,
    label: scope => `Allow ${scope}`,
    consequence: scope => `The client can then request ${scope} for each of its users.`,
    caution: 'Anyone can send such a request: allow it only if you know that the client needs the scope.',
    isDone: ({ scopes }, name) => scopes.some(scope => scope === name),
    done: 'The client may request this scope now.',
  },
  allow_grant_type: {
    ...clientOffer,
    reason: 'grant_type_not_allowed',
    valueField: 'grant_type',
    useCase: 'clients.allow_grant_type',
    freshSignIn: true,
    label: () => 'Allow this grant type',
    consequence: grantType => `The client can then get tokens by ${grantType}.`,
    caution:
      'Anyone can send such a request: allow it only if you know that the client needs the grant type.',
    isDone: ({ grantTypes }, name) => grantTypes.includes(name),
    done: 'The client may use this grant type now.',
  },
  enable_client: {
    ...clientOffer,
    reason: 'client_disabled',
    useCase: 'clients.set_enabled',
    freshSignIn: false,
    label: () => 'Enable the client',
    consequence: () => 'Users can sign in to the client again, and it can get tokens.',
    caution: 'Anyone can send such a request: read in its history first why the client was disabled.',
    isDone: ({ enabled }) => enabled,
    done: 'The client is enabled now.',
  },
  unlock_user: {
    ...userOffer,
    reason: 'account_disabled',
    useCase: 'users.set_enabled',
    permission: 'users:update',
    label: () => 'Unlock the account',
    consequence: () => 'The user can sign in again.',
    caution:
      'Anyone who has the password can try to sign in, whatever the lock was for: find out first why the account was locked.',
    done: 'The account is not locked now.',
  },
  /** Offered on the page of the user while failed attempts block the sign-in. */
  allow_sign_in: {
    ...userOffer,
    useCase: 'users.allow_sign_in',
    permission: 'users:reset',
    label: () => 'Allow sign-in again',
    consequence: () => 'Deletes the failed attempts. The user can sign in again immediately.',
    caution: 'Anyone who knows the user name can cause this block, also by guessing the password.',
    done: 'Sign-in is not blocked now.',
  },
} as const satisfies Readonly<Record<string, OfferRow>>

export type EventOfferName = keyof typeof eventOffers
const rows: Readonly<Record<EventOfferName, OfferRow>> = eventOffers
const offerNames = Object.keys(eventOffers).filter(isOfferName)

function isOfferName(name: string): name is EventOfferName {
  return Object.hasOwn(eventOffers, name)
}

/**
 * An offer about one client or user. `value` is the redirect URI, scope or grant type of the request, or the ID of the client
 * or user if the action needs no such value.
 */
export type WantedOffer = {
  readonly name: EventOfferName
  readonly input: Readonly<Record<string, string>>
  readonly value: string
}

type Refusal = Pick<StoredEvent, 'reason' | 'clientId' | 'subject'>

/**
 * The offer for a refused request. `sent` is the value that was refused. Returns `null` if the reason has no offer, or if the
 * client, the user or the whole value that the offer needs is not known.
 */
export function offerFor(
  { reason, clientId, subject }: Refusal,
  sent: string | undefined,
): WantedOffer | null {
  const name = offerNames.find(each => rows[each].reason === reason)
  if (name === undefined) return null
  const { idField, valueField } = rows[name]
  const id = idField === 'sub' ? subject : clientId
  if (id === null) return null
  if (valueField === undefined) return { name, input: { [idField]: id, enabled: 'true' }, value: id }
  if (sent === undefined || isCut(sent)) return null
  return { name, input: { [idField]: id, [valueField]: sent }, value: sent }
}

export type EventOffer = {
  readonly name: EventOfferName
  /** The use case that performs the action. */
  readonly useCase: string
  readonly permission: Permission
  readonly input: WantedOffer['input']
  readonly label: string
  /** The text of the dialog. */
  readonly warning: string
}

export function eventOffer({ name, input, value }: WantedOffer): EventOffer {
  const { useCase, permission, label, consequence, caution } = rows[name]
  return {
    ...{ name, useCase, permission, input },
    label: label(value),
    warning: `${consequence(value)} ${caution}`,
  }
}

type Ports = Pick<AdminPorts, 'clients' | 'adminLists' | 'users' | 'scopes' | 'administrators'>

/**
 * The state of an offer. `open`: this admin may do it. `done`: it already has the effect. `closed`: this admin may not do it, it
 * is not possible, or it is never offered.
 */
export type OfferState = 'open' | 'done' | 'closed'

export async function offerState(
  ports: Ports,
  wanted: WantedOffer,
  actor: Pick<Actor, 'role'>,
): Promise<OfferState> {
  const { client_id: clientId, sub } = wanted.input
  const isPermitted = may(actor.role, eventOffers[wanted.name].permission)
  if (sub !== undefined) return stateOfUser(ports, sub, { actor, isPermitted })
  const registration = await findRegistration(ports, clientId ?? null)
  if (registration === null) return 'closed'
  const { client } = registration
  if (rows[wanted.name].isDone?.(client, wanted.value) === true) return 'done'
  if (!isPermitted || !(await isPossible(ports, wanted))) return 'closed'
  // Built-in clients are not stored and cannot be changed
  const stored = await ports.adminLists.client(client.clientId)
  if (stored === null) return 'closed'
  return (await ownersOnly(ports, stored, { actor })) === null ? 'open' : 'closed'
}

type Asking = { readonly actor: Pick<Actor, 'role'>; readonly isPermitted: boolean }

async function stateOfUser(ports: Ports, sub: string, { actor, isPermitted }: Asking): Promise<OfferState> {
  const subject = subjectIdSchema.safeParse(sub)
  const user = subject.success ? await ports.users.findBySubject(subject.data) : null
  if (user === null) return 'closed'
  if (user.enabled) return 'done'
  if (!isPermitted) return 'closed'
  return (await refusalToTouch(ports, user.subject, { actor })) === null ? 'open' : 'closed'
}

async function isPossible({ scopes }: Ports, { name, value }: WantedOffer): Promise<boolean> {
  if (name !== 'allow_scope') return true
  const scope = scopeNameSchema.safeParse(value)
  if (!scope.success || scope.data === adminScope) return false
  return (await scopes.find(scope.data))?.scope.enabled === true
}

/**
 * The actions that the dashboard offers on the page of an event. Anyone can cause such an event by sending a request. An offer is
 * therefore never the main button of a page, its dialog names the consequence and who can cause the event, and only admins who
 * may do it see it. The scope `latchkey.admin` is never offered.
 */
import { findRegistration } from '#lib/ports/clients.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import { scopeNameSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { may, type Permission } from '../access/permissions.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { ownersOnly } from '../clients/client-resource.ts'
import type { Actor } from '../use-case.ts'
import { refusalToTouch } from '../users/user-resource.ts'

type OfferRow = {
  readonly useCase: string
  readonly permission: Permission
  /** Never `primary`, which would recommend an action that an attacker may have caused. */
  readonly look: 'plain'
  /** AD-04: whether the use case requires a fresh sign-in. */
  readonly freshSignIn: boolean
  readonly label: (value: string) => string
  /** The consequence of the action, in its dialog. */
  readonly consequence: (value: string) => string
  /** A warning in the dialog: who can cause the event, and what to check first. */
  readonly caution: string
}

const clientOffer = { permission: 'clients:update', look: 'plain' } as const
const userOffer = { look: 'plain', freshSignIn: false } as const

export const eventOffers = {
  add_redirect_uri: {
    ...clientOffer,
    useCase: 'clients.add_redirect_uri',
    freshSignIn: true,
    label: () => 'Add this redirect URI',
    consequence: uri =>
      `If you add it, the authorization codes of every user of this client can be sent to ${hostOf(uri)}.`,
    caution:
      'Anyone can send such a request: add it only if you know that the address belongs to the client.',
  },
  allow_scope: {
    ...clientOffer,
    useCase: 'clients.allow_scope',
    freshSignIn: true,
    label: scope => `Allow ${scope}`,
    consequence: scope => `The client can then request ${scope} for each of its users.`,
    caution: 'Anyone can send such a request: allow it only if you know that the client needs the scope.',
  },
  allow_grant_type: {
    ...clientOffer,
    useCase: 'clients.allow_grant_type',
    freshSignIn: true,
    label: () => 'Allow this grant type',
    consequence: grantType => `The client can then get tokens by ${grantType}.`,
    caution:
      'Anyone can send such a request: allow it only if you know that the client needs the grant type.',
  },
  enable_client: {
    ...clientOffer,
    useCase: 'clients.set_enabled',
    freshSignIn: false,
    label: () => 'Enable the client',
    consequence: () => 'Users can sign in to the client again, and it can get tokens.',
    caution: 'Anyone can send such a request: read in its history first why the client was disabled.',
  },
  unlock_user: {
    ...userOffer,
    useCase: 'users.set_enabled',
    permission: 'users:update',
    label: () => 'Unlock the account',
    consequence: () => 'The user can sign in again.',
    caution:
      'Anyone who has the password can try to sign in, whatever the lock was for: find out first why the account was locked.',
  },
  /** Offered on the page of the user while failed attempts block the sign-in. */
  allow_sign_in: {
    ...userOffer,
    useCase: 'users.allow_sign_in',
    permission: 'users:reset',
    label: () => 'Allow sign-in again',
    consequence: () => 'Deletes the failed attempts. The user can sign in again immediately.',
    caution: 'Anyone who knows the user name can cause this block, also by guessing the password.',
  },
} as const satisfies Readonly<Record<string, OfferRow>>

export type EventOfferName = keyof typeof eventOffers

/** An offer about one client or user. `value` is the redirect URI, scope or grant type of the request. */
export type WantedOffer = {
  readonly name: EventOfferName
  readonly input: Readonly<Record<string, string>>
  readonly value: string
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
  const { useCase, permission, label, consequence, caution }: OfferRow = eventOffers[name]
  return {
    ...{ name, useCase, permission, input },
    label: label(value),
    warning: `${consequence(value)} ${caution}`,
  }
}

type Ports = Pick<AdminPorts, 'clients' | 'adminLists' | 'users' | 'scopes' | 'administrators'>

/**
 * `open`: this admin may do it. `done`: it already has the effect. `closed`: this admin may not do it, it is not possible, or it
 * is never offered.
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
  if (isDone(wanted, client)) return 'done'
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

function isDone({ name, value }: WantedOffer, client: Client): boolean {
  switch (name) {
    case 'add_redirect_uri':
      return client.redirectUris.includes(value)
    case 'allow_scope':
      return client.scopes.some(scope => scope === value)
    case 'allow_grant_type':
      return client.grantTypes.some(grantType => grantType === value)
    case 'enable_client':
      return client.enabled
    default:
      return false
  }
}

async function isPossible({ scopes }: Ports, { name, value }: WantedOffer): Promise<boolean> {
  if (name !== 'allow_scope') return true
  const scope = scopeNameSchema.safeParse(value)
  if (!scope.success || scope.data === adminScope) return false
  return (await scopes.find(scope.data))?.scope.enabled === true
}

function hostOf(uri: string): string {
  return URL.parse(uri)?.host || uri
}

/** The user whom an administrator invites: checks the input, makes the invitation with its link, and the mail. */
import { z } from 'zod'
import { userInvitation as limits } from '#lib/config/limits.ts'
import type { AuditEntry } from '#lib/ports/admin-store.ts'
import { newMail } from '#lib/ports/mail.ts'
import type { NewDelivery } from '#lib/ports/outbox.ts'
import type { UserInvitation } from '#lib/ports/user-invitations.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { isLanguageTag } from '#lib/protocol/text/language-tags.ts'
import { isMailAddress } from '#lib/protocol/text/mail-address.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { userInvitationUrl } from '#lib/protocol/wire/own-addresses.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { errorFor, type FieldError } from '../admin-result.ts'
import type { AdminCall } from '../use-case.ts'
import { claimsSchema, profileErrors } from '../users/user-resource.ts'

export const mailAddressSchema = z
  .string()
  .trim()
  .max(320)
  .refine(isMailAddress, 'must be an email address such as alice@example.com')

export const languageSchema = z.string().refine(isLanguageTag, 'must be a language tag such as "de"')

export const inviteeShape = {
  email: mailAddressSchema
    .nullable()
    .describe('null: the link is given to a user whose address is not known.'),
  claims: claimsSchema
    .default({})
    .describe(
      'The claims that the account gets, such as `name`, `role` and `groups`; not the email address.',
    ),
  locale: languageSchema.default('en').describe('The language of the mail.'),
}

const inviteeSchema = z.object(inviteeShape)
export type Invitee = z.output<typeof inviteeSchema>

/** Errors in the claims. The address is that of the invitation, which the user proves. */
export function claimErrors(claims: Invitee['claims']): readonly FieldError[] {
  const address = ['email', 'email_verified'].find(name => name in claims)
  return [
    ...profileErrors(claims, {}),
    ...errorFor('claims', address === undefined ? null : `${address} is not a claim of an invitation.`),
  ]
}

/** How the user gets the link. `mail`: only the receiver of the mail knows it. `link`: the administrator gives it to the user. */
export const waySchema = z.enum(['mail', 'link'])
export type Way = z.output<typeof waySchema>

export type MadeInvitation = {
  readonly invitation: UserInvitation
  readonly mails: readonly NewDelivery[]
  /** The link for the administrator; `null` if it was sent by mail. */
  readonly link: string | null
}

type Making = { readonly way: Way; readonly createdBy: SubjectId; readonly now: Date }

/** Makes an invitation with its link. The caller stores it together with the mail. */
export function makeInvitation(
  ports: AdminPorts,
  invitee: Invitee,
  { way, createdBy, now }: Making,
): MadeInvitation {
  const { email, claims, locale } = invitee
  const { handle, ...link } = newLink(ports, { email, way, now })
  const invitation = { ...link, id: ports.random.id(), email, claims, locale, createdBy, createdAt: now }
  return { invitation, ...deliveryOf(ports, invitation, { handle, now }) }
}

/** Makes a new link for an invitation, whose earlier link ends. */
export function renewInvitation(
  ports: AdminPorts,
  stored: UserInvitation,
  { way, now }: Pick<Making, 'way' | 'now'>,
): MadeInvitation {
  const { handle, ...link } = newLink(ports, { email: stored.email, way, now })
  const invitation = { ...stored, ...link }
  return { invitation, ...deliveryOf(ports, invitation, { handle, now }) }
}

type Linking = Pick<Making, 'way' | 'now'> & Pick<UserInvitation, 'email'>

function newLink({ random, hashing }: AdminPorts, { email, way, now }: Linking) {
  const handle = random.handle('userInvitation')
  const expiresAt = secondsAfter(now, limits.lifetimeSeconds)
  return { handle, digest: hashing.digest(handle), isMailed: way === 'mail' && email !== null, expiresAt }
}

function deliveryOf(
  ports: AdminPorts,
  { email, isMailed, locale }: UserInvitation,
  { handle, now }: { readonly handle: string; readonly now: Date },
): Pick<MadeInvitation, 'mails' | 'link'> {
  if (email === null || !isMailed)
    return { mails: [], link: userInvitationUrl(ports.settings.issuer, handle) }
  const body = { to: email, locale, content: 'user_invitation', values: { link: handle } } as const
  return { mails: [newMail(ports, body, { now, usefulSeconds: limits.lifetimeSeconds })], link: null }
}

/** Returns why no one can be invited, or not in this way; `null` if it is possible. */
export async function reasonAgainstInviting(ports: AdminPorts, way: Way): Promise<string | null> {
  const { registration } = await ports.policies.current()
  if (registration === 'closed')
    return 'Registration is closed: an invitation would not work. An owner can open it under Policies.'
  if (ports.userService.registration === undefined)
    return 'The user service of this server cannot create accounts: it lacks registration.'
  return way === 'mail' && ports.mail.kind === 'off'
    ? 'Mail is off: create a link instead, and give it to the user.'
    : null
}

/** Whether an address belongs to a user or an open invitation. */
export type Presence = 'new' | 'has_account' | 'invited'

/** Finds addresses that are the verified address of a user, or to which an invitation was sent that can still be used. */
export async function presenceOf(
  ports: AdminPorts,
  emails: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Presence>> {
  const invited = await ports.adminLists.invitedAddresses(emails, now)
  const found = emails.map(async (email): Promise<readonly [string, Presence]> => {
    const users = await ports.users.listByVerifiedEmail(email, 1)
    if (users.length > 0) return [email, 'has_account']
    return [email, invited.has(email) ? 'invited' : 'new']
  })
  return new Map(await Promise.all(found))
}

type Recorded = Pick<UserInvitation, 'id' | 'email' | 'claims' | 'isMailed' | 'expiresAt'>

/** Makes the audit row about an invitation, which names its address. */
export function auditOf(
  { entry }: Pick<AdminCall, 'entry'>,
  { id, email, claims, isMailed, expiresAt }: Recorded,
  is: { readonly before: boolean; readonly after: boolean },
): AuditEntry {
  const facts = { email, claims, by: isMailed ? 'mail' : 'link', expires_at: expiresAt.toISOString() }
  return entry({
    kind: 'user_invitation',
    id: email ?? id,
    before: is.before ? { email } : null,
    after: is.after ? facts : null,
  })
}

type GivenClaims = {
  readonly name: string
  readonly role: readonly string[]
  readonly groups: readonly string[]
}

/** The claims of the separate fields of a form or a file, without empty ones. */
export function claimsOf({ name, role, groups }: GivenClaims): Invitee['claims'] {
  return {
    ...(name === '' ? {} : { name }),
    ...(role.length === 0 ? {} : { role: [...role] }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
  }
}

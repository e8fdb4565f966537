/** Actions of the operator on the command line or when the server starts, which need no sign-in, and the owner of the demo. */
import { adminSession as limits } from '#lib/config/limits.ts'
import type { AdminWrite, AuditEntry, Change, Committed } from '#lib/ports/admin-store.ts'
import type { AdminInvitation } from '#lib/ports/administration.ts'
import { findRegistration } from '#lib/ports/clients.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { demoUsers } from '../configuration/demo.ts'
import type { LoadedConfiguration } from '../configuration/load-configuration.ts'
import { invitationFacts, invitationId, newInvitation, setUpLink } from './invitations.ts'

export type OperatorPorts = Pick<
  AdminPorts,
  | 'adminStore'
  | 'adminInvitations'
  | 'administrators'
  | 'clients'
  | 'users'
  | 'clock'
  | 'hashing'
  | 'random'
  | 'settings'
  | 'meta'
>

/** The way in which the operator acted, for the audit row. */
export type OperatorPlace = 'start' | 'command_line'

const metaName = 'first_owner_link'

/**
 * Creates the link for the first owner and invalidates the link of the previous start of the server. Returns `null` if a user is
 * an owner.
 */
export async function firstOwnerLink(ports: OperatorPorts): Promise<string | null> {
  if ((await ownersAmongUsers(ports)).length > 0) return null
  const wanted = { role: 'owner', createdBy: null, lifetimeSeconds: limits.firstOwnerSeconds } as const
  const { handle, invitation } = newInvitation(ports, wanted)
  const earlier = await ports.meta.find(metaName)
  const replaced = (await ownInvitations(ports, 'owner')).filter(({ digest }) => digest === earlier)
  await put(ports, { invitation, replaced, place: 'start' })
  await ports.meta.replace(metaName, invitation.digest)
  return setUpLink(ports.settings.issuer, handle)
}

/** Stores an invitation of the command line and withdraws the operator's open invitations for the same role. */
export async function offerInvitation(ports: OperatorPorts, invitation: AdminInvitation): Promise<void> {
  const replaced = await ownInvitations(ports, invitation.role)
  await put(ports, { invitation, replaced, place: 'command_line' })
}

type Offer = {
  readonly invitation: AdminInvitation
  readonly replaced: readonly AdminInvitation[]
  readonly place: OperatorPlace
}

async function put(ports: OperatorPorts, { invitation, replaced, place }: Offer): Promise<void> {
  const audit = entryOf(place, {
    action: 'administrators.invite',
    targetKind: 'invitation',
    targetId: invitationId(invitation.digest),
    before: null,
    after: invitationFacts(invitation),
  })
  const writes = [...replaced.map(withdrawal), { kind: 'put_invitation', invitation } as const]
  const { kind } = await ports.adminStore.commit({ writes, audit: [audit] }, ports.clock.now())
  if (kind !== 'done') throw new Error(`The invitation could not be stored (${kind}).`)
}

/** Returns the writes that withdraw the operator's other invitations for the same role when `used` is accepted. */
export async function operatorWithdrawals(
  ports: Pick<AdminPorts, 'adminInvitations' | 'clock'>,
  used: AdminInvitation,
): Promise<readonly AdminWrite[]> {
  const others = (await ownInvitations(ports, used.role)).filter(({ digest }) => digest !== used.digest)
  return others.map(withdrawal)
}

export type Appointed =
  | { readonly kind: 'appointed' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'last_owner' }

/** Makes an existing user an administrator, or changes the administrator's role. */
export async function appoint(
  ports: OperatorPorts,
  { username, role }: { readonly username: string; readonly role: AdminRole },
): Promise<Appointed> {
  const user = await ports.users.findByUsername(username)
  if (user === null) return { kind: 'unknown' }
  const committed = await appointSubject(ports, { subject: user.subject, role }, 'command_line')
  return { kind: committed === 'last_owner' ? committed : 'appointed' }
}

/** Gives a subject a role, recorded as an action of the operator. Returns `last_owner` if no owner who can sign in would be left. */
export async function appointSubject(
  ports: OperatorPorts,
  { subject, role }: { readonly subject: SubjectId; readonly role: AdminRole },
  place: OperatorPlace,
): Promise<Committed['kind']> {
  const before = await ports.administrators.find(subject)
  const audit = entryOf(place, {
    action: 'administrators.set_role',
    targetKind: 'administrator',
    targetId: subject,
    before: before === null ? null : { role: before.role },
    after: { role },
  })
  const change: Change = { writes: [{ kind: 'put_administrator', subject, role }], audit: [audit] }
  return (await ports.adminStore.commit(change, ports.clock.now())).kind
}

async function ownInvitations(
  { adminInvitations, clock }: Pick<AdminPorts, 'adminInvitations' | 'clock'>,
  wanted: AdminRole,
): Promise<readonly AdminInvitation[]> {
  const open = await adminInvitations.all(clock.now())
  return open.filter(({ createdBy, role }) => createdBy === null && role === wanted)
}

function withdrawal({ digest }: AdminInvitation): AdminWrite {
  return { kind: 'remove_invitation', digest }
}

/** Makes the audit row of an action of the operator. */
export function entryOf(
  place: OperatorPlace,
  entry: Pick<AuditEntry, 'action' | 'targetKind' | 'targetId' | 'before' | 'after'>,
): AuditEntry {
  return { ...entry, actor: null, actorRole: null, requestId: place, address: null }
}

/** The owners who are users, not clients. */
async function ownersAmongUsers(
  ports: Pick<AdminPorts, 'administrators' | 'clients'>,
): Promise<readonly SubjectId[]> {
  const owners = (await ports.administrators.all()).filter(({ role }) => role === 'owner')
  const users: SubjectId[] = []
  for (const { subject } of owners) if (!(await isClient(ports, subject))) users.push(subject)
  return users
}

/** Whether a subject is a client. No user has the ID of a client. */
export async function isClient(ports: Pick<AdminPorts, 'clients'>, subject: string): Promise<boolean> {
  return (await findRegistration(ports, subject)) !== null
}

/** Makes the first demo user an owner, unless the configuration is not the demo or a user is an owner already. */
export async function seedDemoOwner(
  ports: OperatorPorts,
  { source }: Pick<LoadedConfiguration, 'source'>,
): Promise<void> {
  const subject = demoUsers[0]?.sub
  if (source !== 'demo' || subject === undefined || (await ownersAmongUsers(ports)).length > 0) return
  await appointSubject(ports, { subject: subjectIdSchema.parse(subject), role: 'owner' }, 'start')
}

/** The name and password of the demo owner; `null` without the demo, or if that user is no longer an owner. */
export async function demoOwner(
  ports: Pick<OperatorPorts, 'administrators' | 'clients'>,
  { source }: Pick<LoadedConfiguration, 'source'>,
): Promise<{ readonly username: string; readonly password: string } | null> {
  const [user] = demoUsers
  if (source !== 'demo' || user?.password === undefined) return null
  const owners = await ownersAmongUsers(ports)
  return owners.some(subject => subject === user.sub) ? { ...user, password: user.password } : null
}

/** What the operator can do from the command line or at the start, without signing in; and the owner of the demo. */
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

/** How the operator did it, for the audit row. */
export type OperatorPlace = 'start' | 'command_line'

const metaName = 'first_owner_link'

/** The link for the first owner; `null` when there is one. The link of an earlier start becomes invalid. */
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

/** From the command line. The operator has one open link for each role: an earlier one ends. */
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

/** Using one of the operator's links ends the others for that role. */
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

/** Makes an existing user an administrator, or changes the role. */
export async function appoint(
  ports: OperatorPorts,
  { username, role }: { readonly username: string; readonly role: AdminRole },
): Promise<Appointed> {
  const user = await ports.users.findByUsername(username)
  if (user === null) return { kind: 'unknown' }
  const committed = await appointSubject(ports, { subject: user.subject, role }, 'command_line')
  return { kind: committed === 'last_owner' ? committed : 'appointed' }
}

/** For an existing user. */
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

function entryOf(
  place: OperatorPlace,
  entry: Pick<AuditEntry, 'action' | 'targetKind' | 'targetId' | 'before' | 'after'>,
): AuditEntry {
  return { ...entry, actor: null, actorRole: null, requestId: place, address: null }
}

/** The owners that are users. */
async function ownersAmongUsers(
  ports: Pick<AdminPorts, 'administrators' | 'clients'>,
): Promise<readonly SubjectId[]> {
  const owners = (await ports.administrators.all()).filter(({ role }) => role === 'owner')
  const users: SubjectId[] = []
  for (const { subject } of owners) if (!(await isClient(ports, subject))) users.push(subject)
  return users
}

/** The store refuses a user and a client with the same ID. */
export async function isClient(ports: Pick<AdminPorts, 'clients'>, subject: string): Promise<boolean> {
  return (await findRegistration(ports, subject)) !== null
}

/** Only while there is no owner: an existing one is kept. */
export async function seedDemoOwner(
  ports: OperatorPorts,
  { source }: Pick<LoadedConfiguration, 'source'>,
): Promise<void> {
  const subject = demoUsers[0]?.sub
  if (source !== 'demo' || subject === undefined || (await ownersAmongUsers(ports)).length > 0) return
  await appointSubject(ports, { subject: subjectIdSchema.parse(subject), role: 'owner' }, 'start')
}

/** The demo user if it is still an owner, otherwise `null`. */
export async function demoOwner(
  ports: Pick<OperatorPorts, 'administrators' | 'clients'>,
  { source }: Pick<LoadedConfiguration, 'source'>,
): Promise<{ readonly username: string; readonly password: string } | null> {
  const [user] = demoUsers
  if (source !== 'demo' || user?.password === undefined) return null
  const owners = await ownersAmongUsers(ports)
  return owners.some(subject => subject === user.sub) ? { ...user, password: user.password } : null
}

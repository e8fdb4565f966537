/** What whoever runs the server may do without signing in: they hold its data anyway. */
import { adminSession as limits } from '#lib/config/limits.ts'
import type { AdminWrite, AuditEntry, Change, Committed } from '#lib/ports/admin-store.ts'
import type { AdminInvitation } from '#lib/ports/administration.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { invitationFacts, invitationId, newInvitation, setUpLink } from './invitations.ts'
import { peopleWhoOwn } from './owners.ts'

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
>

/** Where the operator did it, for the audit row. */
export type OperatorPlace = 'start' | 'command_line'

/** The link for the first owner; `null` when there is one. A link from an earlier start is worth nothing any more. */
export async function firstOwnerLink(ports: OperatorPorts): Promise<string | null> {
  if ((await peopleWhoOwn(ports)).length > 0) return null
  const wanted = { role: 'owner', createdBy: null, lifetimeSeconds: limits.firstOwnerSeconds } as const
  const { handle, invitation } = newInvitation(ports, wanted)
  await offerInvitation(ports, invitation, 'start')
  return setUpLink(ports.settings.issuer, handle)
}

/** The operator has one open invitation at a time: older ones end. */
export async function offerInvitation(
  ports: OperatorPorts,
  invitation: AdminInvitation,
  place: OperatorPlace,
): Promise<void> {
  const before = await operatorInvitations(ports)
  const audit = entryOf(place, {
    action: 'administrators.invite',
    targetKind: 'invitation',
    targetId: invitationId(invitation.digest),
    before: null,
    after: invitationFacts(invitation),
  })
  const writes = [...before.map(withdrawal), { kind: 'put_invitation', invitation } as const]
  await done(ports, { writes, audit: [audit] })
}

/** The writes that end every open invitation of the operator but one. */
export async function operatorWithdrawals(
  ports: Pick<AdminPorts, 'adminInvitations' | 'clock'>,
  but: AdminInvitation,
): Promise<readonly AdminWrite[]> {
  const others = (await operatorInvitations(ports)).filter(({ digest }) => digest !== but.digest)
  return others.map(withdrawal)
}

export type Appointed =
  | { readonly kind: 'appointed' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'last_owner' }

/** Makes somebody who has an account an administrator, or gives them another role. */
export async function appoint(
  ports: OperatorPorts,
  { username, role }: { readonly username: string; readonly role: AdminRole },
): Promise<Appointed> {
  const user = await ports.users.findByUsername(username)
  if (user === null) return { kind: 'unknown' }
  const committed = await appointSubject(ports, { subject: user.subject, role }, 'command_line')
  return { kind: committed === 'last_owner' ? committed : 'appointed' }
}

/** For somebody who is known to exist. */
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

async function operatorInvitations({
  adminInvitations,
  clock,
}: Pick<AdminPorts, 'adminInvitations' | 'clock'>): Promise<readonly AdminInvitation[]> {
  return (await adminInvitations.all(clock.now())).filter(({ createdBy }) => createdBy === null)
}

function withdrawal({ digest }: AdminInvitation): AdminWrite {
  return { kind: 'remove_invitation', digest }
}

function entryOf(
  place: OperatorPlace,
  entry: Pick<AuditEntry, 'action' | 'targetKind' | 'targetId' | 'before' | 'after'>,
): AuditEntry {
  return { ...entry, actor: null, actorRole: null, referenceId: place, address: null }
}

async function done({ adminStore, clock }: OperatorPorts, change: Change): Promise<void> {
  const { kind } = await adminStore.commit(change, clock.now())
  if (kind !== 'done') throw new Error(`The invitation could not be stored (${kind}).`)
}

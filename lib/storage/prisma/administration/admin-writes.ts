/** Each kind of change an admin can commit, on the tables of one transaction. */
import type { AdminWrite } from '#lib/ports/admin-store.ts'
import type { Tables } from '../../database.ts'
import { applyChanges } from '../configuration/configuration.ts'
import { Refused, requireVersion, writeConfigured } from '../configuration/configuration-writes.ts'
import { putUser } from '../configuration/configured-users.ts'
import { keyToRow } from '../configuration/signing-keys.ts'
import { equals } from '../equals.ts'
import { endSessions, removeConsents, revokeGrants } from './admin-endings.ts'
import { removeAdministrator } from './administrators.ts'

/** Returns how many rows changed. Throws `Refused` when it must not be written. */
export async function writeAdmin(tables: Tables, write: AdminWrite, now: Date): Promise<number> {
  switch (write.kind) {
    case 'import':
      for (const expected of write.expected) await requireVersion(tables, expected)
      return (await applyChanges(tables, { put: write.put, remove: {} }, now)).written
    case 'end_sessions':
      return endSessions(tables, write.selection, now)
    case 'revoke_grants':
      return revokeGrants(tables, write.selection, now)
    case 'remove_consents':
      return removeConsents(tables, write.selection, now)
    case 'put_administrator':
      return putAdministrator(tables, write, now)
    case 'remove_administrator':
      return removeAdministrator(tables, write.subject)
    case 'put_invitation':
      await tables.adminInvitation.create({ data: { ...write.invitation } })
      return 1
    case 'remove_invitation':
      return count(tables.adminInvitation.deleteMany({ where: { digest: equals(write.digest) } }))
    case 'accept_invitation':
      return acceptInvitation(tables, write, now)
    case 'create_key':
      await tables.signingKey.create({ data: keyToRow(write.key) })
      return 1
    case 'schedule_key': {
      const { kid, retiresAt, expiresAt } = write
      return count(
        tables.signingKey.updateMany({ where: { kid: equals(kid) }, data: { retiresAt, expiresAt } }),
      )
    }
    case 'remove_key':
      return count(tables.signingKey.deleteMany({ where: { kid: equals(write.kid) } }))
    default:
      return (await writeConfigured(tables, write, now)) ? 1 : 0
  }
}

/** Whether other writers of the configuration must wait. */
export function touchesConfiguration({ kind }: AdminWrite): boolean {
  return /^(import|accept_invitation|(put|remove)_(client|scope|provider|user))$/.test(kind)
}

async function putAdministrator(
  tables: Tables,
  { subject, role }: { readonly subject: string; readonly role: string },
  now: Date,
): Promise<number> {
  const create = { subject, role, createdAt: now }
  await tables.administrator.upsert({ where: { subject }, create, update: { role } })
  return 1
}

type Acceptance = Extract<AdminWrite, { kind: 'accept_invitation' }>

async function acceptInvitation(
  tables: Tables,
  { digest, subject, newUser }: Acceptance,
  now: Date,
): Promise<number> {
  const where = { digest: equals(digest), expiresAt: { gt: now } }
  const invitation = await tables.adminInvitation.findFirst({ where })
  if (invitation === null || (await count(tables.adminInvitation.deleteMany({ where }))) !== 1)
    throw new Refused({ kind: 'gone' })
  if (newUser !== null) await putUser(tables, newUser, now)
  return putAdministrator(tables, { subject, role: invitation.role }, now)
}

async function count(change: Promise<{ readonly count: number }>): Promise<number> {
  return (await change).count
}

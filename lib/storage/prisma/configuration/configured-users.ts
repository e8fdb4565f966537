/** Writing one person. */
import { ConfigurationConflict, type UserToPut } from '#lib/ports/configuration-store.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import type { Tables } from '../../database.ts'
import { isDuplicate } from '../../row-errors.ts'
import { removeAdministrator } from '../administration/administrators.ts'
import { equals } from '../equals.ts'
import { endEverything } from '../grants/end-everything.ts'
import { userFromRow, userToRow } from '../identity/users.ts'
import { putUserTerms, removeTerms } from './search-terms.ts'

/** Creates or replaces them. False when they already were as asked. */
export async function putUser(tables: Tables, wanted: UserToPut, now: Date): Promise<boolean> {
  const row = await tables.user.findUnique({ where: { subject: wanted.subject } })
  const found = row && userFromRow(row)
  const user = found !== null && wanted.keepsPassword === true ? withPasswordOf(found, wanted) : wanted
  if (found !== null && JSON.stringify(userToRow(found)) === JSON.stringify(userToRow(user))) return false
  await refuseClientId(tables, user)
  await write(tables, user, now)
  await putUserTerms(tables, user)
  if (found !== null && endsSessions(found, user)) await endEverything(tables, user.subject, now)
  return true
}

function withPasswordOf({ passwordHash, mustChangePassword }: StoredUser, user: UserToPut): UserToPut {
  return { ...user, passwordHash, mustChangePassword }
}

/** SE-06, RT-08: another password or a locked account ends what the old one opened. */
function endsSessions(before: StoredUser, after: StoredUser): boolean {
  return before.passwordHash !== after.passwordHash || (before.enabled && !after.enabled)
}

async function refuseClientId(tables: Tables, { subject, username }: StoredUser): Promise<void> {
  const client = await tables.client.findUnique({ where: { clientId: subject } })
  if (client === null) return
  throw new ConfigurationConflict(
    `The user ${username} has the subject ${subject}, which is already a client_id.`,
  )
}

async function write(tables: Tables, user: UserToPut, now: Date): Promise<void> {
  const { passwordHash, mustChangePassword, ...others } = userToRow(user)
  const columns = { ...others, updatedAt: now }
  const password = { passwordHash, mustChangePassword }
  const create = { ...columns, ...password, version: 1, createdAt: now }
  // What is not written cannot undo what another transaction writes between the look and here
  const changed = user.keepsPassword === true ? columns : { ...columns, ...password }
  const update = { ...changed, version: { increment: 1 } }
  try {
    await tables.user.upsert({ where: { subject: user.subject }, create, update })
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw new ConfigurationConflict(`The username ${user.username} is already taken.`)
  }
}

/** Their events are anonymized (LG-07). False if the user did not exist. */
export async function removeUser(tables: Tables, subject: string, now: Date): Promise<boolean> {
  const { count } = await tables.user.deleteMany({ where: { subject: equals(subject) } })
  if (count === 0) return false
  await removeTerms(tables, 'user', subject)
  await endEverything(tables, subject, now)
  await tables.consent.deleteMany({ where: { subject } })
  await tables.visitor.deleteMany({ where: { subject } })
  await removeAdministrator(tables, subject)
  const anonymous = { subject: null, address: null, userAgent: null }
  await tables.event.updateMany({ where: { subject: equals(subject) }, data: anonymous })
  return true
}

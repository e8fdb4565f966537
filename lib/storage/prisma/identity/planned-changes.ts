/** Changes of accounts that wait. */
import type { NewDelivery } from '#lib/ports/outbox.ts'
import type {
  PlannedChange,
  PlannedChangeKind,
  PlannedChanges,
  PlannedChangeWrite,
} from '#lib/ports/planned-changes.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { Database, Tables } from '../../database.ts'
import { isDuplicate } from '../../database-errors.ts'
import type { Store } from '../../store.ts'
import { putDeliveries } from '../outbox.ts'
import { branded, changesOne, equals, type Writing } from '../rows.ts'
import { stillExists } from './change-source.ts'
import { endSessionsWith } from './passkeys.ts'
import { removeSubject, removeUser } from './put-users.ts'
import { lockAccount, lockPasskeys } from './ways-in.ts'

export const plannedChangeStore: Store<PlannedChanges> = {
  create: database => ({
    plan: async (change, notices, within) => {
      try {
        return await database.$transaction(async tables => {
          if (!(await stillExists(tables, { within, dialect: database.dialect }))) return false
          const { subject, kind } = change
          const where = { subject: equals(subject), kind: equals(kind) }
          const earlier = await tables.plannedChange.findFirst({ where })
          if (earlier !== null && (await hasEnded(tables, earlier)))
            await tables.plannedChange.deleteMany({ where: { ...where, createdAt: earlier.createdAt } })
          await tables.plannedChange.create({ data: change })
          await putDeliveries(tables, notices)
          return true
        })
      } catch (error) {
        if (!isDuplicate(error)) throw error
        return false
      }
    },
    allOf: async subject => {
      const where = { subject: equals(subject) }
      const rows = await database.plannedChange.findMany({ where, orderBy: { dueAt: 'asc' } })
      const ended = await Promise.all(rows.map(row => hasEnded(database, row)))
      return rows.filter((_, index) => ended[index] === false).map(fromRow)
    },
    cancel: (change, notices) => database.$transaction(tables => cancel(tables, change, notices)),
    due: async (kind, { until, after, most }) => {
      const where = { kind: equals(kind), dueAt: { lte: until }, ...(after === null ? {} : behind(after)) }
      const orderBy = [{ dueAt: 'asc' }, { subject: 'asc' }] as const
      const rows = await database.plannedChange.findMany({ where, orderBy: [...orderBy], take: most })
      return rows.map(fromRow)
    },
    start: (change, { now, repeatSeconds }) => {
      const isFree = [{ startedAt: null }, { startedAt: { lte: secondsAfter(now, -repeatSeconds) } }]
      const where = { ...asRead(change), OR: isFree }
      return changesOne(database.plannedChange.updateMany({ where, data: { startedAt: now } }))
    },
    removePasskeys: (change, { now, notices }) =>
      database.$transaction(async tables => {
        await lockWaysIn(tables, change, database)
        if (!(await changesOne(tables.plannedChange.deleteMany({ where: asRead(change) })))) return false
        if (!(await removeLostPasskeys(tables, change, now))) return false
        await putDeliveries(tables, notices)
        return true
      }),
  }),
}

/** Ends a change in the transaction of `tables`. Returns false, and writes nothing, if another caller has ended it. */
export function endPlannedChange(
  tables: Tables,
  write: PlannedChangeWrite,
  writing: Writing,
): Promise<boolean> {
  return write.kind === 'delete_account'
    ? deleteAccount(tables, write, writing)
    : cancel(tables, write.change, write.notices)
}

async function cancel(
  tables: Tables,
  { subject, kind }: Pick<PlannedChange, 'subject' | 'kind'>,
  notices: readonly NewDelivery[],
): Promise<boolean> {
  const where = { subject: equals(subject), kind: equals(kind), startedAt: null }
  if (!(await changesOne(tables.plannedChange.deleteMany({ where })))) return false
  await putDeliveries(tables, notices)
  return true
}

type Deletion = Extract<PlannedChangeWrite, { kind: 'delete_account' }>

async function deleteAccount(
  tables: Tables,
  { change, notices }: Deletion,
  { now, dialect }: Writing,
): Promise<boolean> {
  const { subject } = change
  await lockAccount(tables, { subject, dialect })
  if (!(await changesOne(tables.plannedChange.deleteMany({ where: asRead(change) })))) return false
  // Users of a custom user service have no row here
  if (!(await removeUser(tables, subject, now))) await removeSubject(tables, subject, now)
  await putDeliveries(tables, notices)
  return true
}

/** Locks the account and its passkeys, as the transactions do that end planned changes with them. */
async function lockWaysIn(
  tables: Tables,
  { subject }: PlannedChange,
  { dialect }: Pick<Database, 'dialect'>,
): Promise<void> {
  await lockAccount(tables, { subject, dialect })
  await lockPasskeys(tables, { subject, dialect })
}

/** Selects a change that was read, but not one that the user has planned since. */
function asRead({ subject, kind, createdAt }: PlannedChange) {
  return { subject: equals(subject), kind: equals(kind), createdAt }
}

function behind({ dueAt, subject }: PlannedChange) {
  return { OR: [{ dueAt: { gt: dueAt } }, { dueAt, subject: { gt: subject } }] }
}

type Row = NonNullable<Awaited<ReturnType<Tables['plannedChange']['findFirst']>>>

/** Whether a passkey was used since its removal was planned: the user has found it. */
async function hasEnded(
  tables: Tables,
  { subject, kind, createdAt }: Pick<Row, 'subject' | 'kind' | 'createdAt'>,
): Promise<boolean> {
  if (kind !== 'remove_passkeys') return false
  const where = { subject: equals(subject), lastUsedAt: { gte: createdAt } }
  return (await tables.passkey.count({ where })) > 0
}

/** Returns false if there is nothing to remove. */
async function removeLostPasskeys(tables: Tables, change: PlannedChange, now: Date): Promise<boolean> {
  if (await hasEnded(tables, change)) return false
  const { subject, createdAt } = change
  // A passkey that was added since is not lost
  const where = { subject: equals(subject), createdAt: { lte: createdAt } }
  const lost = await tables.passkey.findMany({ where, select: { id: true } })
  const { count } = await tables.passkey.deleteMany({ where })
  // The device with the passkey may be in other hands
  for (const { id } of lost) await endSessionsWith(tables, { subject, id }, { keeps: null, now })
  return count > 0
}

function fromRow({ kind, startedAt, ...row }: Row): PlannedChange {
  const started = startedAt === null ? {} : { startedAt }
  return branded<PlannedChange>({ ...row, ...started, kind: kind as PlannedChangeKind })
}

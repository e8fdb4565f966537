/** Changes of accounts that wait. */
import type { PlannedChange, PlannedChangeKind, PlannedChanges } from '#lib/ports/planned-changes.ts'
import type { Tables } from '../../database.ts'
import { isDuplicate } from '../../database-errors.ts'
import type { Store } from '../../store.ts'
import { putDeliveries } from '../outbox.ts'
import { branded, changesOne, equals } from '../rows.ts'
import { stillExists } from './change-source.ts'
import { endSessionsWith } from './passkeys.ts'
import { removeUser } from './put-users.ts'
import { removeWaysIn } from './second-factors.ts'

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
    cancel: ({ subject, kind }, notices) =>
      database.$transaction(async tables => {
        const where = { subject: equals(subject), kind: equals(kind) }
        const isCanceled = await changesOne(tables.plannedChange.deleteMany({ where }))
        if (isCanceled) await putDeliveries(tables, notices)
        return isCanceled
      }),
    due: async (now, most) => {
      const where = { dueAt: { lte: now } }
      const orderBy = [{ dueAt: 'asc' }, { subject: 'asc' }, { kind: 'asc' }] as const
      const rows = await database.plannedChange.findMany({ where, orderBy: [...orderBy], take: most })
      return rows.map(fromRow)
    },
    carryOut: (change, { now, notices }) =>
      database.$transaction(async tables => {
        const { subject, kind, createdAt } = change
        const where = { subject: equals(subject), kind: equals(kind), createdAt }
        if (!(await changesOne(tables.plannedChange.deleteMany({ where })))) return false
        if (!(await effects[kind](tables, change, now))) return false
        await putDeliveries(tables, notices)
        return true
      }),
  }),
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

/** Returns false if there is nothing to change. */
type Effect = (tables: Tables, change: PlannedChange, now: Date) => Promise<boolean>

const effects: Readonly<Record<PlannedChangeKind, Effect>> = {
  delete_account: async (tables, { subject }, now) => {
    // Users of a custom user service have no row here
    if (!(await removeUser(tables, subject, now))) await removeWaysIn(tables, subject)
    return true
  },
  remove_passkeys: async (tables, change, now) => {
    if (await hasEnded(tables, change)) return false
    const { subject, createdAt } = change
    // A passkey that was added since is not lost
    const where = { subject: equals(subject), createdAt: { lte: createdAt } }
    const lost = await tables.passkey.findMany({ where, select: { id: true } })
    const { count } = await tables.passkey.deleteMany({ where })
    // The device with the passkey may be in other hands
    for (const { id } of lost) await endSessionsWith(tables, { subject, id }, { keeps: null, now })
    return count > 0
  },
}

function fromRow({ kind, ...row }: Row): PlannedChange {
  return branded<PlannedChange>({ ...row, kind: kind as PlannedChangeKind })
}

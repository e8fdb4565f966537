/** The outbox: stores messages, leases those that are due, and stores the results of attempts. */
import { outbox as limits } from '#lib/config/limits.ts'
import { mailContentNames, securityChanges } from '#lib/ports/mail.ts'
import type { Delivery, DeliveryState, LeasedDelivery, NewDelivery, Outbox } from '#lib/ports/outbox.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { Tables } from '../database.ts'
import { expired, type Store } from '../store.ts'
import { batchesOf, changesOne, equals } from './rows.ts'

export const outboxStore: Store<Outbox> = {
  create: database => ({
    put: messages => database.$transaction(async tables => void (await putDeliveries(tables, messages))),
    lease: async ({ lease, kinds, now, until }) => {
      const due = { nextAt: { lte: now }, kind: { in: [...kinds] }, OR: writable(now) }
      for (;;) {
        const row = await database.delivery.findFirst({ where: due, orderBy: { nextAt: 'asc' } })
        if (row === null) return null
        // A different process may have leased it in between: it is no longer due, and the next one is tried
        const isLeased = await changesOne(
          database.delivery.updateMany({
            where: { ...due, id: equals(row.id) },
            data: { lease, nextAt: until, attempts: { increment: 1 } },
          }),
        )
        if (isLeased) return leasedFromRow({ ...row, lease, attempts: row.attempts + 1 })
      }
    },
    settle: ({ id, lease, deadlineAt }, { state, status, answer, nextAt }, now) =>
      changesOne(
        database.delivery.updateMany({
          where: { id: equals(id), lease: equals(lease) },
          data: {
            ...{ state, nextAt, lease: null, lastStatus: status, lastAnswer: answer },
            ...(state === 'waiting'
              ? {}
              : { endedAt: now, expiresAt: secondsAfter(now, limits.keptSeconds) }),
            // Only a message that was given up before its deadline can be sent again
            ...(state === 'delivered' || (state === 'failed' && deadlineAt <= now)
              ? { sealedBody: null }
              : {}),
          },
        }),
      ),
    newest: async most =>
      (await database.delivery.findMany({ orderBy: { id: 'desc' }, take: most })).map(fromRow),
    newestTo: async (target, most) => {
      const where = { target: equals(target) }
      return (await database.delivery.findMany({ where, orderBy: { id: 'desc' }, take: most })).map(fromRow)
    },
    countFailed: async since => {
      // Uses the indexes: only messages that wait have a next time, and all that ended expire equally long after their end
      const [retried, givenUp] = await Promise.all([
        database.delivery.count({ where: { nextAt: { not: null }, lastAnswer: { not: null } } }),
        database.delivery.count({
          where: { expiresAt: { gte: secondsAfter(since, limits.keptSeconds) }, state: 'failed' },
        }),
      ])
      return { retried, givenUp }
    },
    countWaiting: async kind => {
      // Uses the index: only messages that wait have a next time
      const where = { nextAt: { not: null }, kind }
      const [count, oldest] = await Promise.all([
        database.delivery.count({ where }),
        database.delivery.findFirst({ where, orderBy: { createdAt: 'asc' } }),
      ])
      return { count, oldestAt: oldest?.createdAt ?? null }
    },
    find: async id => {
      const row = await database.delivery.findUnique({ where: { id } })
      return row && fromRow(row)
    },
  }),
  purge: [expired('deliveries', 'Delivery')],
}

/**
 * Selects the messages that this release can write. Others are left to nodes of the release that stored them until they are of no
 * use, so that an attempt of this one does not delay or end them. Messages of earlier releases have no detail.
 */
function writable(now: Date) {
  const details = [{ detail: null }, { detail: { in: [...securityChanges] } }]
  return [
    { deadlineAt: { lte: now } },
    { content: { in: mailContentNames.filter(name => name !== 'security_change') } },
    { content: 'security_change', OR: details },
  ]
}

/** Stores messages, to be sent as soon as the transaction is committed. */
export async function putDeliveries(tables: Tables, deliveries: readonly NewDelivery[]): Promise<number> {
  for (const batch of batchesOf(deliveries))
    await tables.delivery.createMany({
      data: batch.map(delivery => ({
        ...delivery,
        ...{ state: 'waiting', attempts: 0, nextAt: delivery.createdAt },
      })),
    })
  return deliveries.length
}

/** Makes a message due that was given up. Returns 0 if it is not given up, or its deadline has passed. */
export async function deliverAgain(tables: Tables, id: string, now: Date): Promise<number> {
  const { count } = await tables.delivery.updateMany({
    where: { id: equals(id), state: 'failed', deadlineAt: { gt: now } },
    data: { state: 'waiting', attempts: 0, nextAt: now, endedAt: null, expiresAt: null },
  })
  return count
}

type Row = NonNullable<Awaited<ReturnType<Tables['delivery']['findUnique']>>>

function fromRow({ sealedBody: _body, lease: _lease, expiresAt: _end, ...row }: Row): Delivery {
  return { ...row, kind: row.kind as Delivery['kind'], state: row.state as DeliveryState }
}

function leasedFromRow({ id, kind, sealedBody, deadlineAt, attempts, lease }: Row): LeasedDelivery {
  return {
    ...{ id, deadlineAt, attempts },
    kind: kind as Delivery['kind'],
    sealedBody: sealedBody ?? '',
    lease: lease ?? '',
  }
}

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { outbox as limits } from '#lib/config/limits.ts'
import {
  type AttemptResult,
  type DeliveryKind,
  deliveryKinds,
  type LeasedDelivery,
  type NewDelivery,
  type OutboxWrite,
} from '#lib/ports/outbox.ts'
import type { Host } from '../host.ts'
import { atOnce } from '../races.ts'
import { later, newDigest, now, sampleAuditEntry } from '../samples.ts'

export function outboxContract(host: () => Host): void {
  describe('the outbox', () => {
    const outbox = () => host().storage.outbox
    const commit = (write: OutboxWrite, at = now) =>
      host().storage.adminStore.commit({ writes: [write], audit: [sampleAuditEntry()] }, at)
    const sample = (given: Partial<NewDelivery> = {}): NewDelivery => ({
      id: `m-${newDigest()}`,
      kind: 'mail',
      target: 'alice@example.org',
      content: 'test',
      sealedBody: 'sealed',
      createdAt: now,
      deadlineAt: later(3600),
      ...given,
    })
    const put = (...deliveries: readonly NewDelivery[]) => commit({ kind: 'deliver', deliveries })
    const leaseAt = async (seconds: number, kinds: readonly DeliveryKind[] = deliveryKinds) => {
      const leased: LeasedDelivery[] = []
      const [now, until] = [later(seconds), later(seconds + 60)]
      for (;;) {
        const one = await outbox().lease({ lease: newDigest(), kinds, now, until })
        if (one === null) return leased
        leased.push(one)
      }
    }
    /** Leases everything that is due, and delivers all but these. */
    const leaseOnly = async (seconds: number, ...ids: readonly string[]) => {
      const leased = await leaseAt(seconds)
      for (const other of leased.filter(({ id }) => !ids.includes(id)))
        await outbox().settle(other, delivered, later(seconds))
      return leased.filter(({ id }) => ids.includes(id))
    }
    const only = (leased: readonly LeasedDelivery[]): LeasedDelivery => {
      const [one] = leased
      assert.ok(one !== undefined && leased.length === 1, `${leased.length} leased`)
      return one
    }
    const delivered: AttemptResult = { state: 'delivered', status: 250, answer: 'Accepted', nextAt: null }
    const failed: AttemptResult = { state: 'failed', status: 550, answer: 'No such user', nextAt: null }

    test('the newest messages to an address are listed, each with its detail', async () => {
      const target = `${newDigest()}@example.org`
      const stored = ['1', '2', '3'].map(mark => sample({ id: `m-${mark}-${newDigest()}`, target }))
      await put(...stored.slice(0, 2), {
        ...sample({ id: stored[2]?.id ?? '', target }),
        detail: 'passkey_added',
      })
      await put(sample())
      const listed = await outbox().newestTo(target, 2)
      assert.deepEqual(
        listed.map(({ id, detail }) => [id, detail]),
        [
          [stored[2]?.id, 'passkey_added'],
          [stored[1]?.id, null],
        ],
      )
    })

    test('EV-02 a message is leased to one of several callers, and again only after the lease', async () => {
      const stored = Array.from({ length: 12 }, () => sample())
      await put(...stored)
      const leases = (await atOnce(6, () => leaseAt(1))).flat()
      const ids = leases.map(({ id }) => id).filter(id => stored.some(one => one.id === id))
      assert.deepEqual(ids.toSorted(), stored.map(({ id }) => id).toSorted())
      assert.deepEqual(await leaseAt(2), [])
      assert.deepEqual(await leaseAt(61, []), [], 'kinds that the caller cannot send')
      const again = await leaseOnly(61, ...stored.map(({ id }) => id))
      assert.deepEqual(
        again.map(({ attempts }) => attempts),
        stored.map(() => 2),
      )
      for (const one of again) assert.equal(await outbox().settle(one, delivered, later(62)), true)
    })

    test('a result is stored only by the caller that has the lease', async () => {
      const { id } = sample()
      await put(sample({ id }))
      const late = only(await leaseOnly(1, id))
      const second = only(await leaseOnly(61, id))
      assert.equal(await outbox().settle(late, failed, later(62)), false)
      assert.equal((await outbox().find(id))?.state, 'waiting')
      assert.equal(await outbox().settle(second, delivered, later(63)), true)
      assert.equal(await outbox().settle(second, failed, later(64)), false)
      assert.deepEqual(await outbox().find(id), {
        ...{ id, kind: 'mail', target: 'alice@example.org', content: 'test', createdAt: now },
        ...{ deadlineAt: later(3600), state: 'delivered', attempts: 2, nextAt: null },
        ...{ lastStatus: 250, lastAnswer: 'Accepted', endedAt: later(63), detail: null },
      })
    })

    test('a message that is not delivered waits for its next attempt', async () => {
      const { id } = sample()
      await put(sample({ id }))
      const first = only(await leaseOnly(1, id))
      const waiting = { state: 'waiting', status: 450, answer: 'Busy', nextAt: later(300) } as const
      assert.equal(await outbox().settle(first, waiting, later(1)), true)
      assert.deepEqual(await leaseOnly(299, id), [])
      assert.equal(only(await leaseOnly(300, id)).attempts, 2)
    })

    test('messages count as failed while they are tried again, and for a time after they were given up', async () => {
      const before = await outbox().countFailed(later(1))
      const [retried, givenUp, fine] = [sample(), sample(), sample()]
      await put(retried, givenUp, fine)
      for (const one of await leaseOnly(1, retried.id, givenUp.id, fine.id)) {
        const waiting = { state: 'waiting', status: 450, answer: 'Busy', nextAt: later(300) } as const
        const result = one.id === retried.id ? waiting : one.id === givenUp.id ? failed : delivered
        await outbox().settle(one, result, later(2))
      }
      const counted = await outbox().countFailed(later(1))
      assert.equal(counted.retried - before.retried, 1)
      assert.equal(counted.givenUp - before.givenUp, 1)
      assert.equal((await outbox().countFailed(later(3))).givenUp, 0)
      await leaseOnly(300)
    })

    test('the messages that wait are counted with the time of the oldest, whether or not they are tried again', async () => {
      await leaseOnly(4000)
      assert.deepEqual(await outbox().countWaiting('mail'), { count: 0, oldestAt: null })
      const [old, young] = [sample({ createdAt: later(-9) }), sample({ createdAt: later(5) })]
      await put(young, old)
      const leased = await leaseOnly(6, old.id, young.id)
      const first = only(leased.filter(({ id }) => id === old.id))
      const waiting = { state: 'waiting', status: 450, answer: 'Busy', nextAt: later(300) } as const
      await outbox().settle(first, waiting, later(6))
      assert.deepEqual(await outbox().countWaiting('mail'), { count: 2, oldestAt: later(-9) })
      await leaseOnly(300)
      assert.equal((await outbox().countWaiting('mail')).count, 0)
    })

    test('a message that was given up can be sent again until its deadline, with its content', async () => {
      const { id } = sample()
      await put(sample({ id, sealedBody: 'kept' }))
      const first = only(await leaseOnly(1, id))
      const again = { kind: 'deliver_again', id } as const
      assert.equal((await commit(again, later(1))).kind, 'gone', 'it is being sent')
      await outbox().settle(first, failed, later(2))
      assert.equal((await commit(again, later(3601))).kind, 'gone', 'its deadline has passed')
      assert.equal((await commit(again, later(3))).kind, 'done')
      const second = only(await leaseOnly(4, id))
      assert.deepEqual([second.attempts, second.sealedBody], [1, 'kept'])
      await outbox().settle(second, delivered, later(5))
      assert.equal((await commit(again, later(6))).kind, 'gone', 'its content is erased')
    })

    test('a change that is refused stores no message', async () => {
      const delivery = sample()
      const writes = [
        { kind: 'deliver', deliveries: [delivery] },
        { kind: 'deliver_again', id: 'none' },
      ] as const
      const committed = await host().storage.adminStore.commit({ writes, audit: [sampleAuditEntry()] }, now)
      assert.equal(committed.kind, 'gone')
      assert.equal(await outbox().find(delivery.id), null)
    })

    test('lists the newest messages first, and deletes them some time after their end', async () => {
      const [older, newer] = [sample({ id: `zz1-${newDigest()}` }), sample({ id: `zz2-${newDigest()}` })]
      await put(older, newer)
      const listed = (await outbox().newest(2)).map(({ id }) => id)
      assert.deepEqual(listed, [newer.id, older.id])
      const first = only(await leaseOnly(1, older.id))
      await outbox().settle(first, failed, later(1))
      await host().storage.purge(later(limits.keptSeconds))
      assert.notEqual(await outbox().find(older.id), null)
      await host().storage.purge(later(limits.keptSeconds + 2))
      assert.equal(await outbox().find(older.id), null)
    })
  })
}

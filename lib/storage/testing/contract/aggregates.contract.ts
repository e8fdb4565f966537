import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { retentionSeconds } from '#lib/config/limits.ts'
import type { Additions, ClientDay, HourlyCount } from '#lib/ports/aggregates.ts'
import { dayNumber, daySeconds, startOfDay } from '#lib/protocol/time.ts'
import type { Host } from '../host.ts'
import { newDigest, now } from '../samples.ts'

/** A day on which no other test counts anything. */
const today = dayNumber(now) + 1000
const at = (day: number, hour = 0) => new Date(startOfDay(day).getTime() + hour * 3_600_000)

export function aggregatesContract(host: () => Host): void {
  describe('aggregates for charts', () => {
    const aggregates = () => host().storage.aggregates
    const add = ({ counts = [], clients = [], visits = [] }: Partial<Additions>) =>
      host().storage.eventLog.write([], { counts, clients, visits })

    test('adds hours and days up, within a batch and across concurrent batches', async () => {
      const metric = newDigest()
      const count = (label: string, hour: number, count: number): HourlyCount => ({
        hour: at(today, hour),
        metric,
        label,
        count,
      })
      const batches = Array.from({ length: 10 }, () =>
        add({ counts: [count('b', 3, 1), count('a', 4, 2), count('b', 3, 1), count('b', 23, 1)] }),
      )
      await Promise.all(batches)
      assert.deepEqual(
        await aggregates().hours({
          metrics: [metric, 'none'],
          from: at(today),
          until: at(today, 23),
          by: 'label',
        }),
        [count('b', 3, 20), count('a', 4, 20)],
      )
      const day = (label: string, count: number) => ({ day: today, metric, label, count })
      const days = (first: number, last: number, by: 'label' | 'metric' = 'label') =>
        aggregates().days({ metrics: [metric], first, last, by })
      assert.deepEqual(await days(today, today), [day('a', 20), day('b', 30)])
      assert.deepEqual(await days(today, today, 'metric'), [day('', 50)])
      assert.deepEqual(await days(today + 1, today + 9), [])
      const hours = { metrics: [metric], from: at(today, 4), until: at(today + 1), by: 'metric' as const }
      assert.deepEqual(await aggregates().hours(hours), [count('', 4, 20), count('', 23, 10)])
    })

    test('a user is counted once a day, with the days since the previous activity', async () => {
      const [one, two] = [newDigest(), newDigest()]
      const visits = (day: number, ...subjects: readonly string[]) =>
        add({ visits: subjects.map((subject, hour) => ({ subject, time: at(day, hour) })) })
      const first = today + 500
      await visits(first, one, one, two)
      await Promise.all([visits(first + 1, one), visits(first + 1, one)])
      await visits(first, one)
      await visits(first + 95, one, two)
      const counted = await aggregates().days({ metrics: ['active'], first, last: first + 95, by: 'label' })
      const expected = [
        [first, 'new', 2],
        [first + 1, '1', 1],
        [first + 95, '90', 2],
      ]
      assert.deepEqual(
        counted.map(({ day, label, count }) => [day, label, count]),
        expected,
      )
    })

    test('each user of a period is counted once, for every start of the period', async () => {
      const [one, two, three] = [newDigest(), newDigest(), newDigest()]
      const first = today + 600
      const visits: readonly (readonly [day: number, hour: number, subject: string])[] = [
        [first, 1, one],
        [first + 1, 2, one],
        [first + 1, 3, two],
        [first + 3, 4, one],
        [first + 3, 4, three],
      ]
      for (const [day, hour, subject] of visits) await add({ visits: [{ subject, time: at(day, hour) }] })
      const users = async (begin: number) => {
        const days = await aggregates().activeDays({ first: begin, last: first + 3 })
        return days.map(({ day, visits, fresh, users }) => [day - first, visits, fresh, users])
      }
      assert.deepEqual(await users(first), [
        [0, 1, 1, 1],
        [1, 2, 1, 1],
        [3, 2, 1, 1],
      ])
      assert.deepEqual(await users(first + 1), [
        [1, 2, 1, 2],
        [3, 2, 1, 1],
      ])
      assert.deepEqual(await users(first + 2), [[3, 2, 1, 2]])
      const hours = { from: at(first + 3), until: at(first + 4) }
      const hour = at(first + 3, 4)
      assert.deepEqual(await aggregates().activeHours(hours, 1), [{ hour, visits: 2, fresh: 1, users: 2 }])
      assert.deepEqual(await aggregates().activeHours(hours, 3), [{ hour, visits: 2, fresh: 1, users: 1 }])
    })

    test('activity that could not be stored is counted when it is stored later', async () => {
      const subject = newDigest()
      const visit = { subject, time: at(today + 700) }
      const bad: HourlyCount = { hour: new Date(Number.NaN), metric: 'm', label: 'l', count: 1 }
      await assert.rejects(add({ visits: [visit], counts: [bad] }))
      await add({ visits: [visit] })
      const days = { first: today + 700, last: today + 700 }
      assert.equal((await aggregates().activeDays(days))[0]?.users, 1)
    })

    test('lists the busiest clients of a period by their totals', async () => {
      const first = today + 800
      const row = (clientId: string, day: number, tokens: number, refusals = 0): ClientDay => ({
        clientId,
        day: first + day,
        tokens,
        refusals,
      })
      const rows = [row('one-day', 0, 50), row('steady', 0, 20), row('steady', 1, 20), row('steady', 2, 20)]
      await Promise.all([
        add({ clients: rows }),
        add({ clients: rows }),
        add({ clients: [row('bad', 1, 1, 9)] }),
      ])
      const busiest = (by: 'tokens' | 'refusals', limit = 9) =>
        aggregates().busiestClients({ first, last: first + 2 }, by, limit)
      assert.deepEqual(await busiest('tokens'), [
        { clientId: 'steady', tokens: 120, refusals: 0 },
        { clientId: 'one-day', tokens: 100, refusals: 0 },
        { clientId: 'bad', tokens: 1, refusals: 9 },
      ])
      assert.deepEqual(await busiest('refusals'), [{ clientId: 'bad', tokens: 1, refusals: 9 }])
      assert.equal((await busiest('tokens', 1)).length, 1)
      const before = await aggregates().busiestClients({ first: first - 9, last: first - 1 }, 'tokens', 9)
      assert.deepEqual(before, [])
    })

    test('LG-07 deletes hours and days after their retention time, and records the purge', async () => {
      const present = new Date('2003-06-01T00:00:00.000Z')
      const ago = (seconds: number) => new Date(present.getTime() - seconds * 1000)
      const metric = newDigest()
      const count = (hour: Date): HourlyCount => ({ hour, metric, label: '', count: 1 })
      const { hourlyCounts, dailyCounts } = retentionSeconds
      const oldDay = dayNumber(ago(dailyCounts + daySeconds))
      await host().storage.purge(present)
      await add({
        counts: [count(ago(hourlyCounts)), count(ago(hourlyCounts + 3600)), count(startOfDay(oldDay))],
        clients: [{ clientId: metric, day: oldDay, tokens: 1, refusals: 0 }],
        visits: [{ subject: metric, time: startOfDay(oldDay) }],
      })
      const before = await host().storage.purge(present)
      // Purged: three hourly counts (one that is too old, one of the old day, one of the visit on it), the two daily
      // counts of the old day, the day of the client, and the visitor
      assert.equal(before, 7)
      const [metrics, last] = [[metric], dayNumber(present)]
      assert.equal(
        (await aggregates().hours({ metrics, from: ago(99_999_999), until: present, by: 'label' })).length,
        1,
      )
      assert.equal((await aggregates().days({ metrics, first: oldDay, last, by: 'label' })).length, 2)
      assert.deepEqual(await host().storage.databaseStatus.purgedAt(), present)
      const purged = await aggregates().days({ metrics: ['purged'], first: last, last, by: 'label' })
      assert.ok(purged.some(({ label, count }) => label === 'counts' && count >= 7))
    })
  })
}

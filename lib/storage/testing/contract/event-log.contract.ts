import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { retentionSeconds } from '#lib/config/limits.ts'
import type { HourlyCount } from '#lib/ports/aggregates.ts'
import type { EventFilter, EventLog, StoredEvent } from '#lib/ports/events.ts'
import type { Host } from '../host.ts'
import { queryPlans } from '../query-plans.ts'
import { later, newDigest, now, sampleEvent, sampleUser } from '../samples.ts'

const byId = (left: StoredEvent, right: StoredEvent) => (left.id < right.id ? -1 : 1)

export function eventLogContract(host: () => Host): void {
  describe('the event log', () => {
    const log = () => host().storage.eventLog
    const ids = (events: readonly StoredEvent[]) => events.map(event => event.id)

    test('returns events as they were stored', async () => {
      const event = sampleEvent({
        subject: newDigest(),
        reason: 'redirect_uri_unknown',
        grantType: 'authorization_code',
        flow: newDigest(),
        grantId: newDigest(),
        userAgent: `'"; DROP TABLE "Event" -- 🎉`,
        details: { amr: 'pwd', attempts: 3, isNew: true, idp: null },
        checks: [
          { check: 'client_known', result: 'passed', atMs: 0.5 },
          { check: 'redirect_uri', result: 'failed', atMs: null, sent: 'https://a', expected: ['https://b'] },
        ],
      })
      await log().write([event])
      assert.deepEqual(await log().list({ requestId: event.requestId }, null, 9), [event])
    })

    test('LG-07 the events of a deleted user are anonymized', async () => {
      const [user, other] = [sampleUser(), sampleUser()]
      const { configuration } = host().storage
      await configuration.apply({ put: { users: [user] }, remove: {} }, now)
      const events = [user, other].map(({ subject }) => sampleEvent({ subject }))
      await log().write(events)
      await configuration.apply({ put: {}, remove: { users: [user.subject] } }, now)
      const found = await Promise.all(events.map(({ requestId }) => log().list({ requestId }, null, 9)))
      const [own, others] = events
      assert.deepEqual(found, [[{ ...own, subject: null, address: null, userAgent: null }], [others]])
    })

    test('a NUL character or lone surrogate does not prevent the storage of a batch', async () => {
      const subject = newDigest()
      const odd = ['a\u0000b', 'a\ud800b'].map(userAgent => sampleEvent({ subject, userAgent }))
      await log().write([sampleEvent({ subject }), ...odd])
      assert.equal((await log().list({ subject }, null, 9)).length, 3)
    })

    test('stores all events of a batch with their aggregates, or none', async () => {
      const [one, two] = [sampleEvent({ subject: newDigest() }), sampleEvent()]
      const metric = newDigest()
      const count: HourlyCount = { hour: now, metric, label: 'pwd', count: 1 }
      await log().write([one])
      await assert.rejects(log().write([two, one], { counts: [count], clients: [], visits: [] }))
      assert.deepEqual(await log().list({ requestId: two.requestId }, null, 9), [])
      assert.deepEqual(
        await host().storage.aggregates.hours({ metrics: [metric], from: now, until: later(1), by: 'label' }),
        [],
      )
      await log().write([])
    })

    test('lists events newest first and pages in both directions without gaps or repetitions', async () => {
      const clientId = newDigest()
      const events = Array.from({ length: 450 }, (_, index) =>
        sampleEvent({ clientId, time: later(Math.floor(index / 100)) }),
      )
      await log().write(events)
      const read: StoredEvent[] = []
      for (let before: string | null = null; ; before = read.at(-1)?.id ?? null) {
        const page = await log().list({ clientId }, before, 100)
        read.push(...page)
        if (page.length < 100) break
      }
      const oldestFirst = ids(events.toSorted(byId))
      assert.deepEqual(ids(read).toReversed(), oldestFirst)
      assert.deepEqual(ids(await log().newer({ clientId }, null, 100)), oldestFirst.slice(0, 100))
      const tail = await log().newer({ clientId }, oldestFirst[99] ?? '', 300)
      assert.deepEqual(ids(tail), oldestFirst.slice(100, 400))
    })

    test('filters events by every field and by time', async () => {
      const mark = newDigest()
      const plain = sampleEvent({ clientId: mark, time: later(10) })
      const other = sampleEvent({
        clientId: mark,
        time: later(20),
        name: 'sign_in_failed',
        outcome: 'failure',
        subject: mark,
        reason: 'wrong_password',
        address: '2001:db8::7',
      })
      await log().write([plain, other])
      const filters: readonly EventFilter[] = [
        { name: 'sign_in_failed' },
        { outcome: 'failure' },
        { subject: mark },
        { reason: 'wrong_password' },
        { requestId: other.requestId },
        { address: '2001:db8::7' },
        { from: later(11) },
        { from: later(20), until: later(21) },
        { name: 'sign_in_failed', outcome: 'failure', reason: 'wrong_password', subject: mark },
      ]
      for (const filter of filters) {
        const found = await log().list({ clientId: mark, ...filter }, null, 9)
        assert.deepEqual(ids(found), [other.id], JSON.stringify(filter))
      }
      assert.deepEqual(ids(await log().list({ clientId: mark, until: later(20) }, null, 9)), [plain.id])
      for (const text of ["'", '%', '" OR 1=1']) {
        assert.deepEqual(await log().list({ clientId: mark, reason: text }, null, 9), [])
      }
    })

    test('leaves out the successes of one client, and nothing else', async () => {
      const [mark, client] = [newDigest(), newDigest()]
      const kept = [
        sampleEvent({ subject: mark, clientId: client, outcome: 'failure' }),
        sampleEvent({ subject: mark, clientId: newDigest() }),
        sampleEvent({ subject: mark, clientId: null }),
      ].toSorted((left, right) => (left.id < right.id ? 1 : -1))
      await log().write([...kept, sampleEvent({ subject: mark, clientId: client })])
      const filter = { subject: mark, withoutSuccessesOf: client }
      assert.deepEqual(ids(await log().list(filter, null, 9)), ids(kept))
      assert.deepEqual(ids(await log().newer(filter, null, 9)), ids(kept.toReversed()))
      const failures = await log().list({ ...filter, outcome: 'failure' }, null, 9)
      assert.deepEqual(
        failures.map(({ outcome }) => outcome),
        ['failure'],
      )
    })

    test('returns the events of a request trace by its ids, oldest first, each once', async () => {
      const [requestId, flow, grantId] = [newDigest(), newDigest(), newDigest()]
      const trace = [
        sampleEvent({ time: later(1), requestId, flow }),
        sampleEvent({ time: later(2), flow, grantId }),
        sampleEvent({ time: later(3), grantId }),
      ]
      await log().write([...trace.toReversed(), sampleEvent()])
      const marks = { requestId, flows: [flow], grantIds: [grantId, newDigest()] }
      assert.deepEqual(ids(await log().related(marks, 9)), ids(trace))
      assert.deepEqual(ids(await log().related(marks, 2)), ids(trace.slice(0, 2)))
      assert.deepEqual(await log().related({}, 9), [])
    })

    test('each search and each part of a request trace follows the index of its column', async () => {
      const [requestId, flow, grantId, subject] = [newDigest(), newDigest(), newDigest(), newDigest()]
      const reason = 'wrong_password'
      const event = sampleEvent({ requestId, flow, grantId, subject, reason })
      await log().write([event])
      const { clientId, address, name, outcome } = event
      const list = (filter: EventFilter) => () => log().list(filter, null, 9)
      const related = (marks: Parameters<EventLog['related']>[0]) => () => log().related(marks, 9)
      const searches = {
        subject_id: list({ subject }),
        reason_id: list({ reason }),
        requestId_id: list({ requestId }),
        address_id: list({ address: String(address) }),
        clientId_outcome_id: list({ clientId: String(clientId) }),
        name_outcome_id: list({ name }),
        outcome_id: list({ outcome }),
        'subject_id|reason_id|requestId_id': list({ subject, requestId, reason }),
        'flow_id|grantId_id|requestId_id': related({ requestId, flows: [flow], grantIds: [grantId] }),
      }
      for (const [columns, search] of Object.entries(searches)) {
        const plans = await queryPlans(host().location, search)
        assert.ok(plans.length > 0)
        for (const plan of plans) assert.doesNotMatch(plan, /SCAN Event|Seq Scan|B-TREE|Sort/, columns)
        for (const index of columns.split('|'))
          assert.ok(
            plans.some(plan => plan.includes(`Event_${index}_idx`)),
            `${index}: ${plans}`,
          )
      }
    })

    test('LG-07 deletes events after their retention time', async () => {
      const present = new Date('2003-01-01T00:00:00.000Z')
      const ago = (seconds: number) => new Date(present.getTime() - seconds * 1000)
      const clientId = newDigest()
      const old = sampleEvent({ clientId, time: ago(retentionSeconds.events + 1) })
      const kept = sampleEvent({ clientId, time: ago(retentionSeconds.events) })
      await host().storage.purge(present)
      await log().write([old, kept])
      assert.equal(await host().storage.purge(present), 1)
      assert.deepEqual(ids(await log().list({ clientId }, null, 9)), [kept.id])
    })
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { events as limits } from '#lib/config/limits.ts'
import type { Additions } from '#lib/ports/aggregates.ts'
import type { RecordedEvent, StoredEvent } from '#lib/ports/events.ts'
import { createEventBuffer } from './database-sink.ts'

function recorded(more: Partial<RecordedEvent> = {}): RecordedEvent {
  return {
    name: 'sign_in_failed',
    outcome: 'failure',
    time: new Date('2026-03-01T12:34:56Z'),
    elapsedMs: null,
    context: { requestId: '7QK4-M2P9', address: '192.0.2.1', userAgent: 'test' },
    ...more,
  }
}

function buffer() {
  const written: { events: readonly StoredEvent[]; additions: Additions | undefined }[] = []
  const failures: number[] = []
  const state = { isAway: false }
  const created = createEventBuffer({
    log: {
      write: async (events, additions) => {
        if (state.isAway) throw new Error('away')
        written.push({ events, additions })
      },
    },
    onFailure: (_error, lost) => failures.push(lost),
  })
  return { ...created, written, failures, state }
}

test('events of one batch are stored together, in order, with their aggregates', async () => {
  const { record, flush, written } = buffer()
  record(recorded({ reason: 'wrong_password' }))
  record(recorded({ reason: 'wrong_password' }))
  await flush()
  assert.equal(written.length, 1)
  const ids = written[0]?.events.map(({ id }) => id) ?? []
  assert.deepEqual(ids, ids.toSorted())
  assert.deepEqual(written[0]?.additions?.counts, [
    { hour: new Date('2026-03-01T12:00:00Z'), metric: 'sign_in_failed', label: 'wrong_password', count: 2 },
  ])
})

test('a successful token validation is counted and not stored as an event', async () => {
  const { record, flush, written } = buffer()
  record(recorded({ name: 'token_validated', outcome: 'success' }))
  record(recorded({ name: 'token_rejected', reason: 'invalid_token' }))
  await flush()
  assert.deepEqual(
    written[0]?.events.map(({ name }) => name),
    ['token_rejected'],
  )
  assert.deepEqual(
    written[0]?.additions?.counts.map(({ metric, label, count }) => [metric, label, count]),
    [['token_checks', 'token_validated', 1]],
  )
})

test('userinfo responses for a grant to one address have one row in a minute, also when its first write fails', async () => {
  const { record, flush, written, state } = buffer()
  const answer = (grantId: string, seconds: number, address = '192.0.2.1') =>
    record(
      recorded({
        context: { requestId: '7QK4-M2P9', address, userAgent: 'test' },
        name: 'userinfo_answered',
        outcome: 'success',
        grantId,
        time: new Date(1_772_366_400_000 + seconds * 1000),
      }),
    )
  state.isAway = true
  answer('first', 0)
  await flush()
  state.isAway = false
  answer('first', 1)
  answer('second', 1)
  await flush()
  answer('first', 59)
  answer('first', 60)
  answer('first', 61, '198.51.100.7')
  await flush()
  const rows = written.map(({ events }) => events.map(({ grantId, time }) => [grantId, time.getUTCSeconds()]))
  assert.deepEqual(rows, [
    [
      ['first', 0],
      ['second', 1],
    ],
    [
      ['first', 0],
      ['first', 1],
    ],
  ])
})

test('LG-06 an unavailable database fails no request, and events are retried', async () => {
  const { record, flush, written, failures, state } = buffer()
  state.isAway = true
  record(recorded())
  await flush()
  assert.deepEqual([written.length, failures], [0, [0]])
  state.isAway = false
  record(recorded())
  await flush()
  assert.equal(written[0]?.events.length, 2)
})

test('LIM-06 events are dropped while the database stays unavailable, and their number is reported', async () => {
  const { record, flush, failures, written, state } = buffer()
  state.isAway = true
  for (let index = 0; index < limits.mostWaiting + 7; index += 1) record(recorded())
  await flush()
  const lost = failures.reduce((sum, each) => sum + each)
  assert.equal(lost, 7)
  state.isAway = false
  await flush()
  assert.equal(written.flatMap(({ events }) => events).length, limits.mostWaiting)
  assert.ok(written.every(({ events }) => events.length <= limits.writtenTogether))
})

test('LG-03 no stored event contains a token, code or secret in any field', async () => {
  const canary = 'A'.repeat(43)
  const leak = `code_${canary}`
  const { record, flush, written } = buffer()
  const checks = [{ check: 'x', result: 'failed', atMs: null, sent: leak, expected: [leak] }] as const
  const context = { requestId: 'r', address: null, userAgent: leak }
  const event = recorded({ clientId: leak, subject: leak, details: { leak }, checks, context })
  record(Object.assign(event, { reason: leak }))
  await flush()
  assert.ok(!JSON.stringify(written).includes(canary))
})

test('LIM-06 dropped events are reported, also when the database never failed', async () => {
  const { record, flush, failures } = buffer()
  for (let index = 0; index < limits.mostWaiting + 3; index += 1) record(recorded())
  await flush()
  assert.deepEqual(failures, [3])
})

test('requests are processed between two batches', async () => {
  const { record, flush, written } = buffer()
  for (let index = 0; index < limits.writtenTogether * 3; index += 1) record(recorded())
  const writtenAtTurn = setImmediate().then(() => written.length)
  await flush()
  assert.deepEqual([await writtenAtTurn, written.length], [1, 3])
})

test('a full batch is written without waiting for the timer', async () => {
  const { record, written } = buffer()
  for (let index = 0; index < limits.writtenTogether; index += 1) record(recorded())
  await setImmediate()
  assert.equal(written[0]?.events.length, limits.writtenTogether)
})

test('an event during a flush is stored by the next one', async () => {
  const { record, flush, written } = buffer()
  record(recorded())
  const flushed = flush()
  await Promise.resolve()
  record(recorded())
  await flushed
  assert.equal(written.length, 1)
  await flush()
  assert.equal(written.length, 2)
})

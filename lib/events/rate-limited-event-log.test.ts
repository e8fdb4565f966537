import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusalEventLimits as limits, pausedEventLimits as pauses } from '#lib/config/limits.ts'
import type { StoredEvent } from '#lib/ports/events.ts'
import { rateLimitedEventLog } from './rate-limited-event-log.ts'

const most = limits.perMinute
const noon = Date.UTC(2026, 2, 1, 12)
let ids = 0

function refusal(more: Partial<StoredEvent> = {}): StoredEvent {
  ids += 1
  return {
    id: String(ids).padStart(8, '0'),
    time: new Date(noon),
    name: 'token_refused',
    outcome: 'failure',
    clientId: 'unknown',
    subject: null,
    grantType: null,
    reason: 'unknown_client',
    requestId: `R-${ids}`,
    flow: null,
    grantId: null,
    address: '192.0.2.1',
    userAgent: 'test',
    details: {},
    checks: null,
    ...more,
  }
}

function opened() {
  const written: StoredEvent[] = []
  const state = { now: noon, isAway: false, writes: 0 }
  const log = rateLimitedEventLog(
    {
      write: async events => {
        if (state.isAway) throw new Error('away')
        state.writes += 1
        written.push(...events)
      },
    },
    { now: () => new Date(state.now) },
  )
  const counted = () => written.filter(({ name }) => name === 'refusals_not_kept')
  return { ...log, written, state, counted }
}

const many = (count: number, more: Partial<StoredEvent> = {}) =>
  Array.from({ length: count }, () => refusal(more))

test('LG-01 refusals of one kind and address are stored up to a limit per minute, and one event counts the others', async () => {
  const { write, settle, written, state, counted } = opened()
  await write(many(most - 1))
  const flood = many(4)
  await write(flood)
  await settle()
  assert.deepEqual([written.length, counted().length], [most, 0])
  state.now += 60_000
  await settle()
  const { details, reason, address, requestId, id, clientId } = counted()[0] ?? assert.fail()
  assert.deepEqual(
    [details, reason, address, clientId],
    [{ count: 3, kind: 'token_refused' }, 'unknown_client', '192.0.2.1', null],
  )
  assert.deepEqual([requestId, id], [flood.at(-1)?.requestId, flood.at(-1)?.id])
  await settle()
  assert.equal(counted().length, 1)
})

test('LIM-06 sign-ins that begin are kept up to a bound for each address, and for all addresses together', async () => {
  const { write, settle, written, state, counted } = opened()
  const begun = (count: number, address: string) =>
    many(count, { name: 'authorize_paused', outcome: 'success', reason: 'not_signed_in', address })
  await write(begun(pauses.fromOneAddress + 5, '192.0.2.1'))
  assert.equal(written.length, pauses.fromOneAddress)
  for (let host = 2; host < 200; host += 1) await write(begun(100, `192.0.2.${host}`))
  assert.equal(written.length, pauses.fromAll)
  state.now += 60_000
  await settle()
  const counts = counted().map(({ details }) => Number(details.count))
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0) + pauses.fromAll,
    pauses.fromOneAddress + 5 + 198 * 100,
  )
})

test('the count of a flood is stored with the next events and starts again each minute', async () => {
  const { write, written, state, counted } = opened()
  await write(many(most + 2))
  state.now += 60_000
  await write(many(1, { time: new Date(state.now) }))
  assert.equal(written.length, most + 2)
  assert.deepEqual(
    counted().map(({ details }) => details.count),
    [2],
  )
})

test('late refusals of a reported minute are reported separately', async () => {
  const { write, state, counted } = opened()
  await write(many(most + 2))
  state.now += 60_000
  await write(many(most + 3))
  state.now += 60_000
  await write([])
  assert.deepEqual(
    counted().map(({ details }) => details.count),
    [2, 3],
  )
})

const aside: ReadonlyArray<readonly [rule: string, Partial<StoredEvent>]> = [
  ['of another kind', { reason: 'code_expired' }],
  ['of another name', { name: 'authorize_refused' }],
  ['from another address', { address: '192.0.2.2' }],
  ['from an unknown address', { address: null }],
  ['that are not refusals', { outcome: 'success' }],
]
for (const [rule, more] of aside) {
  test(`events ${rule} are stored during a flood`, async () => {
    const { write, written } = opened()
    await write(many(most + 9))
    await write(many(5, more))
    assert.equal(written.length, most + 5)
  })
}

test('AD-01 refusals of administrators are always stored', async () => {
  const { write, written } = opened()
  await write(many(most + 9, { name: 'admin_refused', subject: 'olivia', reason: 'not_allowed' }))
  await write(many(most + 9, { name: 'request_refused', subject: 'olivia' }))
  assert.equal(written.length, 2 * (most + 9))
})

test('AD-01 refusals of users and clients who are not administrators are limited', async () => {
  const { write, written } = opened()
  for (const reason of ['not_an_administrator', 'admin_scope_missing'])
    await write(many(most + 9, { name: 'admin_refused', subject: 'bob', reason }))
  assert.equal(written.length, 2 * most)
})

test('provider messages and other addresses of an IPv6 network do not count as a new kind', async () => {
  const { write, written } = opened()
  const events = many(most + 9).map((event, index) => ({
    ...event,
    reason: `provider_answered:${index}`,
    address: `2001:db8::${index.toString(16)}`,
  }))
  await write(events)
  assert.equal(written.length, most)
})

test('LG-06 counts stay exact while the database is unavailable', async () => {
  const { write, written, state, counted } = opened()
  await write(many(most + 2))
  state.now += 60_000
  state.isAway = true
  const again = many(most + 1, { time: new Date(state.now) })
  for (let attempt = 0; attempt < 3; attempt += 1) await assert.rejects(write(again), /away/)
  state.isAway = false
  await write(again)
  assert.equal(written.length, 2 * most + 1)
  assert.deepEqual(
    counted().map(({ details }) => details.count),
    [2],
  )
})

test('LIM-06 a limited number of kinds is counted; refusals of others are stored', async () => {
  const { write, written } = opened()
  await write(Array.from({ length: limits.kinds }, (_one, index) => refusal({ address: `n${index}` })))
  await write(many(most + 3))
  assert.equal(written.length, limits.kinds + most + 3)
})

test('nothing is stored without events', async () => {
  const { settle, state, written } = opened()
  for (let minute = 0; minute < 3; minute += 1) {
    state.now += 60_000
    await settle()
  }
  assert.deepEqual([written.length, state.writes], [0, 0])
})

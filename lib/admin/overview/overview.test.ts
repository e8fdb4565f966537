import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { HourlyCount } from '#lib/ports/aggregates.ts'
import { dayNumber } from '#lib/protocol/time.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { readOverview, readPurged } from './overview.ts'
import type { PeriodName } from './period.ts'

const now = new Date('2026-03-10T15:30:00Z')
const count = (hour: string, metric: string, label: string, count: number): HourlyCount => ({
  hour: new Date(`2026-${hour}:00:00Z`),
  metric,
  label,
  count,
})
const visit = (hour: string, ...subjects: readonly string[]) =>
  subjects.map(subject => ({ subject, time: new Date(`2026-${hour}:30:00Z`) }))

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
  const today = dayNumber(now)
  await opened.ports.eventLog.write([], {
    counts: [
      count('02-20T09', 'sign_in', 'pwd', 1),
      count('03-03T09', 'sign_in', 'pwd', 4),
      count('03-03T15', 'sign_in', 'pwd', 2),
      count('03-03T16', 'sign_in', 'pwd', 100),
      count('03-09T15', 'sign_in', 'pwd', 3),
      count('03-09T16', 'sign_in', 'pwd', 20),
      count('03-10T09', 'sign_in', 'pwd', 7),
      count('03-10T15', 'sign_in', 'external', 2),
      count('03-10T09', 'sign_in_failed', 'wrong_password', 3),
      count('03-10T09', 'refusal', 'redirect_uri_mismatch', 5),
      count('03-10T09', 'tokens', 'authorization_code', 6),
      count('03-10T09', 'funnel', 'authorize', 9),
      count('03-10T09', 'purged', 'codes', 12),
      count('03-10T09', 'token_ms', '5', 18),
      count('03-10T15', 'token_ms', '200', 2),
    ],
    clients: [
      { clientId: 'busy', day: today, tokens: 6, refusals: 0 },
      { clientId: 'busier', day: today - 3, tokens: 9, refusals: 1 },
    ],
    visits: [],
  })
  for (const visits of [
    visit('02-20T09', 'ann', 'ben'),
    visit('03-03T15', 'ann', 'carl'),
    visit('03-03T16', 'dora'),
    visit('03-08T10', 'ann'),
    visit('03-10T09', 'ann', 'ben', 'eve'),
  ])
    await opened.ports.eventLog.write([], { counts: [], clients: [], visits })
})
after(() => opened.close())

const read = (name: PeriodName) => readOverview(opened.ports, { name, now })

test('a week counts its days and compares with the week before, until the same hour', async () => {
  const { signIns, methods, period } = await read('7d')
  assert.deepEqual([signIns.now, signIns.before], [32, 6])
  assert.deepEqual(signIns.values, [0, 0, 0, 0, 0, 23, 9])
  assert.deepEqual(signIns.valuesBefore, [0, 0, 0, 0, 0, 0, 6])
  assert.deepEqual(
    methods.map(({ label, total }) => [label, total]),
    [
      ['pwd', 30],
      ['external', 2],
    ],
  )
  assert.equal(period.starts[0]?.toISOString(), '2026-03-04T00:00:00.000Z')
})

test('today counts its hours and compares with yesterday, until the same hour', async () => {
  const { signIns, period } = await read('today')
  assert.deepEqual([signIns.now, signIns.before], [9, 3])
  assert.deepEqual([signIns.values.length, signIns.values[9], signIns.values[15]], [24, 7, 2])
  assert.equal(period.current, 15)
})

describe('each user is counted once in a period', () => {
  const rows: ReadonlyArray<readonly [PeriodName, now: number, before: number | null]> = [
    ['today', 3, 0],
    // Ann and carl came in the previous period; dora came after this time of day
    ['7d', 3, 2],
    // The previous periods began before the first count
    ['30d', 5, null],
    ['90d', 5, null],
  ]
  for (const [name, expected, before] of rows)
    test(name, async () => {
      const { users } = await read(name)
      assert.deepEqual([users.now, users.before], [expected, before])
    })

  test('returning users are distinguished from new ones', async () => {
    const { visitors } = await read('7d')
    assert.deepEqual(
      visitors.map(({ label, values }) => [label, values.at(-1)]),
      [
        ['returning', 2],
        ['new', 1],
      ],
    )
  })
})

test('failures are counted by their reasons, wherever they happened', async () => {
  const { failures, reasons, successRate } = await read('7d')
  assert.equal(failures.now, 8)
  assert.deepEqual(
    reasons.map(({ label, total }) => [label, total]),
    [
      ['redirect_uri_mismatch', 5],
      ['wrong_password', 3],
    ],
  )
  assert.deepEqual(successRate, { now: 32 / 35, before: 1 })
})

test('clients are ranked over the whole period; a deleted one has no name', async () => {
  const { clients } = await read('7d')
  assert.deepEqual(clients, [
    { clientId: 'busier', tokens: 9, refusals: 1, name: null },
    { clientId: 'busy', tokens: 6, refusals: 0, name: null },
  ])
  assert.equal((await read('today')).clients.length, 1)
})

test('days before the first count are shown as unknown, not as zero', async () => {
  const { knownFrom, signIns, countedSince } = await read('30d')
  assert.equal(knownFrom, 11)
  assert.equal(signIns.before, null)
  assert.equal(countedSince?.toISOString(), '2026-02-20T00:00:00.000Z')
})

test('the rows that were deleted in the last week are counted', async () => {
  assert.deepEqual(await readPurged(opened.ports, now), [{ label: 'codes', count: 12 }])
})

test('the steps of sign-ins are counted', async () => {
  const { funnel } = await read('today')
  assert.deepEqual(funnel[0], { label: 'authorize', count: 9 })
})

test('the response time is that which 95% of the token responses did not exceed', async () => {
  const { responseTime } = await read('today')
  assert.equal(responseTime.p95, 200)
  assert.deepEqual([responseTime.values[9], responseTime.values[15], responseTime.values[1]], [5, 200, null])
})

test('without a chosen period the first day shows today, later days a week', async () => {
  const first = new Date('2026-02-20T15:30:00Z')
  for (const [at, expected] of [
    [first, 'today'],
    [now, '7d'],
  ] as const) {
    const { period } = await readOverview(opened.ports, { name: null, now: at })
    assert.equal(period.name, expected)
  }
})

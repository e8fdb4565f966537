import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AdminTestPorts, openAdminTestPorts } from '../test-admin-ports.ts'
import { readConcerns } from './attention.ts'
import { readOverview } from './overview.ts'

const now = new Date('2026-03-10T15:30:00Z')
const today = new Date('2026-03-10T09:00:00Z')
const lastWeek = new Date('2026-03-03T09:00:00Z')

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
  await opened.ports.eventLog.write(
    [],
    [
      { hour: today, metric: 'sign_in', label: 'pwd', count: 7 },
      { hour: today, metric: 'sign_in', label: 'external', count: 2 },
      { hour: lastWeek, metric: 'sign_in', label: 'pwd', count: 4 },
      { hour: today, metric: 'sign_in_failed', label: 'refused', count: 3 },
      { hour: today, metric: 'refusal', label: 'redirect_uri_mismatch', count: 5 },
      { hour: today, metric: 'tokens', label: 'authorization_code', count: 6 },
      { hour: today, metric: 'funnel', label: 'authorize', count: 9 },
      { hour: today, metric: 'client_tokens', label: 'busy', count: 6 },
      { hour: today, metric: 'client_tokens', label: 'failing', count: 10 },
      { hour: today, metric: 'client_refusals', label: 'failing', count: 10 },
    ],
  )
})
after(() => opened.close())

test('the week counts its days and compares with the week before', async () => {
  const { totals, signIns, failures, funnel } = await readOverview(opened.ports, { days: 7, now })
  assert.deepEqual([totals.signIns.now, totals.signIns.before], [9, 4])
  assert.deepEqual(totals.signIns.daily, [0, 0, 0, 0, 0, 0, 9])
  assert.deepEqual(
    signIns.series.map(({ label, values }) => [label, values.at(-1)]),
    [
      ['pwd', 7],
      ['external', 2],
    ],
  )
  assert.deepEqual(
    failures.series.map(({ label }) => label),
    ['redirect_uri_mismatch', 'refused'],
  )
  assert.deepEqual(funnel[0], { label: 'authorize', count: 9 })
})

test('a client that is refused too often needs attention', async () => {
  const concerns = await readConcerns(opened.ports, now)
  const sentences = concerns.map(({ sentence }) => sentence)
  assert.ok(
    sentences.some(sentence => sentence.startsWith('failing was refused 10 of 20')),
    String(sentences),
  )
  assert.ok(!sentences.some(sentence => sentence.startsWith('busy')))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSingleFlight } from './single-flight.ts'

test('callers of one moment share one answer, and the next moment asks again', async () => {
  const share = createSingleFlight<number>()
  let runs = 0
  const work = async () => ++runs
  assert.deepEqual(await Promise.all([share('a', work), share('a', work), share('b', work)]), [1, 1, 2])
  assert.equal(await share('a', work), 3)
})

test('a failure is shared, too, and not kept', async () => {
  const share = createSingleFlight<string>()
  const fail = async () => Promise.reject(new Error('no'))
  const outcomes = await Promise.allSettled([share('a', fail), share('a', fail)])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await share('a', async () => 'yes'), 'yes')
})

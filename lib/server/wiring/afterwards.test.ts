import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterwards as limits } from '#lib/config/limits.ts'
import { createAfterwards } from './afterwards.ts'

test('AU-05 work after a response begins after a pause, which is random', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const begun: number[] = []
  const { run } = createAfterwards(assert.ifError)
  for (let index = 0; index < 50; index += 1) run(async () => void begun.push(index))
  t.mock.timers.tick(limits.leastMs - 1)
  assert.deepEqual(begun, [])
  t.mock.timers.tick(limits.mostMs)
  assert.equal(begun.length, 50)
  assert.notDeepEqual(
    begun,
    begun.toSorted((one, other) => one - other),
  )
})

test('a stop begins the work that waits and completes it, and a failure is reported', async () => {
  const failures: unknown[] = []
  const done: string[] = []
  const { run, settle } = createAfterwards(error => void failures.push(error))
  const failure = new Error('the mail server is away')
  run(() => Promise.reject(failure))
  run(async () => {
    await Promise.resolve()
    done.push('mail')
  })
  await settle()
  assert.deepEqual([failures, done], [[failure], ['mail']])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedLoad } from './dashboard.ts'

const listener = () => {}

test('requests at the same time load the dashboard once', async () => {
  let loads = 0
  const dashboard = sharedLoad(async () => {
    loads += 1
    return listener
  })
  assert.deepEqual(await Promise.all([dashboard(), dashboard()]), [listener, listener])
  assert.equal(await dashboard(), listener)
  assert.equal(loads, 1)
})

test('a dashboard that could not be loaded is loaded again by the next request', async () => {
  const results = [() => Promise.reject(new Error('no build')), async () => listener]
  const dashboard = sharedLoad(() => results.shift()?.() ?? assert.fail('loaded again'))
  const failures = await Promise.allSettled([dashboard(), dashboard()])
  assert.deepEqual(
    failures.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await dashboard(), listener)
})

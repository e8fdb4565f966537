import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSqliteHost } from '../../testing/host.ts'
import { later, newDigest, samplePendingRequest } from '../../testing/samples.ts'
import { createPendingRequests } from './pending-requests.ts'

let host: Awaited<ReturnType<typeof openSqliteHost>>
before(async () => {
  host = await openSqliteHost()
})
after(() => host.close())

test('LIM-06 requests of all browsers together are bounded, and the newest stay', async () => {
  const bounds = { pendingRequests: 10, requestsBetweenChecks: 5 }
  const pending = createPendingRequests(host.tables, bounds)
  const requests = Array.from({ length: 40 }, (_, index) =>
    samplePendingRequest({ createdAt: later(index), expiresAt: later(index + 3600) }),
  )
  for (const request of requests) {
    await pending.create(request)
    assert.ok(
      (await host.tables.pendingRequest.count()) < bounds.pendingRequests + bounds.requestsBetweenChecks,
    )
  }
  const kept = await host.tables.pendingRequest.findMany({ orderBy: { expiresAt: 'asc' } })
  assert.deepEqual(
    kept.map(({ digest }) => digest),
    requests.slice(-10).map(({ digest }) => digest),
  )
})

test('LIM-06 a network that fills the store pushes out its own requests, and no others', async () => {
  await host.tables.pendingRequest.deleteMany()
  const pending = createPendingRequests(host.tables, { pendingRequests: 100, requestsBetweenChecks: 10 })
  const at = (seconds: number) => ({ createdAt: later(seconds), expiresAt: later(seconds + 3600) })
  const earlier = Array.from({ length: 40 }, (_, index) =>
    samplePendingRequest({ ...at(index), network: newDigest() }),
  )
  for (const request of earlier) await pending.create(request)
  const network = newDigest()
  const flood = Array.from({ length: 200 }, (_, index) =>
    samplePendingRequest({ ...at(100 + index), network }),
  )
  for (const request of flood) await pending.create(request)
  const kept = await host.tables.pendingRequest.findMany({ orderBy: { expiresAt: 'asc' } })
  assert.deepEqual(
    kept.map(({ digest }) => digest),
    [...earlier, ...flood.slice(-60)].map(({ digest }) => digest),
  )
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSqliteHost } from '../../testing/host.ts'
import { later, samplePendingRequest } from '../../testing/samples.ts'
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

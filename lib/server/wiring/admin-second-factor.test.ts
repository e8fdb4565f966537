import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestPorts } from '#lib/core/testing/ports.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { adminSecondFactorFrom } from './admin-second-factor.ts'
import { withOwnRegistrations } from './client-lookup.ts'

const day = 86_400

test('MF-06 the dashboard requires a second factor 14 days after the first start in production, on all nodes', async t => {
  const setup = await openTestPorts()
  t.after(() => setup.close())
  const { ports, storage } = setup
  const start = () => adminSecondFactorFrom({ isLoopback: false }, { meta: storage.meta, clock: ports.clock })
  const first = ports.clock.now()
  const [from, other] = await Promise.all([start(), start()])
  assert.ok(from)
  assert.equal(from.getTime() - first.getTime(), 14 * day * 1000)
  assert.deepEqual(other, from)
  setup.advance(3 * day)
  assert.deepEqual(await start(), from, 'a later start does not move the time')

  const own = {
    issuer: 'https://id.example.org',
    siteName: 'Test',
    localLogin: true,
    meta: setup.storage.meta,
  }
  const { clients } = withOwnRegistrations(ports, { ...own, adminSecondFactorFrom: from, clock: ports.clock })
  const required = async () => (await clients.find(clientIdSchema.parse('latchkey-admin')))?.client.requireAcr
  assert.equal(await required(), null)
  setup.advance(11 * day - 1)
  assert.equal(await required(), null)
  setup.advance(1)
  assert.equal(await required(), 'urn:latchkey:mfa')
})

test('MF-06 on a loopback address the dashboard never requires a second factor', async t => {
  const setup = await openTestPorts()
  t.after(() => setup.close())
  const { ports, storage } = setup
  const from = await adminSecondFactorFrom({ isLoopback: true }, { meta: storage.meta, clock: ports.clock })
  assert.equal(from, null)
  const own = {
    issuer: 'http://localhost:3000',
    siteName: 'Test',
    localLogin: true,
    meta: setup.storage.meta,
  }
  const { clients } = withOwnRegistrations(ports, { ...own, adminSecondFactorFrom: from, clock: ports.clock })
  setup.advance(100 * day)
  assert.equal((await clients.find(clientIdSchema.parse('latchkey-admin')))?.client.requireAcr, null)
})

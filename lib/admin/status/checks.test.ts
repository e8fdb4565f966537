import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { listChecks, runChecks } from './checks.ts'
import { takeLease } from './lease.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
})

const finding = { group: 'tasks', check: 'disk', severity: 'good', text: 'Fine.', fix: null } as const

test('the checks run once at a time, and their findings are stored', async () => {
  const caller = await opened.caller('owner')
  const running = Promise.withResolvers<void>()
  let runs = 0
  const ports = {
    ...opened.ports,
    examine: async () => {
      runs += 1
      await running.promise
      return [finding]
    },
  }
  const first = runChecks.call(ports, {}, caller)
  while (runs === 0) await new Promise(setImmediate)
  const second = await runChecks.call(ports, {}, caller)
  assert.equal(second.kind, 'invalid')
  running.resolve()
  assert.equal((await first).kind, 'ok')
  assert.equal(runs, 1)
  const listed = await listChecks.call(ports, {}, caller)
  assert.ok(listed.kind === 'ok')
  assert.deepEqual(listed.value.last_run?.findings, [finding])
  assert.equal((await runChecks.call(ports, {}, caller)).kind, 'ok')
})

test('checks that fail give the lease back', async () => {
  const caller = await opened.caller('owner')
  const examine = async () => {
    throw new Error('no database')
  }
  await assert.rejects(runChecks.call({ ...opened.ports, examine }, {}, caller), /no database/)
  assert.equal((await runChecks.call(opened.ports, {}, caller)).kind, 'ok')
})

test('a lease of a caller that died ends by itself, and that caller cannot end the next one', async () => {
  const { ports } = opened
  const now = ports.clock.now()
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  const died = await takeLease(ports, { name: 'lease', holder: 'a', until: later(60) }, now)
  assert.equal(await takeLease(ports, { name: 'lease', holder: 'b', until: later(99) }, later(59)), null)
  assert.ok(await takeLease(ports, { name: 'lease', holder: 'b', until: later(120) }, later(60)))
  await died?.()
  assert.equal(await takeLease(ports, { name: 'lease', holder: 'c', until: later(120) }, later(61)), null)
})

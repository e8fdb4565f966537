import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { outbox } from '#lib/config/limits.ts'
import { openTestPorts } from '#lib/core/testing/ports.ts'
import { startMaintenance } from './maintenance.ts'

test('a server closes although its last look into the outbox failed', async t => {
  const opened = await openTestPorts()
  t.after(() => opened.close())
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-maintenance-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  t.mock.timers.enable({ apis: ['setInterval'] })
  const logged: unknown[] = []
  const failure = new Error('a defect')
  const mail = { kind: 'folder', folder, sender: { name: null, address: 'noreply@localhost' } } as const
  const resources = {
    ...opened.ports,
    storage: {
      ...opened.storage,
      outbox: { ...opened.storage.outbox, lease: () => Promise.reject(failure) },
    },
    extensions: {},
    metrics: null,
    config: { mail, siteName: 'Harbor', issuer: 'http://localhost' },
    log: { failure: (error: unknown) => logged.push(error) },
  } as unknown as Parameters<typeof startMaintenance>[0]
  const stop = startMaintenance(resources, opened.ports.events)
  t.mock.timers.tick(outbox.everyMs)
  await stop()
  assert.deepEqual(logged, [failure])
})

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { storage } from '#lib/config/limits.ts'
import { automaticWorkers, processorQuota, usableProcessors } from './usable-processors.ts'

/** Creates a folder with these files, as the root of a system. */
function systemWith(
  t: { after: (done: () => void) => void },
  files: Readonly<Record<string, string>>,
): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-groups-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const second = (quota: string, group = '/') => ({
  'proc/self/cgroup': `0::${group}\n`,
  [`sys/fs/cgroup${group}/cpu.max`]: `${quota} 100000\n`,
})

test('quotas of 0.5 and 1.5 processors give one worker', t => {
  for (const quota of ['50000', '150000']) {
    const processors = usableProcessors(systemWith(t, second(quota)))
    assert.equal(processors, 1)
    assert.equal(automaticWorkers({ processors, memoryBytes: 64e9, connections: 100 }), 1)
  }
})

test('a quota of a group above counts, and no quota is all processors', t => {
  const inner = { 'sys/fs/cgroup/pod/latchkey/cpu.max': 'max 100000\n' }
  const outer = { 'sys/fs/cgroup/pod/cpu.max': '250000 100000\n' }
  const group = { 'proc/self/cgroup': '0::/pod/latchkey\n' }
  assert.equal(processorQuota(systemWith(t, { ...group, ...inner, ...outer })), 2.5)
  assert.equal(processorQuota(systemWith(t, { ...group, ...inner })), Number.POSITIVE_INFINITY)
  assert.equal(usableProcessors(systemWith(t, {})), availableParallelism())
})

test('a container sees the quota of version 1 at the root of its tree', t => {
  const files = {
    'proc/self/cgroup': '4:cpu,cpuacct:/docker/0123\n3:memory:/docker/0123\n0::/\n',
    'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '300000\n',
    'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
  }
  assert.equal(processorQuota(systemWith(t, files)), 3)
  const none = { ...files, 'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n' }
  assert.equal(processorQuota(systemWith(t, none)), Number.POSITIVE_INFINITY)
})

test('workers are at most four, and as many as memory and connections suffice for', () => {
  const machine = { processors: 16, memoryBytes: 64e9, connections: storage.postgresConnections }
  assert.equal(automaticWorkers(machine), 4)
  assert.equal(automaticWorkers({ ...machine, processors: 3 }), 3)
  assert.equal(automaticWorkers({ ...machine, memoryBytes: 950e6 }), 2)
  assert.equal(automaticWorkers({ ...machine, memoryBytes: 256e6 }), 1)
  assert.equal(automaticWorkers({ ...machine, connections: 10 }), 3)
})

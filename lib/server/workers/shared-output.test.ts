import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { workers as limits } from '#lib/config/limits.ts'
import { wholeLines } from './shared-output.ts'

test('lines are passed on when they are complete, and an endless one in parts', () => {
  const written: string[] = []
  const receive = wholeLines(lines => written.push(lines))
  for (const text of ['one\ntw', 'o', '\nthree\nfo', 'ur\n', 'cut']) receive(text)
  assert.deepEqual(written, ['one\n', 'two\nthree\n', 'four\n'])
  receive('x'.repeat(limits.longestLine))
  assert.equal(written.at(-1)?.length, limits.longestLine + 'cut'.length)
})

test('100,000 lines of each of four workers are whole in a pipe, also long ones', () => {
  const address = JSON.stringify(join(import.meta.dirname, 'shared-output.ts'))
  const script = `
    import { spawn } from 'node:child_process'
    import { createSharedOutput } from ${address}
    const output = createSharedOutput(1)
    const writer = \`
      import { createLog } from ${JSON.stringify(join(import.meta.dirname, '../../events/log.ts'))}
      const log = createLog({ level: 'info', pretty: false, worker: Number(process.argv[1]) })
      // NOTE: the lines of a worker must fit into the log that waits for a slow reader, otherwise some are dropped
      for (let count = 0; count < 100_000; count += 1) {
        const text = count % 1000 === 0 ? 'ä'.repeat(9000) : 'ü'.repeat(count % 20)
        log.request({ requestId: String(count), method: 'GET', pattern: text, status: 200, durationMs: 1, address: '::1' })
        if (count % 500 === 0) await new Promise(resolve => setImmediate(resolve))
      }
    \`
    await Promise.all([1, 2, 3, 4].map(number => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', writer, String(number)], { stdio: ['ignore', 'pipe', 'inherit'] })
      output.add(child.stdout)
      return new Promise(resolve => child.once('close', resolve))
    }))
    output.flushSync()`
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    maxBuffer: 1e9,
    encoding: 'utf8',
  })
  assert.equal(run.stderr, '')
  const lines = run.stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { worker: number; requestId: string })
  assert.equal(lines.length, 400_000)
  for (const worker of [1, 2, 3, 4]) {
    const counts = lines.filter(line => line.worker === worker).map(({ requestId }) => Number(requestId))
    assert.ok(
      counts.every((count, index) => count === index),
      'in their order',
    )
  }
})

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-step-'))
after(() => rmSync(folder, { recursive: true }))
const source = new URL('./bootstrap-step.mjs', import.meta.url).href

/** A start whose one step starts a process in turn, as npm does. Neither ends by itself. */
function startStep(name: string, onSignal: string) {
  const [start, first, second] = ['start', 'first', 'second'].map(part => join(folder, `${name}-${part}.mjs`))
  const pids = join(folder, `${name}-pids`)
  const stay = `${onSignal}; setInterval(() => {}, 1000)`
  writeFileSync(String(second), `${stay}; console.log('here')`)
  writeFileSync(
    String(first),
    `import { spawn } from 'node:child_process'
    import { writeFileSync } from 'node:fs'
    const child = spawn(process.execPath, [${JSON.stringify(second)}], { stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout.once('data', () => writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + child.pid + '.'))
    ${stay}`,
  )
  writeFileSync(
    String(start),
    `const { step } = await import(${JSON.stringify(source)})
    await step('Waiting', process.execPath, [${JSON.stringify(first)}])`,
  )
  return { child: spawn(process.execPath, [String(start)], { stdio: 'ignore' }), pids }
}

async function written(file: string): Promise<readonly number[]> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await delay(20)) {
    const text = await Promise.resolve(file)
      .then(readFileSync)
      .then(String)
      .catch(() => '')
    if (text.endsWith('.')) return text.slice(0, -1).split(' ').map(Number)
  }
  throw new Error('the step did not begin')
}

/** An ended process may wait for its new parent. */
function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const stat = `/proc/${pid}/stat`
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, 'utf8'))
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  test(`${signal} ends the step, and what it started, before the start`, async () => {
    const { child, pids } = startStep(signal, '')
    const ours = await written(pids)
    assert.deepEqual(ours.map(lives), [true, true])
    child.kill(signal)
    assert.deepEqual(await once(child, 'exit'), [code, null])
    assert.deepEqual(ours.map(lives), [false, false])
  })
}

test('a step that does not listen is killed', async () => {
  const { child, pids } = startStep('deaf', `process.on('SIGTERM', () => {})`)
  const ours = await written(pids)
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [143, null])
  assert.deepEqual(ours.map(lives), [false, false])
})

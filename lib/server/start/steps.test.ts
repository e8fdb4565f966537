import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

const source = new URL('./steps.mjs', import.meta.url).href

/** Returns the output of a start with one step of this duration. */
function outputOf(milliseconds: number, end = ''): string {
  const script = `
    const { withProgress } = await import(${JSON.stringify(source)})
    const work = () => new Promise(done => setTimeout(done, ${milliseconds}))
    await withProgress('Applying', () => work().then(() => { ${end} })).catch(() => console.log('failed'))`
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout
}

test('a step that takes longer than a second prints one line, also when it fails', () => {
  assert.match(outputOf(1200), /^ {2}Applying … 1\.\d s\n$/)
  assert.match(outputOf(1200, 'throw new Error()'), /^ {2}Applying … 1\.\d s\nfailed\n$/)
})

test('a quick step prints nothing', () => {
  assert.equal(outputOf(10), '')
})

const folder = mkdtempSync(join(tmpdir(), 'latchkey-step-'))
after(() => rmSync(folder, { recursive: true }))

/** Starts a step that starts another process, as npm does. Neither ends by itself. */
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

/** Whether a process is running. A process that has ended may still be waiting for its new parent. */
function isRunning(pid: number): boolean {
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
    const processes = await written(pids)
    assert.deepEqual(processes.map(isRunning), [true, true])
    child.kill(signal)
    assert.deepEqual(await once(child, 'exit'), [code, null])
    assert.deepEqual(processes.map(isRunning), [false, false])
  })
}

test('a step that ignores the signal is killed', async () => {
  const { child, pids } = startStep('deaf', `process.on('SIGTERM', () => {})`)
  const processes = await written(pids)
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [143, null])
  assert.deepEqual(processes.map(isRunning), [false, false])
})

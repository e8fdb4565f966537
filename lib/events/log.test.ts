import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { logBuffer } from '#lib/config/limits.ts'
import { createLog } from './log.ts'

const module = JSON.stringify(new URL('./log.ts', import.meta.url))

type Program = { readonly count: number; readonly before?: string; readonly after: string }

/** Returns the lines of a process that writes `count` of them and that is read after a delay in seconds. */
async function linesOf({ count, before = '', after }: Program, readAfter = 0): Promise<readonly string[]> {
  const program = `
    const { bufferedOutput } = await import(${module})
    const { pbkdf2 } = await import('node:crypto')
    const output = bufferedOutput(1)
    ${before}
    for (let index = 0; index < ${count}; index++) output.write('wörd ' + index + '\\n')
    ${after}`
  const piped = `"$NODE" --input-type=module --eval "$PROGRAM" | { sleep ${readAfter}; cat; }`
  const shell = spawn('sh', ['-c', piped], {
    env: { ...process.env, NODE: process.execPath, PROGRAM: program, UV_THREADPOOL_SIZE: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return (await text(shell.stdout)).split('\n')
}

function allOf(count: number): readonly string[] {
  return [...Array.from({ length: count }, (_, index) => `wörd ${index}`), '']
}

const endings = {
  'has nothing left to do': '',
  'is ended': 'process.exit(1)',
  fails: `throw new Error('unexpected')`,
  'flushed and was killed': `output.flushSync(); process.kill(process.pid, 'SIGKILL')`,
}

/** Other work that occupies the thread that writes. */
const busy = `pbkdf2('password', 'salt', 500_000, 64, 'sha512', () => {})`

for (const [what, after] of Object.entries(endings)) {
  test(`no line is lost when the process ${what}, even with busy threads`, async () => {
    assert.deepEqual(await linesOf({ count: 3, before: busy, after }), allOf(3))
  })
}

test('buffered lines are written after a short time', async () => {
  const after = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${20 * logBuffer.longestMs})`
  assert.deepEqual(await linesOf({ count: 3, after }), allOf(3))
})

test('more lines than the buffer are written completely and in order', async () => {
  const after = 'setTimeout(() => {}, 500)'
  assert.deepEqual(await linesOf({ count: logBuffer.characters, after }), allOf(logBuffer.characters))
})

test('a flush waits for a slow reader', async () => {
  const before = 'process.stdout.fd'
  const flushed = `output.write('last\\n'); output.flushSync(); process.exit()`
  const lines = await linesOf(
    { count: logBuffer.characters, before, after: `setTimeout(() => { ${flushed} }, 200)` },
    1,
  )
  assert.equal(lines.includes('last'), true)
})

test('TL-07 if the reader stops, 16 MB of lines wait, and the number of the dropped ones follows', async () => {
  const program = `
    const { createLog } = await import(${module})
    const log = createLog({ level: 'info', pretty: false })
    const line = 'x'.repeat(1000)
    const before = process.memoryUsage().rss
    let count = 0
    const timer = setInterval(() => {
      for (let index = 0; index < 1000; index++) log.write('info', line, { index: count++ })
      if (count < 60_000) return
      clearInterval(timer)
      process.send({ grownMB: (process.memoryUsage().rss - before) / 1e6 })
      process.on('message', () => setTimeout(() => process.exit(), 2000))
    }, 5)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const { promise, resolve } = Promise.withResolvers<{ readonly grownMB: number }>()
  child.once('message', resolve)
  const { grownMB } = await promise
  assert.ok(grownMB < 150, `the process grew by ${grownMB} MB`)
  child.send('read')
  assert.ok(child.stdout !== null)
  const lines = (await text(child.stdout)).trimEnd().split('\n')
  const entries = lines.map(line => JSON.parse(line))
  const dropped = entries.filter(({ msg }) => msg === 'log_lines_dropped')
  const count = dropped.reduce((sum, each) => sum + each.count, 0)
  assert.ok(count > 20_000, `${count} were dropped`)
  assert.equal(entries.length - dropped.length + count, 60_000)
})

test('TL-05 the level can be replaced, and returns to that of the options', () => {
  const lines: string[] = []
  const log = createLog({
    level: 'info',
    pretty: false,
    destination: { write: line => void lines.push(line) },
  })
  for (const level of [null, 'debug', null, 'error'] as const) {
    log.setLevel(level)
    log.write('debug', `debug at ${level}`)
    log.write('info', `info at ${level}`)
  }
  const messages = lines.map(line => JSON.parse(line).msg)
  assert.deepEqual(messages, ['info at null', 'debug at debug', 'info at debug', 'info at null'])
})

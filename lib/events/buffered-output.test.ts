import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { logBuffer } from '#lib/config/limits.ts'

const module = JSON.stringify(new URL('./buffered-output.ts', import.meta.url))

/** The lines of a process that has written so many of them and then ends as it is told. */
function linesOf(count: number, ending: string): readonly string[] {
  const program = `
    const { bufferedOutput } = await import(${module})
    const output = bufferedOutput(1)
    for (let index = 0; index < ${count}; index++) output.write('wörd ' + index + '\\n')
    ${ending}`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    maxBuffer: 10_000_000,
  })
  return stdout.split('\n')
}

function allOf(count: number): readonly string[] {
  return [...Array.from({ length: count }, (_, index) => `wörd ${index}`), '']
}

const endings = {
  'has nothing left to do': '',
  'is ended': 'process.exit(1)',
  'is ended later': `setTimeout(() => process.exit(), ${2 * logBuffer.longestMs})`,
  fails: `throw new Error('unexpected')`,
  'flushed and was killed': `output.flushSync(); process.kill(process.pid, 'SIGKILL')`,
  'waited and was killed': `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${20 * logBuffer.longestMs})`,
}

for (const [what, ending] of Object.entries(endings)) {
  test(`no line is lost where the process ${what}`, () => {
    assert.deepEqual(linesOf(3, ending), allOf(3))
  })
}

test('more lines than are kept back come out whole and in order', () => {
  const count = logBuffer.characters
  assert.equal(linesOf(count, 'process.exit()').join('\n') === allOf(count).join('\n'), true)
})

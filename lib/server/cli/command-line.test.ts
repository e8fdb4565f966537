/** Tests how the programs of the command line read their arguments. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The script of each command, with arguments that lead to its options. */
const commands = [
  ['admin', 'create'],
  ['import'],
  ['health'],
  ['backup'],
  ['restore'],
  ['upgrade:check'],
  ['master-key'],
  ['move'],
  ['doctor'],
  ['config:review'],
  ['passwords:filter'],
  ['audit:verify'],
] as const

async function run(script: string, given: readonly string[]) {
  const [, ...program] = String(scripts[script]).split(' ')
  const child = spawn(process.execPath, [...program, ...given], { cwd: root })
  const closed = new Promise(done => child.once('close', done))
  const [output, problem] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await closed, output, problem }
}

for (const [script, ...needed] of commands) {
  test(`npm run ${script} names an unknown option, and ends with 2 before it does anything`, async () => {
    const { code, output, problem } = await run(script, [...needed, '--shade'])
    assert.deepEqual([code, output], [2, ''], problem)
    assert.match(problem, /^Unknown option '--shade'(.|\n)*\n\nUsage: npm run /)
  })

  test(`npm run ${script} -- --help shows the usage`, async () => {
    const { code, output, problem } = await run(script, ['--help'])
    assert.deepEqual([code, problem], [0, ''])
    assert.ok(output.startsWith(`Usage: npm run ${script} -- `), output)
  })
}

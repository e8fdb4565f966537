/** Tests the one command of a package. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const program = join(import.meta.dirname, 'latchkey.mjs')
const folder = mkdtempSync(join(tmpdir(), 'latchkey-command-'))
after(() => rmSync(folder, { recursive: true }))
// Nothing listens on the first port, which only root may use
writeFileSync(join(folder, '.env'), 'PORT=1\n')

function runInFolder(
  ...given: readonly string[]
): Promise<{ readonly code: unknown; readonly output: string }> {
  const { PORT: _, ...env } = process.env
  return new Promise(done => {
    execFile(process.execPath, [program, ...given], { cwd: folder, env }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, output: stdout + stderr }),
    )
  })
}

test('a command of a package reads the settings of the current folder only if it is asked to', async () => {
  const there = await runInFolder('--here', 'health', '--alive')
  assert.deepEqual(there, {
    code: 1,
    output: 'Not reachable: no Latchkey answers at http://127.0.0.1:1/healthz.\n',
  })
  const { output } = await runInFolder('health', '--alive')
  assert.doesNotMatch(output, /127\.0\.0\.1:1\//)
})

test('an unknown command of a package is refused with the names of those that exist', async () => {
  const { code, output } = await runInFolder('--here', 'strat')
  assert.equal(code, 1)
  assert.match(output, /^There is no command "strat"\. Commands: start, admin, import, health, /)
})

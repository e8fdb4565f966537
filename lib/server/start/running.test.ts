import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findRunning } from './running.mjs'

const source = new URL('./running.mjs', import.meta.url).href

test('a server that runs from the folder is found, one that ended or was killed is not', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-running-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const script = join(folder, 'main.ts')
  writeFileSync(
    script,
    `const { declareRunning } = await import(${JSON.stringify(source)})
    declareRunning(process.argv[2])
    process.stdin.on('end', () => process.exit(0)).resume()
    console.log('here')`,
  )
  const marks = join(folder, 'running')
  for (const end of ['end', 'kill'] as const) {
    const child = spawn(process.execPath, [script, marks], { stdio: ['pipe', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    assert.equal(findRunning(marks), child.pid)
    if (end === 'end') child.stdin.end()
    else child.kill('SIGKILL')
    await once(child, 'exit')
    assert.equal(existsSync(join(marks, String(child.pid))), end === 'kill')
    assert.equal(findRunning(marks), null)
    assert.equal(existsSync(join(marks, String(child.pid))), false)
  }
})

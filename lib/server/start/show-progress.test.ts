import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const source = JSON.stringify(new URL('./show-progress.mjs', import.meta.url).href)

/** What a start whose one step takes that long says. */
function said(milliseconds: number, end = ''): string {
  const script = `
    const { withProgress } = await import(${source})
    const work = () => new Promise(done => setTimeout(done, ${milliseconds}))
    await withProgress('Applying', () => work().then(() => { ${end} })).catch(() => console.log('failed'))`
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout
}

test('a step of over a second gets one line, also when it fails', () => {
  assert.match(said(1200), /^ {2}Applying … 1\.\d s\n$/)
  assert.match(said(1200, 'throw new Error()'), /^ {2}Applying … 1\.\d s\nfailed\n$/)
})

test('a quick one says nothing', () => {
  assert.equal(said(10), '')
})

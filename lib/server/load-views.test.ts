import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const view = 'lib/pages/screen.tsx'

const load = `
  await import(${JSON.stringify(join(root, view))})
  console.log(Object.keys((await import('node:module')).default._cache).some(file => file.includes('esbuild')))
`

test('a view whose time is newer but whose content is the same is not compiled again', () => {
  utimesSync(join(root, view), new Date(), new Date())
  const given = ['--import', './lib/server/load-views.mjs', '--input-type=module', '--eval', load]
  assert.equal(execFileSync(process.execPath, given, { cwd: root, encoding: 'utf8' }).trim(), 'false')
})

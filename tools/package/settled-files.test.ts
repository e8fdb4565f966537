/** Tests that a package has nothing of a build that differs in the next build of the same files. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { settledContents } from './settled-files.mjs'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-settled-'))
after(() => rmSync(folder, { recursive: true }))

/** Writes the lists of a build, and returns them as a package has them. */
function settledBuild(name: string, digit: string): readonly (string | null)[] {
  const root = join(folder, name)
  mkdirSync(join(root, '.next/server/app'), { recursive: true })
  const key = Buffer.alloc(32, digit).toString('base64')
  const files = {
    '.next/prerender-manifest.json': JSON.stringify({ preview: { id: digit.repeat(32) } }),
    '.next/server/server-reference-manifest.json': JSON.stringify({ encryptionKey: key }),
    '.next/server/preview-props.json': JSON.stringify({ id: digit.repeat(32) }),
    '.next/required-server-files.json': JSON.stringify({ appDir: root }),
    '.next/server/app/page.js': root,
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, file), text)
  return Object.keys(files).map(settledContents(root))
}

test('two builds in different folders are equal in a package, without the keys that Next draws', () => {
  const [first, second] = [settledBuild('first', '1'), settledBuild('second-and-longer', '2')]
  assert.deepEqual(first, second)
  assert.deepEqual(first, [
    JSON.stringify({ preview: { id: '0'.repeat(32) } }),
    JSON.stringify({ encryptionKey: `${'A'.repeat(43)}=` }),
    JSON.stringify({ id: '0'.repeat(32) }),
    '{"appDir":"/app"}',
    null,
  ])
})

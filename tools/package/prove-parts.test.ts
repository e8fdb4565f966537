/** Tests that a list of parts that differs from a package is noticed. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { differingParts } from './prove-parts.mjs'
import { billPlace, bundled } from './sbom.mjs'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-parts-'))
after(() => rmSync(folder, { recursive: true }))

function write(file: string, content: unknown): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), JSON.stringify(content))
}

function writeList(names: readonly string[]): void {
  const components = names.map(name => ({ name, version: '1', purl: `pkg:npm/${name}@1`, properties: [] }))
  const script = { name: 'in-a-script', version: '1', purl: 'pkg:npm/in-a-script@1', properties: [bundled] }
  write(billPlace, { components: [...components, script, { name: 'libc6', purl: 'pkg:deb/debian/libc6@2' }] })
}

test('a list of parts that has a package too many or too few differs from the package', () => {
  for (const place of ['one', '@scope/two', '@scope/two/node_modules/three'])
    write(`app/node_modules/${place}/package.json`, {
      name: place.replace(/.*node_modules\//, ''),
      version: '1',
    })
  writeList(['one', '@scope/two', 'three'])
  assert.deepEqual(differingParts(folder), [])
  writeList(['one', 'three', 'four'])
  assert.deepEqual(differingParts(folder), ['@scope/two@1 is not in the list', 'four@1 is only in the list'])
})

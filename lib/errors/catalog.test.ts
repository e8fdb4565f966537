import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { catalog } from './catalog.ts'

const text = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
const sections = [...text.matchAll(/^### `(\w+)`\n([^\n]+)/gm)]

test('docs/errors.md explains exactly the existing codes', () => {
  assert.deepEqual(sections.map(([, code]) => code).toSorted(), Object.keys(catalog).toSorted())
})

test('every status in docs/errors.md equals the one of the catalog', () => {
  const statuses = new Map(Object.entries(catalog).map(([code, { status }]) => [code, status]))
  for (const [, code = '', line = ''] of sections) {
    const said = /^(\d{3})\. /.exec(line)?.[1]
    if (said !== undefined) assert.equal(Number(said), statuses.get(code), code)
  }
})

/** Checks that the pages in docs/applications match the data. `npm run docs:write` writes them. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { applicationGuides } from './guides.ts'

const folder = new URL('../../../../docs/applications/', import.meta.url)

test('docs/applications has a current page for every application, and no other pages', () => {
  const guides = applicationGuides()
  if (process.env.UPDATE_DOCS === '1') {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    for (const { path, content } of guides) writeFileSync(new URL(path, folder), content)
  }
  assert.deepEqual(readdirSync(folder).toSorted(), guides.map(({ path }) => path).toSorted())
  for (const { path, content } of guides)
    assert.equal(readFileSync(new URL(path, folder), 'utf8'), content, `${path}: run npm run docs:write`)
})

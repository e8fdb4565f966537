import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { nameInApiSegment, nameInSegment, pageSegment, placeOf } from './page-paths.ts'

const dashboard = join(import.meta.dirname, '../../app/admin')
/** Names of routes next to an `[id]` folder, such as `new`: they could also be the ID of an object. */
const neighbors = globSync('*/*/{page.tsx,route.ts}', { cwd: dashboard })
  .map(file => dirname(file))
  .filter(folder => globSync(join(dirname(folder), '[[]id[]]'), { cwd: dashboard }).length > 0)
  .map(folder => basename(folder))
  .filter(name => name !== '[id]')

for (const name of [
  'web',
  '.',
  '..',
  'a/../b',
  './a',
  'page.rsc',
  '~=bmV3',
  '=new',
  '~new',
  '~',
  'a b/c?d',
  'news',
  ...new Set(neighbors),
  'NEW',
  '~~x',
])
  test(`${name} is found again by its address, which no page of the dashboard has`, () => {
    const segment = pageSegment(name)
    assert.equal(nameInSegment(decodeURIComponent(segment)), name)
    assert.ok(!neighbors.includes(segment))
    assert.equal(new URL(segment, 'https://example.com/admin/clients/').pathname, `/admin/clients/${segment}`)
    assert.doesNotMatch(decodeURIComponent(segment), /(^|\/)\.{1,2}(\/|$)|\.rsc$/)
  })

test('the pages and downloads next to those of objects are found', () => {
  assert.deepEqual([...new Set(neighbors)].sort(), ['deleted', 'export', 'invitations', 'new'])
})

test('the API reads a name as it is, and the encoded form only of a name that is changed on the way', () => {
  for (const name of ['web', 'new', 'export', '~new', '~', '~=bmV3', '~=Lg=', '~=']) {
    assert.equal(nameInApiSegment(name), name)
  }
  for (const name of ['.', '..', 'a/../b', 'page.rsc'])
    assert.equal(nameInApiSegment(pageSegment(name)), name)
})

const shop = { targetKind: 'client', targetId: 'shop', before: { a: 1 }, after: { a: 2 } } as const

test('the row of a deletion has no page to link to', () => {
  assert.equal(placeOf(shop), '/admin/clients/shop')
  assert.equal(placeOf({ ...shop, after: null }), null)
})

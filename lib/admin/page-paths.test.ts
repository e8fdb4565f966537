import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameInSegment, pageSegment, placeOf } from './page-paths.ts'

for (const name of [
  'web',
  '.',
  '..',
  'a/../b',
  './a',
  'page.rsc',
  '~=bmV3',
  '=new',
  'new',
  '~new',
  '~',
  'deleted',
  'a b/c?d',
  'news',
  'NEW',
  '~~x',
])
  test(`${name} is found again by its address, which no page of the dashboard has`, () => {
    const segment = pageSegment(name)
    assert.equal(nameInSegment(decodeURIComponent(segment)), name)
    assert.ok(!['new', 'deleted'].includes(segment))
    assert.equal(new URL(segment, 'https://example.com/admin/clients/').pathname, `/admin/clients/${segment}`)
    assert.doesNotMatch(decodeURIComponent(segment), /(^|\/)\.{1,2}(\/|$)|\.rsc$/)
  })

const shop = { targetKind: 'client', targetId: 'shop', before: { a: 1 }, after: { a: 2 } } as const

test('a deleted object has no page to link to', () => {
  assert.equal(placeOf(shop), '/admin/clients/shop')
  assert.equal(placeOf({ ...shop, after: null }), null)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeOf } from './paths.ts'

const shop = { targetKind: 'client', targetId: 'shop', before: { a: 1 }, after: { a: 2 } } as const

test('a deleted object has no page to link to', () => {
  assert.equal(placeOf(shop), '/admin/clients/shop')
  assert.equal(placeOf({ ...shop, after: null }), null)
})

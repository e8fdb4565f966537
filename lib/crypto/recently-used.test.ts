import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecentlyUsed } from './recently-used.ts'

test('the one that was not asked about for the longest time is forgotten', () => {
  const known = createRecentlyUsed<true>(2)
  for (const key of ['first', 'second']) known.put(key, true)
  known.find('first')
  known.put('third', true)
  assert.deepEqual(['first', 'second', 'third'].map(known.find), [true, null, true])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { niceCeiling } from './scale.ts'

const cases: ReadonlyArray<readonly [most: number, ceiling: number]> = [
  [0, 2],
  [1, 2],
  [3, 4],
  [9, 10],
  [11, 12],
  [150, 160],
  [401, 600],
  [1080, 1200],
  [99_999, 100_000],
]

for (const [most, ceiling] of cases) {
  test(`an axis for ${most} ends at ${ceiling}`, () => {
    assert.equal(niceCeiling(most), ceiling)
    assert.equal(ceiling % 2, 0)
  })
}

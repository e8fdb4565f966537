import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  changeText,
  durationText,
  niceCeiling,
  numberText,
  percentText,
  shortNumber,
} from './number-words.ts'

describe('a share is 0% or 100% only if it is exactly that', () => {
  for (const [share, expected] of [
    [0, '0%'],
    [0.004, 'under 1%'],
    [0.5, '50%'],
    [0.9951, 'over 99%'],
    [1, '100%'],
  ] as const)
    test(`a share of ${share} is shown as ${expected}`, () => assert.equal(percentText(share), expected))
})

describe('a change is a percentage of the earlier value', () => {
  for (const [now, before, expected] of [
    [112, 100, '+12%'],
    [88, 100, '−12%'],
    [1000, 1001, 'unchanged'],
    [0, 0, 'unchanged'],
    [5, 0, null],
    [2100, 100, '+2,000%'],
  ] as const)
    test(`a change from ${before} to ${now} is shown as ${expected}`, () =>
      assert.equal(changeText(now, before), expected))
})

test('numbers have separators, numbers of axes are short, and long durations are in seconds', () => {
  assert.deepEqual([numberText(1234567), shortNumber(1500), shortNumber(20)], ['1,234,567', '1.5K', '20'])
  assert.deepEqual([durationText(5), durationText(2000)], ['5\u00a0ms', '2\u00a0s'])
})

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

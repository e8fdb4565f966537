import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { purge as limits } from '#lib/config/limits.ts'
import { nextStep } from './purge.ts'

const { rows, stepMs, pauseFactor, longestPauseMs } = limits

describe('a step of the purge', () => {
  const sizes: ReadonlyArray<readonly [string, number, number, number]> = [
    ['doubles when the last was quick', 100, stepMs / 4, 200],
    ['stays as it is in between', 100, stepMs * 0.75, 100],
    ['halves when the last was slow', 200, stepMs * 2, 100],
    ['never exceeds the largest', rows.most, 0.1, rows.most],
    ['never falls below the smallest', rows.least, stepMs * 100, rows.least],
  ]
  for (const [title, size, tookMs, expected] of sizes) {
    test(title, () => assert.equal(nextStep(size, tookMs).rows, expected))
  }
  test('leaves the other writes several times as long as it took, up to a limit', () => {
    assert.equal(nextStep(100, 2).pauseMs, 2 * pauseFactor)
    assert.equal(nextStep(100, 1000).pauseMs, longestPauseMs)
  })
})

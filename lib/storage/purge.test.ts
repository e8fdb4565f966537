import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { purge as limits } from '#lib/config/limits.ts'
import { nextStep } from './purge.ts'

const { rows, stepMs, pauseFactor, longestPauseMs, hurryAfterMs } = limits
const step = { rows: 100, tookMs: 2, runningMs: 0 }

describe('a step of the purge', () => {
  const sizes: ReadonlyArray<readonly [string, number, number, number]> = [
    ['doubles when the last was quick', 100, stepMs / 4, 200],
    ['stays as it is in between', 100, stepMs * 0.75, 100],
    ['halves when the last was slow', 200, stepMs * 2, 100],
    ['never exceeds the largest', rows.most, 0.1, rows.most],
    ['never falls below the smallest', rows.least, stepMs * 100, rows.least],
  ]
  for (const [title, size, tookMs, expected] of sizes) {
    test(title, () => assert.equal(nextStep({ ...step, rows: size, tookMs }).rows, expected))
  }
  test('leaves the other writes several times as long as it took, up to a limit', () => {
    assert.equal(nextStep(step).pauseMs, 2 * pauseFactor)
    assert.equal(nextStep({ ...step, tookMs: 1000 }).pauseMs, longestPauseMs)
  })
  test('leaves them less time when the purge has been running for long', () => {
    const pauses = [0, 1, 2].map(times => nextStep({ ...step, runningMs: times * hurryAfterMs }).pauseMs)
    assert.deepEqual(
      pauses,
      [1, 2, 3].map(part => (2 * pauseFactor) / part),
    )
  })
})

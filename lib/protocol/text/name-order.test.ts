import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareNames } from './name-order.ts'

test('names are sorted by the value of their numbers, accents and case next to each other', () => {
  const names = ['App 2', 'App 10', 'Éclair', 'echo', 'app 1', 'zebra']
  assert.deepEqual(names.toSorted(compareNames), ['app 1', 'App 2', 'App 10', 'echo', 'Éclair', 'zebra'])
})

test('names that the language sorts alike have one order, so that pages of a list do not repeat or skip a row', () => {
  for (const [left, right] of [
    ['v01', 'v1'],
    ['e\u0301', '\u00e9'],
  ] as const) {
    assert.notEqual(compareNames(left, right), 0)
    assert.equal(Math.sign(compareNames(left, right)), -Math.sign(compareNames(right, left)))
  }
  assert.equal(compareNames('v1', 'v1'), 0)
})

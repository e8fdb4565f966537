import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRequestId, requestIdIn } from './request-ids.ts'

for (const [pasted, found] of [
  ['7QK4-M2P9', '7QK4-M2P9'],
  [' Reference: 7qk4-m2p9. ', '7QK4-M2P9'],
  ['7qk4m2p9', '7QK4-M2P9'],
  ['7QK4-M2P9-7QK4', null],
  ['order-1234', null],
  ['two 7QK4M2P9 words', null],
  ['', null],
] as const) {
  test(`the request ID in “${pasted}” is ${found}`, () => assert.equal(requestIdIn(pasted), found))
}

for (const typed of [
  '7QK4-M2P9',
  '7qk4-m2p9',
  '7QK4M2P9',
  '7qk4m2p9',
  ' 7qk4 m2p9\n',
  '7QK4–M2P9',
  '7qk4 - m2p9',
]) {
  test(`“${typed}” is read as 7QK4-M2P9`, () => assert.equal(readRequestId(typed), '7QK4-M2P9'))
}

for (const typed of ['7QK4-M2P', '7QK4-M2P99', '0QK4-M2P9', 'elephant', '7QK4/M2P9', '7QK4\u0000M2P9', '']) {
  test(`“${JSON.stringify(typed)}” is not a request ID`, () => assert.equal(readRequestId(typed), null))
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf } from './csv.ts'

test('AD-08 what a spreadsheet would run as a formula is text', () => {
  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1']) {
    assert.match(csvOf([[formula]]), /^"?'/, formula)
  }
})

test('quotes, commas and line breaks stay in their cell', () => {
  assert.equal(csvOf([['a', 'b "c", d', 'e\nf']]), 'a,"b ""c"", d","e\nf"\r\n')
})

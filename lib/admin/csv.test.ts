import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf } from './csv.ts'

test('AD-08 what a spreadsheet would run as a formula is text', () => {
  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1']) {
    assert.match(csvOf([[formula]]), /^"?'/, formula)
  }
})

test('AD-08 a formula after a semicolon or a line break is text, for spreadsheets that divide cells there', () => {
  assert.equal(csvOf([['agent;=1+1']]), '"agent;\'=1+1"\r\n')
  assert.equal(csvOf([['agent;"=1+1";\t@SUM(A1)\n-1']]), '"agent;""\'=1+1"";\'\t\'@SUM(A1)\n\'-1"\r\n')
  assert.equal(csvOf([['Mozilla/5.0 (X11; Linux x86-64)']]), '"Mozilla/5.0 (X11; Linux x86-64)"\r\n')
})

test('quotes, commas and line breaks stay in their cell', () => {
  assert.equal(csvOf([['a', 'b "c", d', 'e\nf']]), 'a,"b ""c"", d","e\nf"\r\n')
})

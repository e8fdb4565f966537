import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looksLike } from './look-alike.ts'

const same = [
  'Latchkey',
  'LATCHKEY',
  ' latch-key ',
  'Latch Key.',
  'Iatchkey',
  '1atchkey',
  '|atchkey',
  'Lаtсhkеу',
  'Lαtchκey',
  'L\u0430tchkey',
  'Latch\u200bkey',
  'Látchkéy',
  'Ｌａｔｃｈｋｅｙ',
  '𝐋𝐚𝐭𝐜𝐡𝐤𝐞𝐲',
  '\u202eLatchkey',
  'L@tchk3y',
]
for (const name of same) {
  test(`CN-09 ${JSON.stringify(name)} resembles Latchkey`, () =>
    assert.equal(looksLike(name, 'Latchkey'), true))
}

const other = ['Latch', 'Latchkey Shop', 'Patchkey', 'Hatchkey', '鍵', '', '-']
for (const name of other) {
  test(`CN-09 ${JSON.stringify(name)} does not resemble Latchkey`, () =>
    assert.equal(looksLike(name, 'Latchkey'), false))
}

test('CN-09 two letters that look like one count as that letter', () => {
  assert.equal(looksLike('Acrne VVorks', 'Acme Works'), true)
  assert.equal(looksLike('Банк', 'Банк'), true)
  assert.equal(looksLike('--', '!?'), false)
})

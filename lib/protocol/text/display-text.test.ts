import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { displayHref, displayName, displayText, initialsOf } from './display-text.ts'

const table: ReadonlyArray<readonly [string, string, string]> = [
  ['plain text stays', 'Harbour Books', 'Harbour Books'],
  ['other scripts stay', 'بحر الكتب', 'بحر الكتب'],
  ['accents stay, composed', 'Cafe\u0301', 'Café'],
  ['direction overrides go', 'Bank\u202egnp.exe\u202c', 'Bankgnp.exe'],
  ['direction isolates go', '\u2066Bank\u2069', 'Bank'],
  ['zero width goes', 'Ba\u200bn\u200d\u2060k\ufeff', 'Bank'],
  ['soft hyphens go', 'Ba\u00adnk', 'Bank'],
  ['line breaks become one space', 'Bank\r\n\t official', 'Bank official'],
  ['separators become one space', 'Bank\u2028\u2029\u00a0\u3000official', 'Bank official'],
  ['controls go', 'Ba\u0000\u001b[31mnk', 'Ba[31mnk'],
  ['invisible letters go', '\u3164\u2800\u115fBank', 'Bank'],
  ['tag characters go', 'Bank\u{e0041}\u{e0042}', 'Bank'],
  ['private use goes', 'Bank\u{f8ff}', 'Bank'],
  ['lone surrogates go', 'Ba\ud800nk', 'Bank'],
  ['stacked marks are thinned', `B${'\u0337'.repeat(40)}ank`, `B${'\u0337'.repeat(3)}ank`],
  ['markup is text', '<b>Bank</b>', '<b>Bank</b>'],
]

for (const [rule, input, expected] of table) {
  test(`CN-09 ${rule}`, () => assert.equal(displayText(input, 60), expected))
}

test('CN-09 long text is cut by characters, not in the middle of one', () => {
  assert.equal(displayText('abcdefgh', 8), 'abcdefgh')
  assert.equal(displayText('abcdefghi', 8), 'abcdefg…')
  assert.equal(displayText('🔑'.repeat(500), 5), '🔑🔑🔑🔑…')
})

test('CN-09 any text becomes one short line without hidden characters, idempotently', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('\u202e', '\u200b', '\u2067', '👩‍👩‍👧', '\u0301'.repeat(9), '\n', '\ud83d', '\u3164'),
  )
  fc.assert(
    fc.property(
      fc.array(hostile).map(parts => parts.join('')),
      text => {
        const shown = displayText(text, 20)
        assert.doesNotMatch(shown, /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/u)
        assert.ok([...new Intl.Segmenter().segment(shown)].length <= 20)
        assert.equal(displayText(shown, 20), shown)
      },
    ),
  )
})

test('CN-09 a name of only hidden characters is replaced by the identifier', () => {
  assert.equal(displayName('\u200b\u202e', 'demo-web'), 'demo-web')
  assert.equal(displayName(null, 'demo-web'), 'demo-web')
  assert.equal(displayName(' Demo ', 'demo-web'), 'Demo')
})

test('initials are the first letters of the first two words, or an emoji', () => {
  const names = [
    'Harbour Books',
    'alice',
    'anna.smith@example.com',
    'Émile Zola',
    '李小龍',
    '',
    '✨ Sparkle',
    '🔑',
    ' 👩🏽‍🚀 ',
    '★',
  ]
  assert.deepEqual(names.map(initialsOf), ['HB', 'A', 'AS', 'ÉZ', '李', '?', 'S', '🔑', '👩🏽‍🚀', '?'])
})

test('WF-06 only https, or http on this machine, becomes a link', () => {
  const links: ReadonlyArray<readonly [string | null, string | null]> = [
    ['https://app.example/about', 'https://app.example/about'],
    ['http://localhost:4000', 'http://localhost:4000/'],
    ['http://app.example', null],
    ['javascript:alert(1)', null],
    [' javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['https://user:pass@app.example/', null],
    ['//app.example', null],
    ['nonsense', null],
    [null, null],
  ]
  for (const [address, expected] of links) assert.equal(displayHref(address), expected)
})

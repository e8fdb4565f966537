import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dirOf, type LanguageWishes, locales, negotiateLocale, readLocale } from './locales.ts'

/** A code that ISO 639 reserves for private use, so that a new language breaks no test. */
const unsupported = 'qaa'
const none: LanguageWishes = { saved: null, uiLocales: [], acceptLanguage: null }

const table: ReadonlyArray<readonly [string, Partial<LanguageWishes>, string]> = [
  ['the default is English', {}, 'en'],
  [
    'the stored language has the highest precedence',
    { saved: 'de', uiLocales: ['en'], acceptLanguage: 'en' },
    'de',
  ],
  ['an unsupported stored language is ignored', { saved: unsupported, uiLocales: ['de'] }, 'de'],
  ['ui_locales has precedence over the browser', { uiLocales: ['de'], acceptLanguage: 'en' }, 'de'],
  ['ui_locales in order of preference', { uiLocales: [unsupported, 'de', 'en'] }, 'de'],
  [
    'unsupported ui_locales fall back to the browser',
    { uiLocales: [unsupported], acceptLanguage: 'de' },
    'de',
  ],
  ['a region finds its language', { uiLocales: ['de-AT'] }, 'de'],
  ['a script and region find their language', { uiLocales: ['de-Latn-CH-1996'] }, 'de'],
  ['a related language is accepted', { uiLocales: ['gsw'] }, 'de'],
  ['letter case does not matter', { uiLocales: ['DE-at'] }, 'de'],
  ['malformed tags are dropped', { uiLocales: ['xx!', '../de', 'd', '', 'de'] }, 'de'],
  [
    'the eleventh language is not read',
    { uiLocales: [...Array.from({ length: 10 }, () => unsupported), 'de'] },
    'en',
  ],
  ['a tag of 10,000 letters is dropped', { uiLocales: ['d'.repeat(10_000), 'de'] }, 'de'],
  ['languages of the browser count by weight', { acceptLanguage: 'en;q=0.4, de;q=0.9' }, 'de'],
  ['weight 0 means no', { acceptLanguage: 'de;q=0, en;q=0.1' }, 'en'],
  ['a wildcard is ignored', { acceptLanguage: '*' }, 'en'],
  ['a broken weight counts as no', { acceptLanguage: 'de;q=abc, en;q=0.1' }, 'en'],
  [
    'unsupported languages fall back to English',
    { acceptLanguage: `${unsupported}-AQ,${unsupported};q=0.9` },
    'en',
  ],
]

for (const [rule, wishes, expected] of table) {
  test(`language negotiation: ${rule}`, () => assert.equal(negotiateLocale({ ...none, ...wishes }), expected))
}

test('language negotiation returns a supported language for any input', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('de,', ';q=', 'x-', '-u-'),
  )
  const wishes = fc.record({
    saved: fc.option(text),
    uiLocales: fc.array(text),
    acceptLanguage: fc.option(fc.array(text).map(parts => parts.join(','))),
  })
  fc.assert(fc.property(wishes, input => assert.ok(locales.includes(negotiateLocale(input)))))
})

test('a stored language is a supported one or null', () => {
  assert.equal(readLocale('de'), 'de')
  assert.equal(readLocale('de-AT'), null)
  assert.equal(readLocale(undefined), null)
})

test('the direction of Arabic and Hebrew is right to left', () => {
  assert.deepEqual(['en', 'de', 'ar', 'he-IL'].map(dirOf), ['ltr', 'ltr', 'rtl', 'rtl'])
})

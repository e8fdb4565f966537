import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dirOf, type LanguageWishes, locales, negotiateLocale, readLocale } from './locales.ts'

const none: LanguageWishes = { saved: null, uiLocales: [], acceptLanguage: null }

const table: ReadonlyArray<readonly [string, Partial<LanguageWishes>, string]> = [
  ['nothing known is English', {}, 'en'],
  ['the saved choice beats everything', { saved: 'de', uiLocales: ['en'], acceptLanguage: 'en' }, 'de'],
  ['a saved choice we do not have is ignored', { saved: 'fr', uiLocales: ['de'] }, 'de'],
  ['ui_locales beats the browser', { uiLocales: ['de'], acceptLanguage: 'en' }, 'de'],
  ['ui_locales in order of preference', { uiLocales: ['fr', 'de', 'en'] }, 'de'],
  ['ui_locales without any of ours falls to the browser', { uiLocales: ['fr'], acceptLanguage: 'de' }, 'de'],
  ['a region finds its language', { uiLocales: ['de-AT'] }, 'de'],
  ['a script and region find their language', { uiLocales: ['de-Latn-CH-1996'] }, 'de'],
  ['a close language is good enough', { uiLocales: ['gsw'] }, 'de'],
  ['letter case does not matter', { uiLocales: ['DE-at'] }, 'de'],
  ['malformed tags are dropped', { uiLocales: ['xx!', '../de', 'd', '', 'de'] }, 'de'],
  ['the eleventh wish is not read', { uiLocales: [...Array.from({ length: 10 }, () => 'fr'), 'de'] }, 'en'],
  ['a tag of 10,000 letters is dropped', { uiLocales: ['d'.repeat(10_000), 'de'] }, 'de'],
  ['the browser is heard by weight', { acceptLanguage: 'en;q=0.4, de;q=0.9' }, 'de'],
  ['weight 0 means no', { acceptLanguage: 'de;q=0, en;q=0.1' }, 'en'],
  ['a wildcard says nothing', { acceptLanguage: '*' }, 'en'],
  ['a broken weight counts as no', { acceptLanguage: 'de;q=abc, en;q=0.1' }, 'en'],
  ['languages we lack are English', { acceptLanguage: 'ja,fr;q=0.9' }, 'en'],
]

for (const [rule, wishes, expected] of table) {
  test(`negotiation: ${rule}`, () => assert.equal(negotiateLocale({ ...none, ...wishes }), expected))
}

test('negotiation answers one of our languages for any input', () => {
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

test('a stored choice is one of ours or nothing', () => {
  assert.equal(readLocale('de'), 'de')
  assert.equal(readLocale('de-AT'), null)
  assert.equal(readLocale(undefined), null)
})

test('Arabic and Hebrew run from right to left', () => {
  assert.deepEqual(['en', 'de', 'ar', 'he-IL'].map(dirOf), ['ltr', 'ltr', 'rtl', 'rtl'])
})

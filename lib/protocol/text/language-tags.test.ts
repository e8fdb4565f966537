import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inLanguage, languageTagSchema } from './language-tags.ts'

const tags: ReadonlyArray<readonly [string, boolean]> = [
  ['de', true],
  ['pt-BR', true],
  ['zh-Hant', true],
  ['PT-br', false],
  ['de_DE', false],
  ['german language', false],
  ['', false],
  [`de-${'x-'.repeat(20)}y`, false],
  ['__proto__', false],
]

for (const [tag, isAccepted] of tags) {
  test(`${isAccepted ? 'accepts' : 'refuses'} the language tag "${tag}"`, () => {
    assert.equal(languageTagSchema.safeParse(tag).success, isAccepted)
  })
}

const texts = { de: 'deutsch', 'de-AT': 'österreichisch', 'pt-BR': 'brasileiro' }
const lookups: ReadonlyArray<readonly [string, string | null]> = [
  ['de', 'deutsch'],
  ['de-AT', 'österreichisch'],
  ['de-CH', 'deutsch'],
  ['pt', 'brasileiro'],
  ['pt-PT', 'brasileiro'],
  ['en', null],
]

for (const [language, expected] of lookups) {
  test(`a page in "${language}" shows ${expected ?? 'the text of no language'}`, () => {
    assert.equal(inLanguage(texts, language), expected)
  })
}

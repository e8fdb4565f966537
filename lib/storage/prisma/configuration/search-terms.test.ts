import assert from 'node:assert/strict'
import { test } from 'node:test'
import { search } from '#lib/config/limits.ts'
import { emailTerms, foldedText, phoneDigits, searchWords, storedTerms, textTerms } from './search-terms.ts'

const foldings = [
  ['ZOË', 'zoe'],
  ['Ångström', 'angstrom'],
  ['Łukasz Żółć', 'lukasz zolc'],
  ['STRASSE Straße', 'strasse strasse'],
  ['İstanbul ısı', 'istanbul isi'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
  ['ﬁn ½', 'fin 1⁄2'],
  ['  two\t\n words  ', 'two words'],
  ['a\u0000b\u202ec', 'a b c'],
  ['Ян', 'ян'],
] as const
for (const [text, folded] of foldings) {
  test(`normalizes ${JSON.stringify(text)} for searching`, () => assert.equal(foldedText(text), folded))
}

const questions = [
  { asked: null, words: null },
  { asked: ' \t', words: null },
  { asked: '%_"\'\\', words: [] },
  { asked: '🎉', words: [] },
  { asked: 'Ann  SMITH', words: ['ann', 'smith'] },
  { asked: 'ann anna', words: ['anna'] },
  { asked: '"ann.smith@acme.example,"', words: ['ann.smith@acme.example'] },
  { asked: '\ud83d ann \ud83d', words: ['ann'] },
  { asked: 'a b c d e f', words: ['a', 'b', 'c', 'd', 'e'] },
] as const
for (const { asked, words } of questions) {
  test(`searches for ${JSON.stringify(words)} when ${JSON.stringify(asked)} is entered`, () =>
    assert.deepEqual(searchWords(asked), words))
}

test('a search term of ten thousand characters is one word of limited length', () => {
  for (const letter of ['a', 'ﷺ', '𝒜', '字']) {
    const words = searchWords(letter.repeat(10_000)) ?? []
    assert.ok(words.length <= search.wordsAsked)
    assert.ok(words.every(word => Array.from(word).length <= search.termCharacters))
  }
})

const numbers = [
  ['+380 (44) 123-45-67', '380441234567'],
  ['00380 44 1234567', '380441234567'],
  ['044 123 45 67', '0441234567'],
  ['12 34', null],
  ['ann 1234567', null],
  ['', null],
] as const
for (const [text, digits] of numbers) {
  test(`${JSON.stringify(text)} is ${digits === null ? 'not ' : ''}a telephone number`, () =>
    assert.equal(phoneDigits(text), digits))
}

test('a word is found by the beginning of each of its parts', () => {
  assert.deepEqual(textTerms("Jean-Pierre O'Brien"), ['jean-pierre', 'pierre', "o'brien", 'brien'])
  assert.deepEqual(emailTerms('Ann.Smith@acme.example'), [
    'ann.smith@acme.example',
    'smith@acme.example',
    'acme.example',
  ])
  assert.deepEqual(emailTerms('ann'), ['ann'])
})

test('stores a limited number of words, each once, without prefixes of others', () => {
  assert.deepEqual(storedTerms(['ann', 'anna', 'anna', 'bo']), ['anna', 'bo'])
  const many = storedTerms(Array.from({ length: 1000 }, (_, index) => `${index}-${'x'.repeat(1000)}`))
  assert.equal(many.length, search.termsStored)
  assert.ok(many.every(term => term.length <= search.termCharacters))
})

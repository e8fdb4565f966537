import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseUiLocales } from './ui-locales.ts'

test('AZ-21 keeps language tags in the order of preference', () => {
  assert.deepEqual(parseUiLocales('de-CH-1996 de fr zh-Hant-TW'), ['de-CH-1996', 'de', 'fr', 'zh-Hant-TW'])
  assert.deepEqual(parseUiLocales('en ../../etc/passwd de'), ['en', 'de'])
  assert.deepEqual(parseUiLocales(''), [])
})

test('AZ-21 reads at most ten, and nothing that could be a path', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('en', 'de-DE', '../..', 'en/..'))), words => {
      const tags = parseUiLocales(words.join(' '))
      assert.ok(tags.length <= 10)
      for (const tag of tags) assert.match(tag, /^[A-Za-z0-9-]+$/)
    }),
  )
})

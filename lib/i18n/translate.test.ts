import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTranslator } from 'use-intl/core'
import { catalog, type ErrorCode, pageTextOf } from '#lib/errors/catalog.ts'
import { type Locale, locales, catalogs as typed } from './locales.ts'
import { en } from './messages/en.ts'
import { type MessageKey, translate } from './translate.ts'

type Tree = { readonly [name: string]: string | Tree }

const catalogs: Readonly<Record<Locale, Tree>> = typed

function leaves(tree: Tree, path = ''): ReadonlyArray<readonly [string, string]> {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'string' ? [[`${path}${name}`, value] as const] : leaves(value, `${path}${name}.`),
  )
}

/** Returns the names in braces, without the texts of the branches of a plural. */
function placeholders(message: string): readonly string[] {
  return [
    ...new Set([...message.matchAll(/(?<!(?:one|other|=\d) )\{(\w+)/g)].map(found => found[1] ?? '')),
  ].sort()
}

for (const locale of locales) {
  const messages = new Map(leaves(catalogs[locale]))

  test(`${locale} has exactly the keys of English`, () => {
    assert.deepEqual([...messages.keys()].sort(), [...new Map(leaves(en)).keys()].sort())
  })

  test(`${locale} uses the placeholders of English in every message`, () => {
    for (const [key, message] of leaves(en)) {
      assert.deepEqual(placeholders(messages.get(key) ?? ''), placeholders(message), key)
    }
  })

  test(`${locale} has no empty text, no straight apostrophe and no exclamation mark`, () => {
    for (const [key, message] of messages) assert.match(message, /^[^'!]+$/, key)
  })

  test(`${locale} keeps buttons short`, () => {
    const buttons = ['login.submit', 'consent.allow', 'consent.deny', 'logout.submit', 'account.revoke']
    for (const key of buttons) assert.ok((messages.get(key) ?? '').length <= 22, key)
  })
}

test('every error of the catalog has a title and a body', () => {
  for (const code of Object.keys(catalog) as ErrorCode[]) {
    const text = pageTextOf(code)
    for (const part of ['title', 'body'] as const) {
      assert.notEqual(translate('en')(`errors.${text}.${part}`), `errors.${text}.${part}`)
    }
  }
})

test('plural forms follow the language', () => {
  assert.match(translate('en')('login.limitedSeconds', { seconds: 1 }), /1 second\./)
  assert.match(translate('en')('login.limitedSeconds', { seconds: 28 }), /28 seconds\./)
  assert.match(translate('en')('login.limitedSeconds', { seconds: 1 }), /1 second\./)
  assert.match(translate('de')('login.limitedSeconds', { seconds: 1 }), /1 Sekunde /)
  assert.match(translate('de')('login.rememberHint', { days: 30 }), /30 Tage/)
})

test('WF-06 translations return values unchanged in every language', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('{app}', "'{", '<b>', '</b>', '{x, plural, other {#}}', '‮evil', '#', "''", '\u0000'),
  )
  fc.assert(
    fc.property(fc.constantFrom(...locales), fc.array(hostile, { maxLength: 4 }), (locale, parts) => {
      const app = parts.join('')
      const [before = '', after = ''] = translate(locale)('login.heading', { app: '\u{f8ff}' }).split(
        '\u{f8ff}',
      )
      assert.equal(translate(locale)('login.heading', { app }), before + app + after)
    }),
  )
})

for (const locale of locales) {
  test(`${locale} texts are those of use-intl, with and without values`, () => {
    const known = createTranslator({ locale, messages: typed[locale], timeZone: 'UTC', onError: () => {} })
    const text = 'a <b> {c} ’d’ 50 %'
    for (const [key, message] of leaves(catalogs[locale])) {
      const names = placeholders(message)
      const textFor = (name: string) => (/plural/.test(message) ? 2 : `${name}: ${text}`)
      const values = Object.fromEntries(names.map(name => [name, textFor(name)]))
      for (const given of [values, undefined])
        assert.equal(translate(locale)(key as MessageKey, given), known(key as MessageKey, given), key)
    }
  })
}

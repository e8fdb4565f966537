import assert from 'node:assert/strict'
import { test } from 'node:test'
import { locales } from '#lib/i18n/locales.ts'
import { translate } from '#lib/i18n/translate.ts'
import { standardScopes } from '#lib/protocol/registration/scope.ts'
import { scopeWording } from './scope-wording.ts'

test('each standard scope without a registered text has a built-in one in each language', () => {
  for (const locale of locales)
    for (const { name } of standardScopes) {
      const untitled = { name, displayName: null, description: null, localized: {} }
      const { title, detail } = scopeWording(translate(locale), locale, untitled)
      assert.notEqual(title, name, `${locale} ${name}`)
      assert.ok(detail, `${locale} ${name}`)
    }
})

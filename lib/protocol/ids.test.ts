import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientIdSchema, scopeNameSchema } from './ids.ts'

test('the message for a refused name lists the allowed characters and the refused one', () => {
  for (const [schema, text, end] of [
    [clientIdSchema, 'caf\u00e9', /"-", "_" and "."; "\u00e9" is not allowed$/],
    [clientIdSchema, 'a\tb', /; U\+0009 is not allowed$/],
    [clientIdSchema, 'a\u{1F600}b', /; "\u{1F600}" is not allowed$/u],
    [scopeNameSchema, 'two words', /^must be one word .*; a blank is not allowed$/],
    [scopeNameSchema, 'a"b', /; """ is not allowed$/],
  ] as const) {
    const [issue] = schema.safeParse(text).error?.issues ?? []
    assert.match(issue?.message ?? '', end, text)
  }
})

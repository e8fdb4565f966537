import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkNames } from './link-names.ts'

const alice = { label: 'Alice' }
const shop = { label: 'Alice’s Shop' }

test('each name of an event is a link, once: in its sentence, or behind it', () => {
  for (const [sentence, owners, parts, others] of [
    ['A sign-in failed: wrong password.', [alice], ['A sign-in failed: wrong password.'], [alice]],
    ['Alice signed out.', [alice], [alice, ' signed out.'], []],
    ['Alice was signed in to Alice’s Shop.', [alice, shop], [alice, ' was signed in to ', shop, '.'], []],
    ['Alice’s Shop got tokens.', [shop], [shop, ' got tokens.'], []],
    ['No tokens.', [], ['No tokens.'], []],
  ] as const)
    assert.deepEqual(linkNames(sentence, owners), { parts, others })
})

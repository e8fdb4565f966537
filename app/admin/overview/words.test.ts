import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventsOf, failureWords } from './words.ts'

describe('a counted reason leads to a filter that finds its events', () => {
  for (const [label, filter, words] of [
    ['wrong_password', { reason: 'wrong_password' }, 'Wrong password'],
    ['limited', { name: 'sign_in_limited' }, 'There were too many tries'],
    [
      'provider_answered',
      { name: 'external_sign_in_failed' },
      'An identity provider sent people back with an error',
    ],
    [
      'token_endpoint_answered',
      { name: 'external_sign_in_failed' },
      'An identity provider refused to redeem a code',
    ],
  ] as const) {
    test(label, () => {
      assert.deepEqual(eventsOf(label), filter)
      assert.equal(failureWords(label), words)
    })
  }
})

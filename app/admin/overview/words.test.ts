import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventFilterOf, failureWords } from './words.ts'

describe('a counted reason leads to a filter that finds its events', () => {
  for (const [label, filter, text] of [
    ['wrong_password', { reason: 'wrong_password' }, 'Wrong password'],
    ['limited', { name: 'sign_in_limited' }, 'Too many failed attempts'],
    ['provider_answered', { name: 'external_sign_in_failed' }, 'An identity provider returned an error'],
    [
      'token_endpoint_answered',
      { name: 'external_sign_in_failed' },
      'An identity provider refused to redeem a code',
    ],
  ] as const) {
    test(`${label} leads to ${JSON.stringify(filter)}`, () => {
      assert.deepEqual(eventFilterOf(label), filter)
      assert.equal(failureWords(label), text)
    })
  }
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { reasons } from '#lib/errors/reasons.ts'
import { accountNote, eventFilterOf, failureNote, failureWords, methodWords } from './words.ts'

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

test('the words of a counted reason name their subject', () => {
  for (const reason of Object.keys(reasons)) assert.doesNotMatch(failureWords(reason), /^Its? /, reason)
  for (const [reason, words] of [
    ['content_type', 'The body has the wrong content type'],
    ['scope_unknown', 'The client requested an unknown scope'],
  ] as const)
    assert.equal(failureWords(reason), words)
})

test('the chart of failures says from how many addresses they came', () => {
  for (const [failures, addresses, note] of [
    [0, 0, {}],
    [1, 1, {}],
    [200, 1, { note: 'The latest 200 failures came from 1 IP address.' }],
    [200, 37, { note: 'The latest 200 failures came from 37 IP addresses.' }],
  ] as const) {
    const overview = { failureAddresses: { failures, addresses, isMore: failures === 200 } }
    assert.deepEqual(failureNote(overview), note)
  }
})

test('a method names its second factor', () => {
  for (const [label, words] of [
    ['pwd', 'Password'],
    ['passkey', 'Passkey'],
    ['pwd+totp', 'Password and authenticator app'],
    ['external+passkey', 'Identity provider and passkey'],
    ['pwd+recovery_code', 'Password and recovery code'],
  ] as const)
    assert.equal(methodWords(label), words)
})

test('the chart of methods says how many accounts were registered and recovered', () => {
  assert.deepEqual(accountNote({ accounts: [{ label: 'recovery_asked', count: 9 }] }), {})
  const accounts = [
    { label: 'recovered', count: 1 },
    { label: 'registered', count: 12 },
  ]
  assert.equal(
    accountNote({ accounts }).note,
    '12 accounts were registered. 1 forgotten password was replaced by mail.',
  )
})

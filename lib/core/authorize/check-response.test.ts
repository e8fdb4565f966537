import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryMode, parseResponseMode } from '#lib/protocol/response-mode.ts'
import { responseModes, responseTypes } from '#lib/protocol/vocabulary.ts'
import { testClient } from '../test-registrations.ts'
import {
  checkClientMayUseResponseType,
  checkNonce,
  checkResponseMode,
  readResponseType,
} from './check-response.ts'
import { assertRefused, validationInput } from './test-input.ts'

test('reads each response type, whatever the order of its words', () => {
  for (const type of responseTypes)
    assert.equal(readResponseType(validationInput({ response_type: type })), type)
  assert.equal(readResponseType(validationInput({ response_type: 'token id_token' })), 'id_token token')
})

test('refuses a response type that is missing or not ours', () => {
  assertRefused(
    () => readResponseType(validationInput({ response_type: '' })),
    'invalid_request',
    'response_type_missing',
  )
  for (const type of ['Code', 'none', 'code token', 'code id_token', 'token token', 'code ', '__proto__']) {
    const read = () => readResponseType(validationInput({ response_type: type }))
    assertRefused(read, 'unsupported_response_type', 'response_type_unknown')
  }
})

test('AZ-09 a client may use only the response types it registered', () => {
  const codeOnly = testClient({ grant_types: ['authorization_code'], response_types: ['code'] })
  checkClientMayUseResponseType(validationInput({ response_type: 'code' }, codeOnly))
  for (const type of ['token', 'id_token', 'id_token token']) {
    const check = () => checkClientMayUseResponseType(validationInput({ response_type: type }, codeOnly))
    assertRefused(check, 'unauthorized_client', 'response_type_not_allowed')
  }
})

test('AZ-09 tokens never go into a query: every response type with every mode', () => {
  for (const type of responseTypes) {
    for (const mode of responseModes) {
      const input = validationInput({ response_type: type, response_mode: mode })
      if (type === 'code' || mode !== 'query') checkResponseMode(input)
      else assertRefused(() => checkResponseMode(input), 'invalid_request', 'response_mode_not_allowed')
    }
  }
})

test('AZ-09 an unknown response mode is refused', () => {
  for (const mode of ['Query', 'jwt', 'web_message', 'form_post.jwt']) {
    const check = () => checkResponseMode(validationInput({ response_mode: mode }))
    assertRefused(check, 'invalid_request', 'response_mode_not_allowed')
  }
})

test('an error reaches the client even when response type or mode are what is wrong', () => {
  const rows = [
    [undefined, undefined, 'query'],
    ['code', undefined, 'query'],
    ['code', 'form_post', 'form_post'],
    ['code', 'nonsense', 'query'],
    ['token', 'query', 'fragment'],
    ['id_token token', 'nonsense', 'fragment'],
    ['code id_token', undefined, 'fragment'],
    ['nonsense', 'fragment', 'fragment'],
    [undefined, 'form_post', 'form_post'],
  ] as const
  for (const [type, mode, expected] of rows)
    assert.equal(deliveryMode(type, mode), expected, `${type} ${mode}`)
  assert.equal(parseResponseMode('query', 'id_token'), null)
})

test('a token from the front channel needs a nonce', () => {
  for (const type of ['id_token', 'id_token token']) {
    checkNonce(validationInput({ response_type: type, nonce: 'n' }))
    assertRefused(
      () => checkNonce(validationInput({ response_type: type })),
      'invalid_request',
      'nonce_missing',
    )
  }
  for (const type of ['code', 'token']) checkNonce(validationInput({ response_type: type }))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { responseModes, responseTypeNames } from '#lib/protocol/vocabulary.ts'
import { deliveryMode, parseResponseMode } from '#lib/protocol/wire/parameters.ts'
import { testClient } from '../testing/registrations.ts'
import { assertRefused, rawInput, validationInput } from '../testing/validation-input.ts'
import {
  readMaxAge,
  readNonce,
  readPrompts,
  readResponseType,
  refuseUnsupported,
  requireAllowedResponseMode,
  requireAllowedResponseType,
  validate,
} from './validate.ts'

test('refuses request objects and inline registrations by their own codes', () => {
  const rows = [
    ['request', 'request_not_supported', 'request_object'],
    ['request_uri', 'request_uri_not_supported', 'request_uri'],
    ['registration', 'registration_not_supported', 'registration'],
  ] as const
  for (const [name, code, reason] of rows) {
    assertRefused(() => refuseUnsupported(rawInput({ [name]: 'x' })), code, reason)
    refuseUnsupported(rawInput({ [name]: '' }))
  }
})

test('AZ-04 a fault of a parameter is the first refusal', () => {
  const fault = new OauthError('parameter_too_long', { description: 'The parameter nonce is too long.' })
  const input = validationInput({ response_type: 'nonsense' })
  assertRefused(() => validate({ ...input, fault }), 'invalid_request', 'parameter_too_long')
})

test('reads each response type, whatever the order of its words', () => {
  for (const type of responseTypeNames)
    assert.equal(readResponseType(rawInput({ response_type: type })), type)
  assert.equal(readResponseType(rawInput({ response_type: 'token id_token' })), 'id_token token')
  assert.equal(readResponseType(rawInput({ response_type: ' id_token  token ' })), 'id_token token')
  assert.equal(readResponseType(rawInput({ response_type: 'code ' })), 'code')
})

test('refuses a response type that is missing or not supported', () => {
  assertRefused(
    () => readResponseType(rawInput({ response_type: '' })),
    'invalid_request',
    'response_type_missing',
  )
  for (const type of ['Code', 'None', 'none code', 'token token', 'code code', '__proto__']) {
    const read = () => readResponseType(rawInput({ response_type: type }))
    assertRefused(read, 'unsupported_response_type', 'response_type_unknown')
  }
})

test('AZ-09 a client may use only the response types it registered', () => {
  const codeOnly = testClient({ grant_types: ['authorization_code'], response_types: ['code'] })
  requireAllowedResponseType(codeOnly, 'code')
  for (const type of ['token', 'id_token', 'id_token token'] as const) {
    const check = () => requireAllowedResponseType(codeOnly, type)
    assertRefused(check, 'unauthorized_client', 'response_type_not_allowed')
  }
})

test('AZ-09 tokens never go into a query: every response type with every mode', () => {
  for (const type of responseTypeNames) {
    for (const mode of responseModes) {
      const raw = rawInput({ response_mode: mode })
      if (type === 'code' || type === 'none' || mode !== 'query') requireAllowedResponseMode(raw, type)
      else
        assertRefused(
          () => requireAllowedResponseMode(raw, type),
          'invalid_request',
          'response_mode_not_allowed',
        )
    }
  }
})

test('AZ-09 an unknown response mode is refused', () => {
  for (const mode of ['Query', 'jwt', 'web_message', 'form_post.jwt']) {
    const check = () => requireAllowedResponseMode(rawInput({ response_mode: mode }), 'code')
    assertRefused(check, 'invalid_request', 'response_mode_not_allowed')
  }
})

test('an error is delivered to the client even if response_type or response_mode is wrong', () => {
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
  for (const type of ['id_token', 'id_token token'] as const) {
    assert.equal(readNonce(rawInput({ nonce: 'n' }), type), 'n')
    assertRefused(() => readNonce(rawInput({}), type), 'invalid_request', 'nonce_missing')
  }
  for (const type of ['code', 'token'] as const) assert.equal(readNonce(rawInput({}), type), null)
})

test('AZ-16 reads one prompt or several', () => {
  const rows = [
    ['', []],
    ['none', ['none']],
    ['login', ['login']],
    ['login consent', ['login', 'consent']],
    ['consent login consent', ['login', 'consent']],
    ['select_account', ['select_account']],
    ['create', ['create']],
  ] as const
  for (const [prompt, expected] of rows) assert.deepEqual(readPrompts(rawInput({ prompt })), expected)
})

test('AZ-16 refuses none and create together with other prompts, and unknown prompts', () => {
  const rows = [
    ['none login', 'prompt_none_with_others'],
    ['consent none', 'prompt_none_with_others'],
    ['create login', 'prompt_create_with_others'],
    ['select_account create', 'prompt_create_with_others'],
    ['Login', 'prompt_unknown'],
    ['login nonsense', 'prompt_unknown'],
    ['none nonsense', 'prompt_unknown'],
  ] as const
  for (const [prompt, reason] of rows) {
    assertRefused(() => readPrompts(rawInput({ prompt })), 'invalid_request', reason)
  }
})

test('AZ-18 reads max_age as whole seconds', () => {
  const rows = [
    ['', null],
    ['0', 0],
    ['1', 1],
    ['0300', 300],
    ['999999999', 999_999_999],
  ] as const
  for (const [max_age, expected] of rows) assert.equal(readMaxAge(rawInput({ max_age })), expected)
})

test('AZ-18 refuses a max_age that is negative or not a whole number', () => {
  for (const max_age of ['-1', '1.5', '1e3', '0x10', ' 5', 'NaN', '٣', '9'.repeat(16)]) {
    assertRefused(() => readMaxAge(rawInput({ max_age })), 'invalid_request', 'max_age_malformed')
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMaxAge, readPrompts } from './check-interaction.ts'
import { assertRefused, validationInput } from './test-input.ts'

test('AZ-16 reads prompts, several at once', () => {
  const rows = [
    ['', []],
    ['none', ['none']],
    ['login', ['login']],
    ['login consent', ['login', 'consent']],
    ['consent login consent', ['login', 'consent']],
    ['select_account', ['select_account']],
  ] as const
  for (const [prompt, expected] of rows) assert.deepEqual(readPrompts(validationInput({ prompt })), expected)
})

test('AZ-16 refuses none beside others, and unknown prompts', () => {
  const rows = [
    ['none login', 'prompt_none_with_others'],
    ['consent none', 'prompt_none_with_others'],
    ['create', 'prompt_unknown'],
    ['Login', 'prompt_unknown'],
    ['login nonsense', 'prompt_unknown'],
    ['none nonsense', 'prompt_unknown'],
  ] as const
  for (const [prompt, reason] of rows) {
    assertRefused(() => readPrompts(validationInput({ prompt })), 'invalid_request', reason)
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
  for (const [max_age, expected] of rows) assert.equal(readMaxAge(validationInput({ max_age })), expected)
})

test('AZ-18 refuses a max_age that is negative or not a whole number', () => {
  for (const max_age of ['-1', '1.5', '1e3', '0x10', ' 5', 'NaN', '٣', '9'.repeat(16)]) {
    assertRefused(() => readMaxAge(validationInput({ max_age })), 'invalid_request', 'max_age_malformed')
  }
})

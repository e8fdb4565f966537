import { test } from 'node:test'
import { parameterLengths } from '#lib/config/limits.ts'
import { checkSizes, refuseUnsupported } from './check-form.ts'
import { assertRefused, validationInput } from './test-input.ts'

const limited = [
  'scope',
  'state',
  'nonce',
  'prompt',
  'login_hint',
  'ui_locales',
  'acr_values',
  'max_age',
] as const

test('AZ-24 a parameter at its limit passes', () => {
  for (const name of limited) checkSizes(validationInput({ [name]: 'x'.repeat(parameterLengths[name] ?? 0) }))
})

test('AZ-24 a parameter over its limit is refused, however long', () => {
  for (const name of limited) {
    for (const factor of [1, 10, 1000]) {
      const value = 'x'.repeat((parameterLengths[name] ?? 0) * factor + 1)
      assertRefused(
        () => checkSizes(validationInput({ [name]: value })),
        'invalid_request',
        `${name}_too_long`,
      )
    }
  }
})

test('refuses a NUL, which no database text can hold', () => {
  assertRefused(() => checkSizes(validationInput({ state: 'a\0b' })), 'invalid_request', 'state_with_nul')
})

test('refuses request objects and inline registrations by their own codes', () => {
  const rows = [
    ['request', 'request_not_supported', 'request_object'],
    ['request_uri', 'request_uri_not_supported', 'request_uri'],
    ['registration', 'registration_not_supported', 'registration'],
  ] as const
  for (const [name, code, reason] of rows) {
    assertRefused(() => refuseUnsupported(validationInput({ [name]: 'x' })), code, reason)
    refuseUnsupported(validationInput({ [name]: '' }))
  }
})

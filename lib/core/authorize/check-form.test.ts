import { test } from 'node:test'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { refuseFault, refuseUnsupported } from './check-form.ts'
import { assertRefused, validationInput } from './test-input.ts'

test('AZ-04 what is wrong with a parameter is told as it was found', () => {
  const fault = new OauthError('invalid_request', 'parameter_too_long', 'The parameter nonce is too long.')
  assertRefused(() => refuseFault({ ...validationInput({}), fault }), 'invalid_request', 'parameter_too_long')
  refuseFault(validationInput({}))
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

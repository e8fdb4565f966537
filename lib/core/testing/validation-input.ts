/** Inputs and assertions for the tests of single checks. */

import assert from 'node:assert/strict'
import type { ErrorCode } from '#lib/errors/catalog.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import {
  type AuthorizeParameters,
  parametersFrom,
  readAuthorizeParameters,
} from '#lib/protocol/wire/parameters.ts'
import type { ValidationInput } from '../authorize/validate.ts'
import { testClient, testScopes } from './registrations.ts'

/** Makes a request that passes every check, with changed parameters; an empty value removes a parameter. */
export function validationInput(
  parameters: Readonly<Record<string, string>>,
  client: Client = testClient(),
): ValidationInput {
  const raw = readAuthorizeParameters(parametersFrom({ ...validParameters, ...parameters }))
  return { raw, client, scopes: testScopes }
}

export const validParameters = {
  client_id: 'web',
  redirect_uri: 'https://app.example/callback',
  response_type: 'code',
  scope: 'openid profile',
  state: 'st',
}

/** Returns the parameters of `validationInput`. */
export function rawInput(parameters: Readonly<Record<string, string>>): AuthorizeParameters {
  return validationInput(parameters).raw
}

/** Asserts that `run` is refused with exactly this code and reason. */
export function assertRefused(run: () => unknown, code: ErrorCode, reason: string): void {
  assert.throws(run, error => {
    assert.ok(isOauthError(error), String(error))
    assert.deepEqual([error.code, error.reason], [code, reason])
    assert.match(error.description, /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/)
    return true
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseResponseType } from '#lib/protocol/wire/parameters.ts'
import { testClient } from '../testing/registrations.ts'
import { assertRefused, validationInput } from '../testing/validation-input.ts'
import { readCodeChallenge } from './code-challenge.ts'
import type { ValidationInput } from './validate.ts'

const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const s256 = { code_challenge: challenge, code_challenge_method: 'S256' }
const plain = { code_challenge: challenge, code_challenge_method: 'plain' }
const absentMethod = { code_challenge: challenge }

const strict = testClient({ pkce: 'required-s256' })
const required = testClient({ pkce: 'required' })
const optional = testClient({ pkce: 'optional' })
const orNonce = testClient({ pkce: 's256-or-nonce' })
const publicOrNonce = { ...orNonce, tokenEndpointAuthMethod: 'none' } as const
const openToAll = { ...optional, tokenEndpointAuthMethod: 'none' } as const

function readFrom({ raw, client }: ValidationInput) {
  return readCodeChallenge(raw, client, parseResponseType(raw.response_type ?? '') ?? 'code')
}

test('CD-08 each PKCE policy accepts the requests that satisfy it; an absent method means plain', () => {
  const rows = [
    [strict, s256, 'S256'],
    [orNonce, s256, 'S256'],
    [orNonce, { ...s256, nonce: 'n' }, 'S256'],
    [required, s256, 'S256'],
    [required, plain, 'plain'],
    [required, absentMethod, 'plain'],
    [optional, s256, 'S256'],
    [optional, absentMethod, 'plain'],
  ] as const
  for (const [client, parameters, method] of rows) {
    assert.deepEqual(readFrom(validationInput(parameters, client)), { challenge, method })
  }
  assert.equal(readFrom(validationInput({}, optional)), null)
  assert.equal(readFrom(validationInput({ nonce: 'n' }, orNonce)), null)
})

test('CD-08 each PKCE policy refuses the requests that do not satisfy it', () => {
  const rows = [
    [strict, {}, 'code_challenge_missing'],
    [strict, plain, 'code_challenge_method_not_s256'],
    [strict, absentMethod, 'code_challenge_method_not_s256'],
    [required, {}, 'code_challenge_missing'],
    [openToAll, {}, 'code_challenge_missing'],
    [optional, { code_challenge_method: 'S256' }, 'code_challenge_missing'],
    [orNonce, {}, 'code_challenge_and_nonce_missing'],
    [orNonce, { nonce: '' }, 'code_challenge_and_nonce_missing'],
    [orNonce, { nonce: 'n', scope: 'api' }, 'code_challenge_and_nonce_missing'],
    [orNonce, { nonce: 'n', scope: '' }, 'code_challenge_and_nonce_missing'],
    [orNonce, { nonce: 'n', ...plain }, 'code_challenge_method_not_s256'],
    [orNonce, { nonce: 'n', ...absentMethod }, 'code_challenge_method_not_s256'],
    [orNonce, { nonce: 'n', code_challenge_method: 'S256' }, 'code_challenge_missing'],
    [publicOrNonce, { nonce: 'n' }, 'code_challenge_missing'],
    [publicOrNonce, { nonce: 'n', ...plain }, 'code_challenge_method_not_s256'],
  ] as const
  for (const [client, parameters, reason] of rows) {
    assertRefused(() => readFrom(validationInput(parameters, client)), 'invalid_request', reason)
  }
})

test('the refusal of a strict client names S256', () => {
  assert.throws(() => readFrom(validationInput(absentMethod, strict)), { description: /S256/ })
})

test('CD-10 an unknown method is an error, never plain', () => {
  for (const method of ['s256', 'PLAIN', 'S512', 'S256 ', 'none']) {
    const read = () => readFrom(validationInput({ ...absentMethod, code_challenge_method: method }, optional))
    assertRefused(read, 'invalid_request', 'code_challenge_method_unknown')
  }
})

test('CD-10 a challenge of the wrong shape is refused', () => {
  const rows = [
    { ...s256, code_challenge: challenge.slice(1) },
    { ...s256, code_challenge: `${challenge}A` },
    { ...plain, code_challenge: 'a'.repeat(42) },
    { ...plain, code_challenge: 'a'.repeat(129) },
  ]
  for (const parameters of rows) {
    const read = () => readFrom(validationInput(parameters, optional))
    assertRefused(read, 'invalid_request', 'code_challenge_malformed')
  }
})

test('a code next to tokens needs PKCE like any other', () => {
  for (const response_type of ['code id_token', 'code token', 'code id_token token']) {
    const read = () => readFrom(validationInput({ response_type, nonce: 'n' }, strict))
    assertRefused(read, 'invalid_request', 'code_challenge_missing')
    assert.ok(readFrom(validationInput({ response_type, ...s256 }, strict)))
  }
})

test('only a code can be bound to a code challenge', () => {
  for (const type of ['token', 'id_token', 'id_token token']) {
    assert.equal(readFrom(validationInput({ response_type: type, ...s256 }, strict)), null)
  }
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bodyBytes, queryCharacters } from '#lib/config/limits.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { type Parameters, parameterLimit, parameterRules } from '#lib/protocol/wire/parameters.ts'
import { authorizeQueryOf, readAuthorizeQuery } from './authorize.ts'

const proof = 'client_id=web&redirect_uri=https%3A%2F%2Fapp.test'
const proven = { client_id: 'web', redirect_uri: 'https://app.test' }
const read = (query: string) => readAuthorizeQuery(new Request(`http://localhost/connect/authorize?${query}`))

function valuesOf(parameters: Parameters): Readonly<Record<string, string | null>> {
  return Object.fromEntries(parameters.names.map(name => [name, parameters.one(name)]))
}

function refusal(reason: string) {
  return (error: unknown) => isOauthError(error) && error.reason === reason
}

describe('AZ-04 a malformed parameter does not affect the client and redirect URI', () => {
  const faults: readonly (readonly [query: string, reason: string])[] = [
    ...Object.keys(parameterRules)
      .filter(
        name => !(name in proven) && !['token', 'access_token', 'id_token_hint', 'state'].includes(name),
      )
      .map(name => [`${name}=${'x'.repeat(parameterLimit(name) + 1)}`, 'parameter_too_long'] as const),
    ['nonce=a&nonce=a', 'parameter_repeated'],
    ['state=&state=x', 'parameter_repeated'],
    ['extra=a&extra=b', 'parameter_repeated'],
    ['state=%zz', 'bad_encoding'],
    ['%zz=x', 'bad_encoding'],
    ['%zz', 'bad_encoding'],
    ['nonce=%00', 'nul_character'],
    ['client_id%00=x', 'nul_character'],
  ]
  for (const [query, reason] of faults) {
    for (const whole of [`${query}&${proof}`, `${proof}&${query}`]) {
      test(`AZ-04 reads the client and redirect URI of ${whole.slice(0, 70)}`, () => {
        const { parameters, fault } = read(whole)
        assert.deepEqual(valuesOf(parameters), proven)
        assert.equal(fault?.code, 'invalid_request')
        assert.equal(fault.reason, reason)
      })
    }
  }
  test('AZ-04 keeps a state that is only too long, so that the error repeats it', () => {
    const state = 'x'.repeat(parameterLimit('state') + 1)
    const { parameters, fault } = read(`${proof}&state=${state}`)
    assert.deepEqual(valuesOf(parameters), { ...proven, state })
    assert.equal(fault?.reason, 'parameter_too_long')
  })
  test('AZ-04 reports the first of several malformed parameters', () => {
    assert.equal(read(`${proof}&nonce=%zz&state=a&state=b`).fault?.reason, 'bad_encoding')
  })
  test('a request without malformed parameters has no fault', () => {
    const { parameters, fault } = read(`${proof}&scope=a+b&state=&x[]=1`)
    assert.deepEqual(valuesOf(parameters), { ...proven, scope: 'a b', state: null, 'x[]': '1' })
    assert.equal(fault, null)
  })
})

describe('AZ-05 a malformed client_id or redirect_uri refuses the whole request', () => {
  const cases: readonly (readonly [query: string, reason: string])[] = [
    ['client_id=web&client_id=web', 'parameter_repeated'],
    ['client_id=web&client%5fid=web', 'parameter_repeated'],
    ['redirect_uri=a&redirect_uri=b', 'parameter_repeated'],
    ['redirect_uri=&redirect_uri=b', 'parameter_repeated'],
    [`client_id=${'x'.repeat(101)}`, 'parameter_too_long'],
    [`redirect_uri=${'x'.repeat(2001)}`, 'parameter_too_long'],
    ['client_id=%ff', 'bad_encoding'],
    ['redirect_uri=%00', 'nul_character'],
    ['x=1&'.repeat(300), 'too_many_parameters'],
    ['x'.repeat(queryCharacters + 1), 'query_too_long'],
  ]
  for (const [query, reason] of cases)
    test(`AZ-05 refuses the query ${query.slice(0, 40)}`, () =>
      assert.throws(() => read(query), refusal(reason)))
})

describe('an authorization request by POST becomes an equal query', () => {
  const ask = (body: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return authorizeQueryOf(
      new Request('http://localhost/connect/authorize', { method: 'POST', body, headers }),
    )
  }
  test('keeps encoded characters of the form, also malformed ones', async () => {
    const form = `${proof}&state=a+b%20c%26&nonce=1&nonce=2&x=%zz&y=%00&z`
    assert.equal(await ask(form), form)
  })
  test('encodes characters that would end the query', async () => {
    assert.equal(
      await ask('a=b#c\r\nLocation: //x?\u00e9\u{1f600}'),
      'a=b%23c%0D%0ALocation%3A%20%2F%2Fx%3F%C3%A9%F0%9F%98%80',
    )
  })
  test('LIM-02 the limits of body and query are checked first', async () => {
    await assert.rejects(ask('x'.repeat(bodyBytes.form + 1)), refusal('body_too_large'))
    await assert.rejects(ask('x'.repeat(queryCharacters + 1)), refusal('authorize_post_too_long'))
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BearerRequest, type PresentedToken, presentedToken } from './userinfo.ts'

const none: PresentedToken = { kind: 'none' }
const one: PresentedToken = { kind: 'one', value: 'at_x' }
const rows: ReadonlyArray<readonly [string, BearerRequest, PresentedToken]> = [
  ['nothing', { authorization: null, bodyToken: null }, none],
  ['an empty body field', { authorization: null, bodyToken: '' }, none],
  ['the header', { authorization: 'Bearer at_x', bodyToken: null }, one],
  ['the header in lower case', { authorization: 'bearer at_x', bodyToken: null }, one],
  ['the header with two blanks', { authorization: 'Bearer  at_x', bodyToken: null }, one],
  ['the scheme without a token', { authorization: 'Bearer', bodyToken: null }, none],
  ['another scheme', { authorization: 'Basic eDp5', bodyToken: null }, none],
  ['a scheme that only begins like it', { authorization: 'Bearers at_x', bodyToken: null }, none],
  ['the body', { authorization: null, bodyToken: 'at_x' }, one],
  ['both', { authorization: 'Bearer at_x', bodyToken: 'at_y' }, { kind: 'two' }],
  ['the same in both', { authorization: 'Bearer at_x', bodyToken: 'at_x' }, { kind: 'two' }],
]

for (const [title, request, expected] of rows) {
  test(`VE-02 reads the token from ${title}`, () => assert.deepEqual(presentedToken(request), expected))
}

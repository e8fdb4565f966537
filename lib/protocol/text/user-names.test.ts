import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameOfUser } from './user-names.ts'

const rows = [
  ['by name', { name: 'Ann Lee', email: 'ann@example.com' }, false, 'Ann Lee'],
  ['by given and family name', { given_name: 'Ann', family_name: 'Lee' }, true, 'Ann Lee'],
  ['by preferred user name', { preferred_username: 'ann', email: 'ann@example.com' }, false, 'ann'],
  ['by email address', { name: ' ', email: 'ann@example.com' }, false, 'ann@example.com'],
  ['by nothing that is not a text', { name: 7, email: 7 }, false, null],
] as const

for (const [rule, claims, hasPassword, expected] of rows) {
  test(`a user is shown ${rule}`, () => assert.equal(nameOfUser({ claims, hasPassword }), expected))
}

test('a user with a password and no name keeps the user name they chose', () => {
  assert.equal(nameOfUser({ claims: { email: 'ann@example.com' }, hasPassword: true }), null)
})

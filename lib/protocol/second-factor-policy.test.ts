import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSecondFactorPolicy } from './second-factor-policy.ts'

const rows = [
  ['offered', { kind: 'offered' }],
  ['required', { kind: 'required' }],
  ['role=staff', { kind: 'required_for', claims: [{ name: 'role', value: 'staff' }] }],
  [
    'role=staff, groups=a=b',
    {
      kind: 'required_for',
      claims: [
        { name: 'role', value: 'staff' },
        { name: 'groups', value: 'a=b' },
      ],
    },
  ],
  ['', null],
  ['never', null],
  ['role', null],
  ['role=', null],
  ['role=staff,', null],
  ['email=alice', null],
  ['Required', null],
] as const

for (const [text, policy] of rows) {
  test(`MF-06 the policy ${JSON.stringify(text)} ${policy === null ? 'is refused' : 'is read'}`, () => {
    assert.deepEqual(parseSecondFactorPolicy(text), policy)
  })
}

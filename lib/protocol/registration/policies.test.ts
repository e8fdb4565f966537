import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultPolicies, minimumPasswordLength, policiesSchema, secondFactorPolicyOf } from './policies.ts'

test('a new site is closed, and its passwords have at least 15 characters', () => {
  assert.equal(defaultPolicies.registration, 'closed')
  assert.equal(defaultPolicies.minimum_password_length, 15)
  assert.equal(defaultPolicies.minimum_password_length_with_second_factor, 8)
})

test('no site can allow passwords of fewer than 8 characters', () => {
  assert.equal(policiesSchema.safeParse({ minimum_password_length: 7 }).success, false)
  assert.equal(policiesSchema.safeParse({ minimum_password_length: 8 }).success, true)
})

test('an unknown policy is refused with the name that was meant', () => {
  const { error } = policiesSchema.safeParse({ registraton: 'open' })
  assert.match(error?.issues[0]?.message ?? '', /registration/)
})

const rows = [
  [[], { kind: 'offered' }],
  [['everyone'], { kind: 'required' }],
  [['role=staff', 'everyone'], { kind: 'required' }],
  [
    ['role=staff', 'groups=finance'],
    {
      kind: 'required_for',
      claims: [
        { name: 'role', value: 'staff' },
        { name: 'groups', value: 'finance' },
      ],
    },
  ],
] as const
for (const [required, policy] of rows) {
  test(`MF-06 the list ${JSON.stringify(required)} makes the policy ${policy.kind}`, () => {
    const policies = policiesSchema.parse({ second_factor_required_for: required })
    assert.deepEqual(secondFactorPolicyOf(policies), policy)
  })
}

test('a list with a claim other than role and groups is refused', () => {
  for (const text of ['email=x', 'staff', 'role=', '', 'Everyone', '=x'])
    assert.equal(policiesSchema.safeParse({ second_factor_required_for: [text] }).success, false, text)
})

const lengths = [
  [[], { role: 'staff' }, 15],
  [['everyone'], {}, 8],
  [['everyone'], null, 8],
  [['role=staff'], { role: ['admin', 'staff'] }, 8],
  [['role=staff'], { role: 'guest' }, 15],
  [['role=staff'], null, 15],
] as const
for (const [required, claims, minimum] of lengths) {
  test(`AU-01 with a second factor for ${JSON.stringify(required)}, a password of ${JSON.stringify(claims)} has ${minimum} characters`, () => {
    const policies = policiesSchema.parse({ second_factor_required_for: required })
    assert.equal(minimumPasswordLength(policies, claims), minimum)
  })
}

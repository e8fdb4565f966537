import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultPolicies, secondFactorPolicyOf } from '#lib/protocol/registration/policies.ts'
import { passkeyText, secondFactorText } from './ways-in-words.ts'

test('MF-06 the overview says which users need a second factor', () => {
  for (const [required, text] of [
    [[], 'Asked of users who have set one up'],
    [['everyone'], 'Required of all users'],
    [['role=staff'], 'Required of users with role staff'],
    [['role=staff', 'groups=finance'], 'Required of users with role staff or groups finance'],
  ] as const) {
    const policies = { ...defaultPolicies, second_factor_required_for: [...required] }
    assert.equal(secondFactorText(secondFactorPolicyOf(policies)), text)
  }
})

test('MF-05 the overview says whether passkeys work, for which domain, and whether they are offered', () => {
  const domain = {
    kind: 'on',
    id: 'example.org',
    origins: ['https://example.org'],
    relatedOrigins: [],
  } as const
  for (const [passkeys, isOffered, text] of [
    [{ domain, count: 1 }, true, '1 passkey of example.org; offered after a sign-in with a password'],
    [{ domain, count: 2 }, false, '2 passkeys of example.org; not offered after a sign-in with a password'],
    [
      { domain: { kind: 'off', why: 'ip_address' }, count: 0 },
      true,
      'Off: browsers have none for an IP address',
    ],
    [
      { domain: { kind: 'off', why: 'not_https' }, count: 2 },
      true,
      'Off: browsers have none without https; 2 passkeys cannot be used here',
    ],
  ] as const)
    assert.equal(passkeyText(passkeys, { offer_passkeys: isOffered }), text)
})

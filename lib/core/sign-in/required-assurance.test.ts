import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AcrValue } from '#lib/protocol/acr-values.ts'
import { testClient } from '../testing/registrations.ts'
import { requiredAssurance } from './required-assurance.ts'

const rows: ReadonlyArray<
  readonly [title: string, requireAcr: AcrValue | null, acrValues: readonly string[], level: string]
> = [
  ['one factor satisfies a request without values', null, [], 'pwd'],
  ['values that name no level require nothing', null, ['urn:example:strong', 'urn:latchkey:MFA'], 'pwd'],
  ['two factors are required by urn:latchkey:mfa', null, ['urn:latchkey:mfa'], 'mfa'],
  ['a passkey is required by phr', null, ['phr'], 'passkey'],
  ['phrh is not offered and requires nothing', null, ['phrh'], 'pwd'],
  ['the lowest of several values counts', null, ['phr', 'urn:latchkey:mfa'], 'mfa'],
  ['a value for the user service does not lower the level', null, ['urn:example:low', 'phr'], 'passkey'],
  ['the level of the client counts without a request', 'urn:latchkey:mfa', [], 'mfa'],
  ['a request cannot lower the level of the client', 'urn:latchkey:passkey', ['urn:latchkey:pwd'], 'passkey'],
  ['a request can raise the level of the client', 'urn:latchkey:mfa', ['phr'], 'passkey'],
]

for (const [title, requireAcr, acrValues, level] of rows) {
  test(`MF-06 ${title}`, () => {
    const client = testClient({ require_acr: requireAcr })
    assert.equal(requiredAssurance({ client, acrValues }), level)
  })
}

test('MF-06 a sign-in without a client requires one factor', () => {
  assert.equal(requiredAssurance({ client: null, acrValues: [] }), 'pwd')
})

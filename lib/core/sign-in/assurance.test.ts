import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AcrValue, Assurance } from '#lib/protocol/acr-values.ts'
import { testClient } from '../testing/registrations.ts'
import { acrOf, assuranceOfSession } from './assurance.ts'

type AcrRow = {
  readonly title: string
  readonly level: Assurance
  readonly acrValues?: readonly string[]
  readonly confirmed?: string
  readonly requireAcr?: AcrValue
  readonly acr: string
}

const rows: readonly AcrRow[] = [
  { title: 'is the name of the level if none is requested', level: 'mfa', acr: 'urn:latchkey:mfa' },
  {
    title: 'is the requested value, also with a higher level',
    level: 'passkey',
    acrValues: ['urn:latchkey:mfa'],
    acr: 'urn:latchkey:mfa',
  },
  {
    title: 'is the first requested value that the level satisfies',
    level: 'mfa',
    acrValues: ['phr', 'urn:latchkey:mfa', 'urn:latchkey:pwd'],
    acr: 'urn:latchkey:mfa',
  },
  { title: 'is phr if phr is requested', level: 'passkey', acrValues: ['phr'], acr: 'phr' },
  {
    title: 'is never a requested value above the level',
    level: 'pwd',
    acrValues: ['phr'],
    acr: 'urn:latchkey:pwd',
  },
  {
    title: 'is the class that the user service confirmed',
    level: 'pwd',
    acrValues: ['urn:example:strong'],
    confirmed: 'urn:example:strong',
    acr: 'urn:example:strong',
  },
  {
    title: 'is the requested level instead of a class that the user service confirmed',
    level: 'mfa',
    acrValues: ['urn:latchkey:mfa'],
    confirmed: 'urn:example:strong',
    acr: 'urn:latchkey:mfa',
  },
  {
    title: 'has the name that the client requires',
    level: 'passkey',
    requireAcr: 'phr',
    acr: 'phr',
  },
  {
    title: 'is the level, not a lower one that the client requires',
    level: 'passkey',
    requireAcr: 'urn:latchkey:mfa',
    acr: 'urn:latchkey:passkey',
  },
]

for (const { title, level, acrValues = [], confirmed = null, requireAcr = null, acr } of rows) {
  test(`MF-06 acr ${title}`, () => {
    const client = testClient({ require_acr: requireAcr })
    assert.equal(acrOf({ level, confirmed, client, acrValues }), acr)
  })
}

test('MF-06 the level of a session follows from its factors', () => {
  const at = '2026-01-01T00:00:00.000Z'
  const password = { methods: ['pwd'], at, kind: 'password' } as const
  const totp = { methods: ['otp'], at, kind: 'totp' } as const
  const passkey = { methods: ['swk', 'user', 'mfa'], at, kind: 'passkey' } as const
  const levels = [
    assuranceOfSession({ details: {} }),
    assuranceOfSession({ details: { factors: [{ methods: ['pwd', 'mfa'], at }] } }),
    assuranceOfSession({ details: { factors: [password] } }),
    assuranceOfSession({ details: { factors: [password, totp] } }),
    assuranceOfSession({ details: { factors: [password, { ...passkey, methods: ['swk', 'user'] }] } }),
    assuranceOfSession({ details: { factors: [passkey] } }),
  ]
  assert.deepEqual(levels, ['pwd', 'pwd', 'pwd', 'mfa', 'mfa', 'passkey'])
})

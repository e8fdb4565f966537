import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unknownPasskeySignal } from './passkey-names.ts'

const issuer = 'https://login.example.com'
const signal = (id: string) =>
  unknownPasskeySignal({ issuer, relyingParty: { kind: 'on', id, origins: [issuer] } }, 'AAAA')

test('an unknown passkey is signaled only if no other host can have passkeys of the same RP ID', () => {
  assert.deepEqual(signal('login.example.com'), { rpId: 'login.example.com', credentialId: 'AAAA' })
  assert.equal(signal('example.com'), null)
  const off = { kind: 'off', why: 'ip_address' } as const
  assert.equal(unknownPasskeySignal({ issuer, relyingParty: off }, 'AAAA'), null)
})

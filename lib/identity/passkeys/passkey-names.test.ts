import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRelyingParty } from '#lib/config/relying-party.ts'
import { unknownPasskeySignal } from './passkey-names.ts'

const signal = (issuer: string, given: Parameters<typeof readRelyingParty>[0] = {}) =>
  unknownPasskeySignal(readRelyingParty(given, issuer), 'AAAA')

test('an unknown passkey is signaled only if no other site can have passkeys of the same RP ID', () => {
  const issuer = 'https://login.example.com'
  assert.deepEqual(signal(issuer), { rpId: 'login.example.com', credentialId: 'AAAA' })
  assert.deepEqual(signal('http://localhost:3000'), { rpId: 'localhost', credentialId: 'AAAA' })
  assert.equal(signal(issuer, { WEBAUTHN_RP_ID: 'example.com' }), null)
  assert.equal(signal(issuer, { WEBAUTHN_RELATED_ORIGINS: ['https://shop.example'] }), null)
  assert.equal(signal('https://example.com'), null)
  assert.equal(signal('https://192.0.2.1'), null)
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { readConfig } from './env.ts'

const key = randomBytes(32).toString('base64')
const settings = (ISSUER: string, others: Readonly<Record<string, string>> = {}) =>
  readConfig({ ISSUER, MASTER_KEY: key, LATCHKEY_INSECURE_HTTP: 'true', ...others })

const parties = [
  ['https://login.example.com', {}, { kind: 'on', id: 'login.example.com' }],
  ['https://login.example.com:8443', {}, { kind: 'on', id: 'login.example.com' }],
  ['https://login.example.com', { WEBAUTHN_RP_ID: 'Example.com' }, { kind: 'on', id: 'example.com' }],
  ['http://localhost:3000', {}, { kind: 'on', id: 'localhost' }],
  ['https://127.0.0.1', {}, { kind: 'off', why: 'ip_address' }],
  ['http://[::1]:3000', {}, { kind: 'off', why: 'ip_address' }],
  ['http://login.example.com', {}, { kind: 'off', why: 'not_https' }],
] as const

for (const [issuer, given, expected] of parties) {
  test(`MF-05 the passkeys of ${issuer} with ${JSON.stringify(given)}: ${JSON.stringify(expected)}`, () => {
    const { relyingParty } = settings(issuer, given)
    const party = relyingParty.kind === 'on' ? { kind: 'on', id: relyingParty.id } : relyingParty
    assert.deepEqual(party, expected)
    if (relyingParty.kind === 'on') assert.deepEqual(relyingParty.origins, [issuer])
  })
}

test('MF-05 another domain is possible if the issuer is one of its related origins', () => {
  const { relyingParty, relatedOrigins } = settings('https://login.example.com', {
    WEBAUTHN_RP_ID: 'login.example.org',
    WEBAUTHN_RELATED_ORIGINS: 'https://login.example.com, https://shop.example.net:8443',
  })
  assert.equal(relyingParty.kind === 'on' && relyingParty.id, 'login.example.org')
  assert.deepEqual(relatedOrigins, ['https://login.example.com', 'https://shop.example.net:8443'])
})

const refused = [
  [{ WEBAUTHN_RP_ID: 'example.org' }, /^WEBAUTHN_RP_ID is "example.org", but browsers accept only the host/],
  [{ WEBAUTHN_RP_ID: 'ample.com' }, /^WEBAUTHN_RP_ID is "ample.com", but/],
  [{ WEBAUTHN_RP_ID: 'com' }, /^WEBAUTHN_RP_ID is "com", but/],
  [{ WEBAUTHN_RP_ID: 'www.login.example.com' }, /^WEBAUTHN_RP_ID is "www.login.example.com", but/],
  [{ WEBAUTHN_RP_ID: 'https://example.com' }, /without scheme and port/],
  [{ WEBAUTHN_RP_ID: 'example.com:443' }, /without scheme and port/],
  [{ WEBAUTHN_RP_ID: '10.0.0.1' }, /without scheme and port/],
  [{ WEBAUTHN_RELATED_ORIGINS: 'http://example.org' }, /"http:\/\/example.org" is not an https origin/],
  [{ WEBAUTHN_RELATED_ORIGINS: 'https://example.org/' }, /is not an https origin/],
  [{ WEBAUTHN_RELATED_ORIGINS: 'https://example.org,' }, /has a comma/],
] as const

for (const [given, message] of refused) {
  test(`MF-05 ${JSON.stringify(given)} is refused at https://login.example.com`, () => {
    assert.throws(() => settings('https://login.example.com', given), { message })
  })
}

test('MF-05 a domain for passkeys is refused where browsers have none', () => {
  const given = { WEBAUTHN_RP_ID: 'example.com' }
  assert.throws(() => settings('https://10.0.0.1', given), { message: /passkeys for an IP address/ })
  assert.throws(() => settings('http://login.example.com', given), { message: /passkeys without https/ })
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createKeyRing } from '../keys/key-ring.ts'
import { createSealing } from '../keys/sealing.ts'
import { openSigningKey } from '../keys/signing-key.ts'
import { createTestSigningKeys, writeKeys } from '../testing/memory-signing-keys.ts'

const issuer = 'https://login.example'
const start = Date.parse('2026-11-20T12:00:00Z')

/** Creates a key ring whose clock can be moved, and a token that it has verified once. */
async function verifiedOnce() {
  const time = { now: new Date(start) }
  const sealing = createSealing(randomBytes(32))
  const keys = createTestSigningKeys()
  const ring = createKeyRing({
    keys,
    sealing,
    clock: { now: () => time.now },
    issuer,
    algorithmsInUse: async () => new Set(['ES256'] as const),
  })
  await ring.ensureKeys()
  const seconds = start / 1000
  const claims = { iss: issuer, aud: 'api', iat: seconds, nbf: seconds, exp: seconds + 300 }
  const token = await ring.signer.sign(claims, 'at+jwt', 'ES256')
  assert.ok(await ring.signer.verify(token, 'at+jwt'))
  const row = [...keys.rows.values()].find(one => one.algorithm === 'ES256')
  assert.ok(row)
  return { time, keys, ring, token, key: openSigningKey(row, sealing) }
}

test('a remembered token still ends on time', async () => {
  const { time, ring, token } = await verifiedOnce()
  time.now = new Date(start + 300_000)
  assert.equal(await ring.signer.verify(token, 'at+jwt'), null)
})

test('JW-03 a remembered token is not accepted as another kind', async () => {
  const { ring, token } = await verifiedOnce()
  assert.equal(await ring.signer.verify(token, 'JWT'), null)
})

test('JW-10 a remembered token dies with its key', async () => {
  const { keys, ring, token, key } = await verifiedOnce()
  await writeKeys(keys, await ring.planRevocation(key.stored.kid))
  ring.forget()
  assert.equal(await ring.signer.verify(token, 'at+jwt'), null)
})

test('a remembered token with another signature is another token', async () => {
  const { ring, token } = await verifiedOnce()
  const altered = `${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(86)}`
  assert.equal(await ring.signer.verify(altered, 'at+jwt'), null)
})

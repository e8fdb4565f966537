import assert from 'node:assert/strict'
import { randomBytes, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { signingKeys as limits } from '#lib/config/limits.ts'
import { createKeyRing } from '#lib/crypto/keys/key-ring.ts'
import { createSealing } from '#lib/crypto/keys/sealing.ts'
import { createTestSigningKeys, writeKeys } from '#lib/crypto/testing/memory-signing-keys.ts'
import type { Meta } from '#lib/ports/configuration-store.ts'
import type { SigningAlgorithm } from '#lib/protocol/vocabulary.ts'
import { importSigningCertificate } from './signing-certificate.ts'

const folder = join(import.meta.dirname, '../../crypto/testing/certificates')
const certificate = new X509Certificate(readFileSync(join(folder, 'cert.pem')))
const kid = Buffer.from(certificate.fingerprint.replaceAll(':', ''), 'hex').toString('base64url')
const issuer = 'https://id.example'

function installation() {
  const keys = createTestSigningKeys()
  const sealing = createSealing(randomBytes(32))
  const facts = new Map<string, string>()
  const meta: Meta = {
    find: async name => facts.get(name) ?? null,
    settle: async (name, value) => facts.get(name) ?? facts.set(name, value).get(name) ?? value,
    replace: async (name, value) => void facts.set(name, value),
    exchange: async (name, expected, value) => {
      if ((facts.get(name) ?? null) !== expected) return false
      facts.set(name, value)
      return true
    },
  }
  let now = new Date('2026-11-23T12:00:00Z')
  const clock = { now: () => now }
  const algorithmsInUse = async () => new Set<SigningAlgorithm>(['RS256'])
  const ring = (hasCertificates = false) =>
    createKeyRing({ keys, sealing, clock, issuer, hasCertificates, algorithmsInUse })
  const start = async (name = 'modern.pfx', keyRing = ring()) => {
    const settings = { signingCertificate: join(folder, name), signingCertificatePassword: 'idsrv3test' }
    await importSigningCertificate(settings, { keyRing, meta, clock })
    await keyRing.ensureKeys()
    return keyRing
  }
  return {
    keys,
    ring,
    start,
    move: (to: Date) => (now = to),
    after: (seconds: number) => (now = new Date(now.getTime() + seconds * 1000)),
  }
}

type Ring = ReturnType<ReturnType<typeof installation>['ring']>

async function headerOf(
  ring: Ring,
  kind: 'identityserver3' | 'JWT' = 'identityserver3',
): Promise<Record<string, string>> {
  const token = await ring.signer.sign({ iss: issuer, aud: 'api' }, kind, 'RS256')
  return JSON.parse(Buffer.from(String(token.split('.')[0]), 'base64url').toString())
}

test('the key of the certificate signs from the first start, with the kid and x5t of IdentityServer3', async () => {
  const { keys, start } = installation()
  const ring = await start()
  assert.deepEqual([...keys.rows.keys()], [kid])
  assert.deepEqual(await headerOf(ring), { typ: 'JWT', alg: 'RS256', x5t: kid, kid })
  assert.deepEqual(await headerOf(ring, 'JWT'), { alg: 'RS256', typ: 'JWT', kid })
  const [jwk] = await ring.signer.publicKeys()
  assert.deepEqual([jwk?.kty, jwk?.kid, jwk?.x5t], ['RSA', kid, kid])
  assert.deepEqual(jwk?.x5c, [certificate.raw.toString('base64')])
  for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi']) assert.ok(jwk !== undefined && !(secret in jwk))
})

test('JW-10 on a server that already signs, the key is published before it signs, and the earlier one retires', async () => {
  const { ring, start, after } = installation()
  await ring().ensureKeys()
  const [node, other] = await Promise.all([start(), start('legacy.pfx')])
  const earlier = await headerOf(node)
  assert.notEqual(earlier.kid, kid)
  assert.equal((await node.signer.publicKeys()).length, 2)
  after(limits.promptPropagationSeconds)
  for (const each of [node, other]) assert.equal((await headerOf(each)).kid, kid)
})

test('the key signs until its certificate ends, and the next one is published before', async () => {
  const { keys, start, move } = installation()
  const end = certificate.validToDate.getTime()
  const ring = await start()
  move(new Date(end - limits.propagationSeconds * 1000 - 1))
  await ring.ensureKeys()
  assert.equal(keys.rows.size, 1)
  move(new Date(end - limits.propagationSeconds * 1000))
  await ring.ensureKeys()
  assert.equal(keys.rows.size, 2)
  move(new Date(end - 1))
  assert.equal((await headerOf(ring)).kid, kid)
  move(new Date(end))
  assert.notEqual((await headerOf(ring)).kid, kid)
})

test('a rotation by hand replaces it', async () => {
  const { keys, start, after } = installation()
  const ring = await start()
  await writeKeys(keys, await ring.planRotation('RS256'))
  ring.forget()
  after(limits.promptPropagationSeconds)
  assert.notEqual((await headerOf(ring)).kid, kid)
  assert.ok((keys.rows.get(kid)?.expiresAt ?? new Date(0)) < certificate.validToDate)
})

test('KEY-03 a revoked key does not come back with the next start', async () => {
  const { keys, start, ring } = installation()
  const first = await start()
  await writeKeys(keys, await first.planRevocation(kid))
  assert.ok(!keys.rows.has(kid))
  await start('plain.pem', ring())
  assert.ok(!keys.rows.has(kid))
})

test('a certificate that has ended is refused at first, and does not stop a later start', async () => {
  const fresh = installation()
  fresh.move(certificate.validToDate)
  await assert.rejects(
    fresh.start(),
    /^ConfigError: LATCHKEY_SIGNING_CERTIFICATE is ".*", but its certificate ended on/,
  )
  const { start, move } = installation()
  await start()
  move(certificate.validToDate)
  await start()
})

test('a file that cannot be used stops the start with a sentence', async () => {
  const { start } = installation()
  await assert.rejects(start('none.pfx'), /but it cannot be read; name a PFX or PEM file/)
  await assert.rejects(start('ec.pem'), /but its private key is not an RSA key; name/)
})

test('each RSA key has a separate certificate, the same on every node', async () => {
  const { ring } = installation()
  await ring().ensureKeys()
  const [here, there] = await Promise.all([ring(true).signer.publicKeys(), ring(true).signer.publicKeys()])
  assert.deepEqual(here, there)
  const [jwk] = here
  const own = new X509Certificate(Buffer.from(String(Array.isArray(jwk?.x5c) && jwk.x5c[0]), 'base64'))
  assert.equal(own.publicKey.export({ format: 'jwk' }).n, jwk?.n)
  assert.equal(jwk?.x5t, Buffer.from(own.fingerprint.replaceAll(':', ''), 'hex').toString('base64url'))
  const [without] = await ring().signer.publicKeys()
  assert.equal(without?.x5c, undefined)
})

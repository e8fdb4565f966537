/**
 * Tests with the files in `testing/certificates`, which OpenSSL made. `legacy.pfx` is encrypted with RC2 and 3DES, like
 * the files that Windows Server wrote for years.
 */
import assert from 'node:assert/strict'
import { generateKeyPairSync, hash, randomBytes, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createTestSigningKeys } from '../testing/memory-signing-keys.ts'
import {
  CertificateProblem,
  certificateMembers,
  readCertifiedKey,
  selfSignedCertificate,
} from './certificates.ts'
import { createKeyRing } from './key-ring.ts'
import { createSealing } from './sealing.ts'

const file = (name: string) => readFileSync(join(import.meta.dirname, '../testing/certificates', name))
const password = 'idsrv3test'
const own = new X509Certificate(file('cert.pem'))

const readable: ReadonlyArray<readonly [name: string, password: string | null]> = [
  ['plain.pem', null],
  ['encrypted.pem', password],
  ['modern.pfx', password],
  ['legacy.pfx', password],
]

describe('a file with a key and its certificate', () => {
  for (const [name, opens] of readable) {
    test(`is read: ${name}`, async () => {
      const read = await readCertifiedKey(file(name), opens)
      assert.equal(read.own.fingerprint256, own.fingerprint256)
      assert.equal(read.chain.length, 1)
      assert.ok(own.checkPrivateKey(read.privateKey))
    })
  }
  const wrong: ReadonlyArray<
    readonly [what: string, file: Buffer, password: string | null, problem: RegExp]
  > = [
    ['a PFX file with another password', file('modern.pfx'), 'wrong', /password opens/],
    ['a PFX file without its password', file('legacy.pfx'), null, /password opens/],
    [
      'a PEM file with another password',
      file('encrypted.pem'),
      'wrong',
      /cannot be opened with the password/,
    ],
    ['a PEM file without its password', file('encrypted.pem'), null, /cannot be opened with the password/],
    ['a certificate without a key', file('cert.pem'), null, /no private RSA key/],
    ['a key that is not RSA, in PEM', file('ec.pem'), null, /not an RSA key/],
    ['a key that is not RSA, in PFX', file('ec.pfx'), password, /no private RSA key|password opens/],
    ['another kind of file', Buffer.from('nonsense'), null, /neither PEM nor a PFX/],
    ['nothing', Buffer.alloc(0), null, /neither PEM nor a PFX/],
    [
      'a damaged certificate',
      Buffer.from(file('plain.pem').toString().replace('MIIC', 'AAAA')),
      null,
      /certificates is damaged/,
    ],
    ['a short key', Buffer.concat([shortKey(), file('cert.pem')]), null, /has 1024 bits/],
    [
      'a key with the certificate of another',
      Buffer.concat([longKey(), file('cert.pem')]),
      null,
      /no certificate for/,
    ],
  ]
  for (const [what, bytes, opens, problem] of wrong) {
    test(`is refused: ${what}`, async () => {
      await assert.rejects(readCertifiedKey(bytes, opens), error => {
        assert.ok(error instanceof CertificateProblem)
        assert.match(error.message, problem)
        return true
      })
    })
  }
})

function pemOfKey(modulusLength: number): Buffer {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength })
  return Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' }))
}
function shortKey() {
  return pemOfKey(1024)
}
function longKey() {
  return pemOfKey(2048)
}

describe('a self-signed certificate', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { kid: 'one', createdAt: new Date('2026-11-23T12:00:00.250Z'), publicKey, privateKey }

  test('has the key, names the server, is valid for ten years, and is the same each time', async () => {
    const der = await selfSignedCertificate(key, 'https://id.example')
    const certificate = new X509Certificate(der)
    assert.ok(certificate.checkPrivateKey(privateKey) && certificate.verify(publicKey))
    assert.equal(certificate.subject, 'CN=https://id.example')
    assert.equal(certificate.issuer, certificate.subject)
    assert.deepEqual(certificate.validFromDate, new Date('2026-11-23T12:00:00Z'))
    assert.deepEqual(certificate.validToDate, new Date('2036-11-23T12:00:00Z'))
    assert.ok(certificate.serialNumber.length <= 40)
    assert.deepEqual(await selfSignedCertificate(key, 'https://id.example'), der)
  })
  test('is published with its thumbprint', async () => {
    const der = await selfSignedCertificate(key, 'https://id.example')
    const { x5t, x5c } = certificateMembers([der])
    assert.equal(x5t, hash('sha1', der, 'base64url'))
    assert.deepEqual(x5c, [der.toString('base64')])
  })
})

test('with certificates, access tokens in the format of IdentityServer3 name theirs, and earlier ones stay valid', async () => {
  const issuer = 'https://id.example'
  const now = new Date('2026-11-23T12:00:00Z')
  const parts = {
    keys: createTestSigningKeys(),
    sealing: createSealing(randomBytes(32)),
    clock: { now: () => now },
    issuer,
    algorithmsInUse: async () => new Set(['RS256'] as const),
  }
  const seconds = now.getTime() / 1000
  const claims = { iss: issuer, aud: 'app', iat: seconds, nbf: seconds, exp: seconds + 300 }
  const before = createKeyRing(parts)
  await before.ensureKeys()
  const earlier = await before.signer.sign(claims, 'identityserver3', 'RS256')
  const { signer } = createKeyRing({ ...parts, hasCertificates: true })
  const token = await signer.sign(claims, 'identityserver3', 'RS256')
  const headerOf = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString())
  const published = (await signer.publicKeys()).find(({ kid }) => kid === headerOf(token).kid)
  assert.deepEqual(headerOf(token), {
    typ: 'JWT',
    alg: 'RS256',
    x5t: published?.x5t,
    kid: headerOf(earlier).kid,
  })
  assert.equal(headerOf(earlier).x5t, undefined)
  for (const valid of [earlier, token]) assert.notEqual(await signer.verify(valid, 'identityserver3'), null)
  assert.notEqual(
    await before.signer.verify(token, 'identityserver3'),
    null,
    'by a node without certificates',
  )
  for (const kind of ['JWT', 'at+jwt'] as const) {
    assert.equal(headerOf(await signer.sign(claims, kind, 'RS256')).x5t, undefined)
    assert.equal(await signer.verify(token, kind), null)
  }
  const [, payload, signature] = token.split('.')
  const forged = Buffer.from(JSON.stringify({ ...headerOf(token), x5t: 'AAAA' })).toString('base64url')
  assert.equal(await signer.verify(`${forged}.${payload}.${signature}`, 'identityserver3'), null)
})

/** The files in `testing/certificates` are by OpenSSL: `legacy.pfx` as Windows Server wrote them for years, with RC2 and 3DES. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, hash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  CertificateProblem,
  certificateMembers,
  readCertifiedKey,
  selfSignedCertificate,
} from './certificates.ts'

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

import assert from 'node:assert/strict'
import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { test } from 'node:test'
import { signingAlgorithms } from '#lib/protocol/vocabulary.ts'
import { isSignatureValid, makeSignature, toDerSignature, toJwsSignature } from './signature.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

test('an ES256 signature converted from DER to JWS form is the one that Node verifies, and converts back', () => {
  for (let round = 0; round < 1000; round += 1) {
    const input = Buffer.from(`message ${round}`)
    const der = sign('sha256', input, privateKey)
    const joined = toJwsSignature(der)
    assert.equal(joined.length, 64)
    assert.ok(verify('sha256', input, { key: publicKey, dsaEncoding: 'ieee-p1363' }, joined))
    assert.deepEqual(toDerSignature(joined), der)
  }
})

test('converting an ES256 signature keeps leading zeros of r and s, and omits them in DER', () => {
  const samples = [
    ['3006020101020102', `${'00'.repeat(31)}01${'00'.repeat(31)}02`],
    ['30080202008002020080', `${'00'.repeat(31)}80${'00'.repeat(31)}80`],
    [`3046022100${'ff'.repeat(32)}022100${'80'.repeat(32)}`, `${'ff'.repeat(32)}${'80'.repeat(32)}`],
    ['3006020100020100', '00'.repeat(64)],
  ] as const
  for (const [der, joined] of samples) {
    assert.equal(toJwsSignature(Buffer.from(der, 'hex')).toString('hex'), joined)
    assert.equal(toDerSignature(Buffer.from(joined, 'hex')).toString('hex'), der)
  }
})

const newPair = {
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  PS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
}

for (const algorithm of signingAlgorithms) {
  const { privateKey: key, publicKey: verifier } = newPair[algorithm]()
  const signature = makeSignature({ algorithm, key, input: 'a.b' })
  const isValid = (encoded: string, input = 'a.b') =>
    isSignatureValid({ algorithm, key: verifier, input }, encoded)

  test(`${algorithm}: only the signature of this input by this key is valid`, () => {
    assert.ok(isValid(signature))
    assert.ok(!isValid(signature, 'a.c'))
    const { publicKey: other } = newPair[algorithm]()
    assert.ok(!isSignatureValid({ algorithm, key: other, input: 'a.b' }, signature))
    const changed = Buffer.from(signature, 'base64url')
    for (let index = 0; index < changed.length; index += 1) {
      changed[index] = (changed[index] ?? 0) ^ 1
      assert.ok(!isValid(changed.toString('base64url')), `byte ${index}`)
      changed[index] = (changed[index] ?? 0) ^ 1
    }
  })

  test(`${algorithm}: a signature has one length and one spelling`, () => {
    const bytes = Buffer.from(signature, 'base64url')
    for (const other of [
      '',
      'A',
      `${signature}=`,
      `${signature}A`,
      ` ${signature}`,
      `${signature}\n`,
      bytes.toString('base64'),
      bytes.toString('hex'),
      bytes.subarray(1).toString('base64url'),
      bytes.subarray(0, -1).toString('base64url'),
      Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64url'),
      Buffer.alloc(bytes.length).toString('base64url'),
      Buffer.alloc(bytes.length, 0xff).toString('base64url'),
    ]) {
      assert.ok(!isValid(other), other)
    }
  })
}

test('ES256: the DER form of a signature is not accepted', () => {
  const der = sign('sha256', Buffer.from('a.b'), privateKey)
  const job = { algorithm: 'ES256', key: publicKey, input: 'a.b' } as const
  assert.ok(!isSignatureValid(job, der.toString('base64url')))
})

import assert from 'node:assert/strict'
import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { test } from 'node:test'
import { toJwsSignature } from './quick-signature.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

test('an ES256 signature converted from DER to JWS form is the one that Node verifies', () => {
  for (let round = 0; round < 1000; round += 1) {
    const input = Buffer.from(`message ${round}`)
    const der = sign('sha256', input, privateKey)
    const joined = toJwsSignature(der)
    assert.equal(joined.length, 64)
    assert.ok(verify('sha256', input, { key: publicKey, dsaEncoding: 'ieee-p1363' }, joined))
  }
})

test('converting an ES256 signature keeps leading zeros of r and s', () => {
  const samples = [
    ['3006020101020102', `${'00'.repeat(31)}01${'00'.repeat(31)}02`],
    ['30080202008002020080', `${'00'.repeat(31)}80${'00'.repeat(31)}80`],
    [`3046022100${'ff'.repeat(32)}022100${'80'.repeat(32)}`, `${'ff'.repeat(32)}${'80'.repeat(32)}`],
    ['3006020100020100', '00'.repeat(64)],
  ] as const
  for (const [der, joined] of samples) {
    assert.equal(toJwsSignature(Buffer.from(der, 'hex')).toString('hex'), joined)
  }
})

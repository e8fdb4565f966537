import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { adminSession, signingKeys as limits } from '#lib/config/limits.ts'
import { adminRoles } from '#lib/protocol/admin-role.ts'
import type { SigningAlgorithm } from '#lib/protocol/vocabulary.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { revocationConsequence } from './key-view.ts'
import { listKeys, revokeKey, rotateKey } from './use-cases.ts'

let opened: AdminTestPorts
beforeEach(async () => {
  opened = await openAdminTestPorts()
})
afterEach(() => opened.close())

async function keys(algorithm: SigningAlgorithm = 'ES256') {
  const result = await listKeys.call(opened.ports, {}, await opened.caller('auditor'))
  assert.ok(result.kind === 'ok')
  return {
    list: result.value.keys.filter(key => key.algorithm === algorithm),
    rotation: result.value.rotations.find(rotation => rotation.algorithm === algorithm),
  }
}

const sign = () => {
  const now = Math.floor(opened.ports.clock.now().getTime() / 1000)
  const claims = { iss: 'https://id.example', aud: 'api', iat: now, nbf: now, exp: now + 3600 }
  return opened.ports.signer.sign(claims, 'at+jwt', 'ES256')
}
const auditOf = (kid: string) =>
  opened.ports.adminStore.audit.list({ targetKind: 'key', targetId: kid }, null, 10)

describe('the list of keys', () => {
  test('the list has the next rotation of each algorithm, and no private key', async () => {
    const { list, rotation } = await keys()
    assert.deepEqual(
      list.map(({ state }) => state),
      ['active'],
    )
    assert.equal(rotation?.days_to_rotation, limits.rotationSeconds / 86_400)
    assert.ok(!('d' in (list[0]?.public_jwk ?? {})))
  })
})

describe('a rotation by an admin', () => {
  test('the next key is published with audit rows, and signs when every verifier can have fetched it', async () => {
    const caller = await opened.caller('owner')
    const [before] = (await keys()).list
    const rotated = await rotateKey.call(opened.ports, { algorithm: 'ES256' }, caller)
    assert.ok(rotated.kind === 'ok' && before !== undefined)
    assert.deepEqual(
      (await keys()).list.map(({ state }) => state),
      ['next', 'active'],
    )
    assert.equal((await auditOf(rotated.value.kid))[0]?.before, null)
    assert.equal((await auditOf(before.kid)).length, 1, 'the end of the signing key is recorded')
    assert.ok(
      opened.events.some(({ name, subject }) => name === 'key_changed' && subject === caller.actor.subject),
    )
    opened.advance(limits.promptPropagationSeconds)
    assert.equal(kidOf(await sign()), rotated.value.kid)
  })
  test('a rotation is refused while a new key is already published', async () => {
    const caller = await opened.caller('owner')
    await rotateKey.call(opened.ports, { algorithm: 'ES256' }, caller)
    assert.equal((await rotateKey.call(opened.ports, { algorithm: 'ES256' }, caller)).kind, 'invalid')
    assert.equal((await rotateKey.call(opened.ports, { algorithm: 'RS256' }, caller)).kind, 'ok')
  })
  test('only one of two concurrent rotations creates a key', async () => {
    const caller = await opened.caller('owner')
    const both = await Promise.all(
      [1, 2].map(() => rotateKey.call(opened.ports, { algorithm: 'ES256' }, caller)),
    )
    assert.deepEqual(both.map(({ kind }) => kind).toSorted(), ['conflict', 'ok'])
    assert.equal((await keys()).list.length, 2)
  })
})

describe('a compromised key', () => {
  test('a revoked key is invalid immediately, and a new one signs', async () => {
    const token = await sign()
    assert.ok(await opened.ports.signer.verify(token, 'at+jwt'))
    const kid = kidOf(token)
    const revoked = await revokeKey.call(opened.ports, { kid }, await opened.caller('owner'))
    assert.equal(revoked.kind, 'ok')
    assert.equal(await opened.ports.signer.verify(token, 'at+jwt'), null)
    assert.ok(await opened.ports.signer.verify(await sign(), 'at+jwt'))
    assert.equal((await auditOf(kid))[0]?.after, null)
  })
  test('a revoked key cannot be revoked again', async () => {
    const result = await revokeKey.call(opened.ports, { kid: 'unknown' }, await opened.caller('owner'))
    assert.equal(result.kind, 'not_found')
  })
  test('the consequences of revoking a key are listed', async () => {
    const [key] = (await keys()).list
    assert.ok(key)
    const now = opened.ports.clock.now()
    const usage = await opened.ports.adminLists.usage({ subject: null, clientId: null }, now)
    assert.match(revocationConsequence(usage, key).join(' '), /0 users are signed in, with 0 live grants/)
    const next = { ...key, state: 'next' } as const
    assert.match(revocationConsequence(usage, next).join(' '), /signed nothing yet/)
  })
})

describe('AD-01 AD-04 the permission to change keys', () => {
  for (const role of adminRoles.filter(each => each !== 'owner')) {
    test(`AD-01 ${role} may not change keys`, async () => {
      const caller = await opened.caller(role)
      assert.equal((await rotateKey.call(opened.ports, { algorithm: 'ES256' }, caller)).kind, 'denied')
      assert.equal((await revokeKey.call(opened.ports, { kid: 'x' }, caller)).kind, 'denied')
    })
  }
  test('AD-04 an owner may after a fresh sign-in', async () => {
    const caller = await opened.caller('owner')
    opened.advance(adminSession.freshSignInSeconds)
    assert.equal(
      (await rotateKey.call(opened.ports, { algorithm: 'ES256' }, caller)).kind,
      'fresh_sign_in_required',
    )
    assert.equal((await revokeKey.call(opened.ports, { kid: 'x' }, caller)).kind, 'fresh_sign_in_required')
  })
})

function kidOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
}

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StoredSigningKey } from '#lib/ports/signing-keys.ts'
import type { Host } from '../host.ts'
import { atOnce } from '../races.ts'
import { later, newDigest, now } from '../samples.ts'

export function signingKeysContract(host: () => Host): void {
  describe('signing keys', () => {
    const keys = () => host().storage.signingKeys
    const sample = (generation: number): StoredSigningKey => ({
      kid: newDigest(),
      algorithm: 'ES256',
      generation,
      publicJwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
      sealedPrivateJwk: 'sealed',
      createdAt: now,
      activatesAt: later(60),
      retiresAt: null,
      expiresAt: null,
    })

    test('KEY-02 nodes that start concurrently agree on one key', async () => {
      const made = await atOnce(10, () => keys().create(sample(1)))
      assert.equal(made.filter(Boolean).length, 1)
      assert.equal((await keys().all()).filter(key => key.generation === 1).length, 1)
    })

    test('a key can be scheduled to end, and keys are listed oldest first', async () => {
      const [second, third] = [
        { ...sample(2), createdAt: later(2) },
        { ...sample(3), createdAt: later(3) },
      ]
      await keys().create(third)
      await keys().create(second)
      const ends = { retiresAt: later(100), expiresAt: later(200) }
      await keys().schedule(second.kid, ends)
      assert.deepEqual((await keys().all()).slice(-2), [{ ...second, ...ends }, third])
    })
  })
}

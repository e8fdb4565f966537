import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { ConfigurationChanges } from '#lib/ports/configuration-store.ts'
import type { StoredSigningKey } from '#lib/ports/signing-keys.ts'
import { readSignatureSettings } from '#lib/protocol/registration/client.ts'
import type { Host } from '../host.ts'
import { atOnce } from '../races.ts'
import { later, newDigest, now, sampleClientRecord } from '../samples.ts'

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

    test('returns how the tokens of enabled clients are signed, if they can get any', async () => {
      const settings = {
        access_token_type: 'reference',
        access_token_format: 'rfc9068',
        access_token_signed_response_alg: 'EdDSA',
        id_token_signed_response_alg: 'EdDSA',
      } as const
      const expected = readSignatureSettings(settings)
      const isFound = async () =>
        (await host().storage.clients.signatureSettings()).filter(each => isDeepStrictEqual(each, expected))
          .length
      const put = (put: ConfigurationChanges['put']) =>
        host().storage.configuration.apply({ put, remove: {} }, now)
      assert.equal(await isFound(), 0)
      await put({ clients: [sampleClientRecord({ ...settings, grant_types: [], redirect_uris: [] })] })
      assert.equal(await isFound(), 0, 'a client that only introspects')
      // Documents that were stored before such texts were refused
      const odd = { contacts: ['a\0b', '\\u0000 \ud800'], claims: { '\udc00': '\\' } }
      const records = [sampleClientRecord({ ...settings, ...odd }), sampleClientRecord(settings)]
      await put({ clients: [...records, sampleClientRecord({})] })
      assert.equal(await isFound(), 1, 'once, although two clients have them')
      const disabled = records.map(record => ({
        ...record,
        metadata: { ...record.metadata, enabled: false },
      }))
      await put({ clients: disabled })
      assert.equal(await isFound(), 0)
    })
  })
}

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Host } from '../host.ts'
import { atOnce } from '../races.ts'
import { later, newDigest, now, sampleCode, sampleGrant } from '../samples.ts'

export function transactionsContract(host: () => Host): void {
  describe('writes during failing transactions', () => {
    const stored = (jtis: readonly string[]) =>
      host().tables.revokedToken.count({ where: { jti: { in: [...jtis] } } })

    test('an interactive transaction loses no acknowledged write of others and exposes no uncommitted data', async () => {
      const { tables } = host()
      const ghost = newDigest()
      const acknowledged: string[] = []
      const write = async () => {
        const jti = newDigest()
        await tables.revokedToken.create({ data: { jti, expiresAt: later(60) } })
        acknowledged.push(jti)
      }
      const failing = tables.$transaction(async inside => {
        await inside.revokedToken.create({ data: { jti: ghost, expiresAt: later(60) } })
        await new Promise(resolve => setImmediate(resolve))
        throw new Error('rolled back on purpose')
      })
      const [result, seen] = await Promise.all([
        failing.catch((error: Error) => error.message),
        atOnce(20, () => tables.revokedToken.findUnique({ where: { jti: ghost } })),
        atOnce(20, write),
      ])
      assert.equal(result, 'rolled back on purpose')
      assert.ok(seen.every(row => row === null))
      assert.equal(await stored(acknowledged), 20)
      assert.equal(await stored([ghost]), 0)
    })

    test('a change that fails in its last statement loses no acknowledged write of others', async () => {
      const { storage } = host()
      const taken = sampleGrant()
      await storage.codes.issue(sampleCode(taken), taken)
      for (let round = 0; round < 20; round += 1) {
        const acknowledged: string[] = []
        const write = async () => {
          const jti = newDigest()
          await storage.revokedTokens.add(jti, later(60))
          acknowledged.push(jti)
        }
        // The second `issue` fails in its last statement, because the digest already exists
        const digest = newDigest()
        const first = sampleGrant()
        await storage.codes.issue(sampleCode(first, { digest }), first)
        const second = sampleGrant()
        const failing = storage.codes.issue(sampleCode(second, { digest }), second)
        const [outcome] = await Promise.allSettled([failing, atOnce(16, write)])
        assert.equal(outcome.status, 'rejected')
        assert.equal(await stored(acknowledged), 16)
      }
    })

    test('works after a hundred failed transactions', async () => {
      const { tables, storage } = host()
      const failing = () => tables.$transaction(() => Promise.reject(new Error('no')))
      const results = await Promise.allSettled(Array.from({ length: 100 }, failing))
      assert.ok(results.every(result => result.status === 'rejected'))
      await storage.revokedTokens.add(newDigest(), now)
    })
  })
}

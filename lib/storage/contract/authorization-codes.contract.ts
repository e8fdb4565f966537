import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Host } from './host.ts'
import { atOnce, badRounds } from './races.ts'
import { digestOf, later, newDigest, now, sampleCode, sampleGrant } from './samples.ts'

export function authorizationCodesContract(host: () => Host): void {
  describe('authorization codes', () => {
    const issued = async () => {
      const grant = sampleGrant()
      const code = sampleCode(grant)
      await host().storage.codes.issue(code, grant)
      return { grant, code }
    }

    test('gives back code and grant as they were issued', async () => {
      const { grant, code } = await issued()
      assert.deepEqual(await host().storage.codes.find(code.digest), code)
      assert.deepEqual(await host().storage.grants.find(grant.id), grant)
    })

    test('keeps no grant when the code cannot be stored', async () => {
      const { code } = await issued()
      const grant = sampleGrant()
      await assert.rejects(host().storage.codes.issue(sampleCode(grant, { digest: code.digest }), grant))
      assert.equal(await host().storage.grants.find(grant.id), null)
    })

    test('does not know another code', async () => {
      assert.equal(await host().storage.codes.find(newDigest()), null)
      assert.equal(await host().storage.codes.claim(newDigest(), now), false)
    })

    test('finds a used code, and an expired one', async () => {
      const { code } = await issued()
      assert.equal(await host().storage.codes.claim(code.digest, later(90)), true)
      assert.equal(await host().storage.codes.claim(code.digest, later(91)), false)
      assert.deepEqual(await host().storage.codes.find(code.digest), { ...code, usedAt: later(90) })
    })

    test('counts every failure, also of redemptions at once', async () => {
      const { code } = await issued()
      const counts = await atOnce(10, () => host().storage.codes.countFailure(code.digest))
      assert.deepEqual(
        counts.toSorted((a, b) => a - b),
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      )
    })

    test('CD-02 lets exactly one of twenty claim a code, a thousand times', async () => {
      const bad = await badRounds({ rounds: 1000, racers: 20 }, async () => {
        const { code } = await issued()
        return () => host().storage.codes.claim(code.digest, now)
      })
      assert.equal(bad, 0)
    })

    test('CD-01 stores a digest and not the code', async () => {
      const grant = sampleGrant()
      const handle = `code_${'s3cret'.repeat(7)}x`
      await host().storage.codes.issue(sampleCode(grant, { digest: digestOf(handle) }), grant)
      const rows = JSON.stringify(
        await host().tables.authorizationCode.findMany({ where: { grantId: grant.id } }),
      )
      assert.ok(rows.includes(digestOf(handle)))
      assert.ok(!rows.includes(handle))
    })
  })
}

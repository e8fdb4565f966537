import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { liveAtOnce } from '#lib/config/limits.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import type { Host } from '../host.ts'
import { atOnce, badRounds } from '../races.ts'
import {
  digestOf,
  later,
  newDigest,
  newSubject,
  now,
  sampleCode,
  sampleGrant,
  sampleReferenceToken,
  sampleRefreshToken,
  sampleSession,
  web,
} from '../samples.ts'

export function authorizationCodesContract(host: () => Host): void {
  describe('authorization codes', () => {
    const issued = async () => {
      const grant = sampleGrant()
      const code = sampleCode(grant)
      await host().storage.codes.issue(code, grant)
      return { grant, code }
    }

    test('returns the code and its grant as they were stored, with the user', async () => {
      const { grant, code } = await issued()
      const found = await host().storage.codes.find(code.digest)
      assert.deepEqual(found, { ...code, grant: { ...grant, account: null } })
      assert.deepEqual(await host().storage.grants.find(grant.id), { ...grant, account: null })
    })

    test('stores no grant when the code cannot be stored', async () => {
      const { code } = await issued()
      const grant = sampleGrant()
      await assert.rejects(host().storage.codes.issue(sampleCode(grant, { digest: code.digest }), grant))
      assert.equal(await host().storage.grants.find(grant.id), null)
    })

    test('does not find an unknown code', async () => {
      assert.equal(await host().storage.codes.find(newDigest()), null)
      assert.equal(await host().storage.codes.redeem(newDigest(), { grantId: null }, now), false)
    })

    test('finds used and expired codes', async () => {
      const { code } = await issued()
      assert.equal(await host().storage.codes.redeem(code.digest, { grantId: null }, later(90)), true)
      assert.equal(await host().storage.codes.redeem(code.digest, { grantId: null }, later(91)), false)
      assert.deepEqual((await host().storage.codes.find(code.digest))?.usedAt, later(90))
    })

    test('CD-02 the tokens are stored together with the mark of the use, and only for one of several callers', async () => {
      const { grant, code } = await issued()
      const { codes, refreshTokens, referenceTokens } = host().storage
      const made = Array.from({ length: 5 }, () => ({
        grantId: grant.id,
        refreshToken: sampleRefreshToken(grant),
        referenceToken: sampleReferenceToken({ grantId: grant.id }),
      }))
      const results = await Promise.all(made.map(tokens => codes.redeem(code.digest, tokens, now)))
      assert.equal(results.filter(Boolean).length, 1)
      for (const [index, { refreshToken, referenceToken }] of made.entries()) {
        assert.equal((await refreshTokens.find(refreshToken.digest)) !== null, results[index])
        assert.equal((await referenceTokens.find(referenceToken.digest)) !== null, results[index])
      }
    })

    test('CD-02 a second redemption writes nothing, also not the later end of the grant', async () => {
      const { grant, code } = await issued()
      const { codes, grants } = host().storage
      const tokens = { grantId: grant.id, grantExpiresAt: later(7200) }
      assert.equal(await codes.redeem(code.digest, { grantId: grant.id }, now), true)
      const results = await atOnce(3, () => codes.redeem(code.digest, tokens, now))
      assert.deepEqual(results, [false, false, false])
      assert.deepEqual((await grants.find(grant.id))?.expiresAt, grant.expiresAt)
    })

    test('CD-02 a code whose tokens cannot be stored stays unused', async () => {
      const { grant, code } = await issued()
      const { codes, tokens } = host().storage
      const refreshToken = sampleRefreshToken(grant)
      await tokens.store({ grantId: grant.id, refreshToken })
      await assert.rejects(codes.redeem(code.digest, { grantId: grant.id, refreshToken }, now))
      assert.equal((await codes.find(code.digest))?.usedAt, null)
    })

    test('CD-14 a code of a revoked grant stays unused, and its tokens are not stored', async () => {
      const { grant, code } = await issued()
      const { codes, grants, refreshTokens } = host().storage
      await grants.revoke({ id: grant.id }, now)
      const refreshToken = sampleRefreshToken(grant)
      assert.equal(await codes.redeem(code.digest, { grantId: grant.id, refreshToken }, now), false)
      assert.equal((await codes.find(code.digest))?.usedAt, null)
      assert.equal(await refreshTokens.find(refreshToken.digest), null)
    })

    test('CD-12 counts every failed redemption, also concurrent ones', async () => {
      const { code } = await issued()
      const counts = await atOnce(10, () => host().storage.codes.countFailure(code.digest))
      assert.deepEqual(
        counts.toSorted((a, b) => a - b),
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      )
    })

    test('CD-02 exactly one of twenty concurrent claims of a code succeeds, a thousand times', async () => {
      const bad = await badRounds({ rounds: 1000, racers: 20 }, async () => {
        const { code } = await issued()
        return () => host().storage.codes.redeem(code.digest, { grantId: null }, now)
      })
      assert.equal(bad, 0)
    })

    test('LIM-06 CD-13 the oldest codes of a user for one client are deleted with their grants', async () => {
      const { storage } = host()
      const subject = newSubject()
      const give = async (index: number, clientId = web) => {
        const grant = sampleGrant({ subject, clientId, createdAt: later(index) })
        const code = sampleCode(grant, { expiresAt: later(index + 60) })
        assert.equal(await storage.codes.issue(code, grant), 'opened')
        return { grant, code }
      }
      const redeemed = await give(0)
      assert.ok(await storage.codes.redeem(redeemed.code.digest, { grantId: null }, now))
      const elsewhere = await give(0, clientIdSchema.parse('elsewhere'))
      const given = []
      for (let index = 1; index <= liveAtOnce.codes + 3; index += 1) given.push(await give(index))
      const isThere = async ({ grant, code }: typeof redeemed) => {
        const [found, its] = [await storage.codes.find(code.digest), await storage.grants.find(grant.id)]
        assert.equal(found === null, its === null)
        return found !== null
      }
      for (const [index, one] of given.entries()) assert.equal(await isThere(one), index >= 3, `${index}`)
      assert.ok(await isThere(redeemed), 'what was redeemed is not touched')
      assert.ok(await isThere(elsewhere))
      const late = await give(200)
      for (const one of given)
        assert.equal(await isThere(one), given.indexOf(one) >= 3, 'nor what has expired')
      assert.ok(await isThere(late))
    })

    test('LIM-06 the oldest codes are deleted under concurrent issuance, and the newest stays', async () => {
      const { storage, tables } = host()
      const session = sampleSession()
      await storage.sessions.create(session)
      const { subject, sessionId } = session
      await atOnce(2 * liveAtOnce.codes, async () => {
        const grant = sampleGrant({ subject, sessionId })
        const code = sampleCode(grant)
        await storage.codes.issue(code, grant)
      })
      assert.equal(await tables.authorizationCode.count({ where: { subject } }), liveAtOnce.codes)
      assert.equal(await tables.grant.count({ where: { subject } }), liveAtOnce.codes)
    })

    test('CD-01 stores only a digest of the code', async () => {
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

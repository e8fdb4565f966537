import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ImportedToken } from '#lib/ports/grants.ts'
import type { Host } from '../host.ts'
import {
  accountOf,
  later,
  now,
  sampleAuditEntry,
  sampleGrant,
  sampleReferenceToken,
  sampleRefreshToken,
  sampleUser,
} from '../samples.ts'

export function importedTokensContract(host: () => Host): void {
  const importTokens = (tokens: readonly ImportedToken[]) =>
    host().storage.adminStore.commit(
      { writes: [{ kind: 'import', put: {}, expected: [], tokens }], audit: [sampleAuditEntry()] },
      now,
    )
  const own = (): ImportedToken => ({ kind: 'reference', grant: null, token: sampleReferenceToken() })
  const ofUser = (): Extract<ImportedToken, { kind: 'reference' }> => {
    const grant = sampleGrant()
    return {
      kind: 'reference',
      grant,
      token: sampleReferenceToken({ grantId: grant.id, subject: grant.subject }),
    }
  }
  const refresh = (): Extract<ImportedToken, { kind: 'refresh' }> => {
    const grant = sampleGrant({ isOffline: true })
    return { kind: 'refresh', grant, token: sampleRefreshToken(grant) }
  }

  describe('imported tokens', () => {
    test('imported tokens are stored with their grants and found by their digests', async () => {
      const user = sampleUser()
      await host().storage.configuration.apply({ put: { users: [user] }, remove: {} }, now)
      const grant = sampleGrant({ subject: user.subject })
      const first: ImportedToken = { kind: 'refresh', grant, token: sampleRefreshToken(grant) }
      const second = ofUser()
      const third = own()
      assert.deepEqual(await importTokens([first, second, third]), { kind: 'done', changed: 3 })
      const { refreshTokens, referenceTokens } = host().storage
      assert.deepEqual(await refreshTokens.find(first.token.digest), {
        ...first.token,
        grant: { ...grant, account: accountOf(user) },
      })
      const found = await referenceTokens.find(second.token.digest)
      assert.deepEqual([found?.grantId, found?.grant?.id], [second.grant?.id, second.grant?.id])
      assert.equal((await referenceTokens.find(third.token.digest))?.grant, null)
    })

    test('imported tokens are stored once: a token that was revoked, used or deleted since is not stored again', async () => {
      const tokens = [own(), ofUser(), refresh(), refresh()]
      await importTokens(tokens)
      const [first, second, third, fourth] = tokens
      assert.ok(first && second && third?.kind === 'refresh' && fourth?.kind === 'refresh')
      const { storage, tables } = host()
      assert.equal(await storage.referenceTokens.remove(first.token.digest), true)
      await storage.grants.revoke({ id: third.grant.id }, now)
      await tables.grant.delete({ where: { id: fourth.grant.id } })
      const again = [...tokens, own()]
      assert.deepEqual(
        await storage.importedTokens.known(again),
        new Set(tokens.map(({ token }) => token.digest)),
      )
      assert.deepEqual(await importTokens(again), { kind: 'done', changed: 1 })
      assert.equal(await storage.referenceTokens.find(first.token.digest), null)
      assert.ok(await storage.referenceTokens.find(second.token.digest))
      assert.equal(
        (await storage.refreshTokens.find(third.token.digest))?.grant.revokedAt?.getTime(),
        now.getTime(),
      )
      assert.equal(await storage.refreshTokens.find(fourth.token.digest), null)
    })

    test('a refresh token and a reference token with the same digest are two tokens', async () => {
      const one = refresh()
      const other = sampleReferenceToken({ digest: one.token.digest })
      const tokens: readonly ImportedToken[] = [one, { kind: 'reference', grant: null, token: other }]
      assert.deepEqual(await importTokens(tokens), { kind: 'done', changed: 2 })
    })

    test('expired imported tokens are left out, and marks end with their tokens', async () => {
      const expired = own()
      const past = { ...expired, token: { ...expired.token, expiresAt: later(-1) } } as ImportedToken
      const brief = { ...expired, token: sampleReferenceToken({ expiresAt: later(5) }) } as ImportedToken
      assert.deepEqual(await importTokens([past, brief]), { kind: 'done', changed: 1 })
      assert.equal((await host().storage.importedTokens.known([past, brief])).size, 1)
      await host().storage.purge(later(10))
      assert.equal((await host().storage.importedTokens.known([past, brief])).size, 0)
    })

    test('several hundred imported tokens are stored in one change', async () => {
      const many = Array.from({ length: 350 }, (_, index) => (index % 2 === 0 ? refresh() : ofUser()))
      assert.deepEqual(await importTokens(many), { kind: 'done', changed: 350 })
      assert.equal((await host().storage.importedTokens.known(many)).size, 350)
    })
  })
}

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NamedIdentity, RemainingWays } from '#lib/ports/account-links.ts'
import type { NewDelivery } from '#lib/ports/outbox.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import { providerSchemeSchema } from '#lib/protocol/ids.ts'
import type { Host } from '../host.ts'
import { atOnce } from '../races.ts'
import {
  later,
  newDigest,
  now,
  sampleGrant,
  samplePartialSignIn,
  sampleProvider,
  sampleSession,
  sampleUser,
} from '../samples.ts'

const scheme = providerSchemeSchema.parse('acme')

function newIdentity(given: Partial<NamedIdentity> = {}): NamedIdentity {
  return { scheme, issuer: 'https://acme.example', subject: newDigest(), label: 'una@acme.example', ...given }
}

function newNotice(): NewDelivery {
  const id = `l-${newDigest()}`
  const mail = { kind: 'mail', target: 'una@acme.example', content: 'test', sealedBody: 'sealed' } as const
  return { id, ...mail, createdAt: now, deadlineAt: later(3600) }
}

/** The links between accounts and identities at identity providers. */
export function accountLinksContract(host: () => Host): void {
  describe('account links', () => {
    const users = () => host().storage.users
    const links = () => users().links
    const newUser = async (given: Partial<StoredUser> = {}) => {
      const user = sampleUser(given)
      await host().storage.configuration.apply({ put: { users: [user] }, remove: {} }, now)
      return user
    }
    const add = ({ subject }: StoredUser, identity: NamedIdentity, notices: readonly NewDelivery[] = []) =>
      links().add(subject, identity, { now, most: 2, notices, mayLink: () => true })
    const remove = (
      { subject }: StoredUser,
      identity: NamedIdentity,
      mayRemove: (remaining: RemainingWays) => boolean = () => true,
      notices: readonly NewDelivery[] = [],
    ) => links().remove(subject, identity, { now, mayRemove, notices })
    const isStored = async ({ id }: NewDelivery) => (await host().storage.outbox.find(id)) !== null
    const ownerOf = async (identity: NamedIdentity) =>
      (await users().findByExternal(identity))?.subject ?? null

    test('FD-01 a linked identity leads to its account, and the message about it is stored with it', async () => {
      const [user, identity, notice] = [await newUser(), newIdentity(), newNotice()]
      assert.equal(await add(user, identity, [notice]), 'added')
      assert.equal(await ownerOf(identity), user.subject)
      assert.deepEqual(await links().list(user.subject), [{ ...identity, createdAt: now }])
      assert.ok(await isStored(notice))
      assert.equal(await ownerOf({ ...identity, issuer: 'https://other.example' }), null)
    })

    test('FD-05 an identity of an account is never moved to a different account', async () => {
      const [owner, other, identity, notice] = [await newUser(), await newUser(), newIdentity(), newNotice()]
      await add(owner, identity)
      assert.equal(await add(other, identity, [notice]), 'taken')
      assert.equal(await add(owner, identity, [notice]), 'known')
      assert.equal(await ownerOf(identity), owner.subject)
      assert.equal(await isStored(notice), false)
    })

    test('FD-05 of concurrent accounts that link one identity, one gets it', async () => {
      for (let round = 0; round < 5; round += 1) {
        const accounts = await atOnce(6, () => newUser())
        const identity = newIdentity()
        const results = await Promise.all(accounts.map(account => add(account, identity)))
        assert.equal(results.filter(result => result === 'added').length, 1, results.join())
        assert.equal(results.filter(result => result === 'taken').length, 5, results.join())
        assert.equal(await ownerOf(identity), accounts[results.indexOf('added')]?.subject)
      }
    })

    test('FD-05 an identity that is linked while its owner signs in for the first time leads to one account', async () => {
      for (let round = 0; round < 5; round += 1) {
        const [user, identity] = [await newUser(), newIdentity()]
        const [result, newcomer] = await Promise.all([
          add(user, identity),
          users().createExternal(sampleUser(), identity, now),
        ])
        const expected = result === 'added' ? user.subject : newcomer.subject
        assert.ok(['added', 'taken'].includes(result), result)
        assert.deepEqual([newcomer.subject, await ownerOf(identity)], [expected, expected])
      }
    })

    test('a locked account, an unknown one, and one with too many links get no further link', async () => {
      assert.equal(await add(await newUser({ enabled: false }), newIdentity()), 'refused')
      assert.equal(await add(sampleUser(), newIdentity()), 'refused')
      const user = await newUser()
      for (const expected of ['added', 'added', 'too_many']) {
        assert.equal(await add(user, newIdentity()), expected)
      }
    })

    test('FD-06 the caller decides with the provider as it is stored when the link is', async () => {
      const { configuration } = host().storage
      const [user, provider, notice] = [await newUser(), sampleProvider(), newNotice()]
      const identity = newIdentity({ scheme: provider.scheme })
      const isEnabled = (found: IdentityProvider | null) => found?.enabled === true
      const link = () =>
        links().add(user.subject, identity, { now, most: 2, notices: [notice], mayLink: isEnabled })
      assert.equal(await link(), 'not_allowed')
      await configuration.apply({ put: { providers: [{ ...provider, enabled: false }] }, remove: {} }, now)
      assert.equal(await link(), 'not_allowed')
      assert.deepEqual([await ownerOf(identity), await isStored(notice)], [null, false])
      await configuration.apply({ put: { providers: [provider] }, remove: {} }, now)
      assert.equal(await link(), 'added')
    })

    test('SE-06 unlinking ends the sessions, grants and interrupted sign-ins that the identity began', async () => {
      const { storage } = host()
      const provider = sampleProvider()
      await storage.configuration.apply({ put: { providers: [provider] }, remove: {} }, now)
      const { scheme: idp } = provider
      const [user, identity, notice] = [await newUser(), newIdentity({ scheme: idp }), newNotice()]
      const { subject } = user
      await add(user, identity)
      const began = [
        { subject, idp },
        { subject, idp: 'latchkey' },
        { subject: (await newUser()).subject, idp },
      ] as const
      const sessions = await Promise.all(
        began.map(async given => {
          const session = sampleSession(given)
          assert.ok(await storage.sessions.create(session))
          return session
        }),
      )
      const grants = await Promise.all(
        began.map(async given => {
          const grant = sampleGrant({ ...given, sessionId: null, isOffline: true })
          await storage.grants.open(grant)
          return grant
        }),
      )
      const waiting = samplePartialSignIn({ subject })
      await storage.partialSignIns.create(waiting)
      assert.equal(await remove(user, identity, () => true, [notice]), 'removed')
      const live = sessions.map(async ({ digest }) => (await storage.sessions.find(digest, now)) !== null)
      assert.deepEqual(await Promise.all(live), [false, true, true])
      const kept = grants.map(async ({ id }) => (await storage.grants.find(id))?.revokedAt === null)
      assert.deepEqual(await Promise.all(kept), [false, true, true])
      assert.equal(await storage.partialSignIns.find(waiting.digest, waiting.browser, now), null)
      assert.deepEqual([await ownerOf(identity), await isStored(notice)], [null, true])
      assert.equal(await remove(user, identity), 'unknown')
    })

    test('an identity of another account is not unlinked', async () => {
      const [owner, other, identity] = [await newUser(), await newUser(), newIdentity()]
      await add(owner, identity)
      assert.equal(await remove(other, identity), 'unknown')
      assert.equal(await ownerOf(identity), owner.subject)
    })

    test('of two concurrent calls that unlink the last two identities, one is refused', async () => {
      for (let round = 0; round < 5; round += 1) {
        const user = await newUser({ passwordHash: null })
        const identities = [newIdentity(), newIdentity()]
        for (const identity of identities) assert.equal(await add(user, identity), 'added')
        const results = await Promise.all(
          identities.map(identity => remove(user, identity, remaining => remaining.links.length > 0)),
        )
        assert.deepEqual(results.toSorted(), ['last', 'removed'])
        assert.equal((await links().list(user.subject)).length, 1)
      }
    })

    test('the caller decides with the ways to sign in that remain', async () => {
      const user = await newUser({ passwordHash: 'x' })
      const [identity, other] = [newIdentity(), newIdentity({ label: null })]
      await add(user, identity)
      await add(user, other)
      const seen: RemainingWays[] = []
      const mayRemove = (remaining: RemainingWays) => seen.push(remaining) === 0
      assert.equal(await remove(user, identity, mayRemove), 'last')
      assert.deepEqual(seen, [{ hasPassword: true, links: [{ ...other, createdAt: now }], passkeys: [] }])
    })
  })
}

/** The contract of identities that were unlinked, which are not linked again by an address. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NamedIdentity } from '#lib/ports/account-links.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { Host } from '../host.ts'
import { later, newDigest, now, sampleUser } from '../samples.ts'
import { waysInOf } from '../ways-in.ts'

export function unlinkedIdentitiesContract(host: () => Host): void {
  const storage = () => host().storage
  const { newUser, link, unlink } = waysInOf(host)

  describe('an identity that was unlinked', () => {
    const keyOf = ({ scheme, issuer, subject }: NamedIdentity) => ({ scheme, issuer, subject })
    const unlinkedOf = (subject: SubjectId) => storage().users.links.listUnlinked(subject)

    test('FD-05 is remembered until it is linked again, and with its account', async () => {
      const user = await newUser()
      const { subject, identity } = user
      assert.deepEqual(await unlinkedOf(subject), [])
      await unlink(user)
      assert.deepEqual(await unlinkedOf(subject), [keyOf(identity)])
      assert.equal(await link(subject, identity), 'added')
      assert.deepEqual(await unlinkedOf(subject), [])
      await unlink(user)
      await host().tables.user.deleteMany({ where: { subject } })
      assert.deepEqual(await unlinkedOf(subject), [])
    })

    test('FD-05 is remembered if the user took the link back by mail', async () => {
      const claims = { email: 'una@example.org', email_verified: true }
      const user = sampleUser({ claims })
      await storage().users.register(user, later(-9000))
      const { subject } = user
      const { identity } = await newUser()
      const taken = { ...identity, subject: newDigest() }
      assert.equal(await link(subject, taken), 'added')
      const account = { address: claims.email, unusableHash: 'unusable' }
      const taking = { now: later(600), expiresAt: later(9000), account, notices: [] }
      assert.ok(await storage().takenBackChanges.takeBack({ id: newDigest(), subject, at: now }, taking))
      assert.deepEqual(await storage().users.links.list(subject), [])
      assert.deepEqual(await unlinkedOf(subject), [keyOf(taken)])
    })

    test('FD-05 an address links an identity only if the account still has it', async () => {
      const claims = { email: 'Otto@Example.org', email_verified: true }
      const user = sampleUser({ claims })
      await storage().configuration.apply({ put: { users: [user] }, remove: {} }, now)
      const identity = { ...(await newUser()).identity, subject: newDigest() }
      assert.equal(await link(user.subject, identity, 'earlier@example.org'), 'not_proven')
      assert.equal(await link(user.subject, identity, 'otto@example.org'), 'added')
    })

    test('FD-05 an address links no second identity of a provider, nor one after an unlinking', async () => {
      const claims = { email: `una-${newDigest().toLowerCase()}@example.org`, email_verified: true }
      const user = sampleUser({ claims })
      const { subject } = user
      await storage().configuration.apply({ put: { users: [user] }, remove: {} }, now)
      const { identity } = await newUser()
      const identities = [1, 2].map(() => ({ ...identity, subject: newDigest() }))
      const byAddress = () => Promise.all(identities.map(own => link(subject, own, claims.email)))
      assert.deepEqual((await byAddress()).toSorted(), ['added', 'had_identity'])
      const linked = (await storage().users.links.list(subject))[0] ?? assert.fail()
      assert.equal(await link(subject, linked, claims.email), 'known')
      await unlink({ subject, identity: linked })
      assert.deepEqual(await byAddress(), ['had_identity', 'had_identity'])
      assert.equal(await link(subject, linked), 'added', 'the user has proven the account')
    })
  })
}

/** The contract of the reports about users that come before a change of the policies. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StoredUser } from '#lib/ports/users.ts'
import type { Host } from '../host.ts'
import { newDigest, now, sampleUser } from '../samples.ts'

export function userReportsContract(host: () => Host): void {
  describe('reports about users', () => {
    const lists = () => host().storage.adminLists
    const put = (...users: StoredUser[]) =>
      host().storage.configuration.apply({ put: { users }, remove: {} }, now)
    const address = () => `${newDigest().toLowerCase()}@example.org`

    test('finds verified addresses of several users, and those that are the user name of another', async () => {
      const withAddress = (email: string, given: Partial<StoredUser> = {}) =>
        sampleUser({ ...given, claims: { email, email_verified: true } })
      const [shared, named, own, unsure] = [address(), address(), address(), address()]
      const pair = [withAddress(shared), withAddress(shared.toUpperCase())]
      const namesake = [withAddress(named), sampleUser({ username: named })]
      await put(...pair, ...namesake, withAddress(own, { username: own }))
      await put(withAddress(unsure), sampleUser({ claims: { email: unsure } }))
      const all = await lists().sharedAddresses(1000)
      const usersOf = (email: string) =>
        all
          .find(found => found.email === email)
          ?.users.map(({ subject }) => subject)
          .toSorted() ?? null
      assert.deepEqual(usersOf(shared), pair.map(({ subject }) => subject).toSorted())
      assert.deepEqual(usersOf(named), namesake.map(({ subject }) => subject).toSorted())
      assert.deepEqual([usersOf(own), usersOf(unsure)], [null, null])
      assert.equal((await lists().sharedAddresses(1)).length, 1)
    })

    test('counts the enabled users without a passkey and an authenticator app', async () => {
      const count = async () => (await lists().countUsersWithoutFactor()).count
      const before = await count()
      const [user, other] = [sampleUser(), sampleUser()]
      await put(user, other, sampleUser({ enabled: false }))
      assert.equal(await count(), before + 2)
      const app = {
        subject: user.subject,
        sealedSecret: 'sealed',
        lastStep: 1,
        createdAt: now,
        lastUsedAt: null,
      }
      await host().storage.secondFactors.setApp(app, { replaces: null, codes: [], notices: [] })
      assert.equal(await count(), before + 1)
    })
  })
}

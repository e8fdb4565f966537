/** The contract of changes that an attacker makes in a session while the user takes them back. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ChangeSource, inSession } from '#lib/ports/change-source.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import { providerSchemeSchema } from '#lib/protocol/ids.ts'
import type { Host } from '../host.ts'
import { later, newDigest, newSubject, now, sampleSession, sampleUser } from '../samples.ts'

type Change = {
  readonly name: string
  /** Makes the change in the session, or the interrupted sign-in. Returns whether it was made. */
  readonly make: (user: StoredUser, within: ChangeSource) => Promise<boolean>
  /** Whether the account has what the change has added. */
  readonly isThere: (user: StoredUser) => Promise<boolean>
}

export function takenBackRacesContract(host: () => Host): void {
  const storage = () => host().storage

  async function attacked() {
    const subject = newSubject()
    const claims = { email: `${subject}@example.org`, email_verified: true }
    const user = sampleUser({ subject, username: subject, passwordHash: null, claims })
    await storage().users.register(user, later(-9000))
    const session = sampleSession({ subject })
    await storage().sessions.create(session)
    return { user, session }
  }
  const takeBack = ({ subject }: StoredUser) => {
    const account = { address: `${subject}@example.org`, unusableHash: 'unusable' }
    const taking = { now: later(600), expiresAt: later(9000), account, notices: [] }
    return storage().takenBackChanges.takeBack({ id: newDigest(), subject, at: now }, taking)
  }

  const changes: readonly Change[] = [
    {
      name: 'a passkey',
      make: async ({ subject }, within) => {
        const passkey = {
          ...{ id: newDigest(), subject, idp: 'latchkey', publicKey: 'key', signatureCounter: 0 },
          ...{ isBackedUp: false, canBeBackedUp: true, isDiscoverable: null, aaguid: '', name: 'Laptop' },
          ...{ transports: [], createdAt: later(1), lastUsedAt: null },
        }
        return (await storage().passkeys.add(passkey, { most: 10, notices: [], within })) === 'added'
      },
      isThere: async ({ subject }) => (await storage().passkeys.allOf(subject)).length > 0,
    },
    {
      name: 'an authenticator app',
      make: ({ subject }, within) => {
        const app = { subject, sealedSecret: 'sealed', lastStep: 1, createdAt: later(1), lastUsedAt: null }
        return storage().secondFactors.setApp(app, { replaces: null, codes: [], notices: [], within })
      },
      isThere: async ({ subject }) => (await storage().secondFactors.findApp(subject)) !== null,
    },
    {
      name: 'a set of recovery codes',
      make: async ({ subject }, within) => {
        const app = { subject, sealedSecret: 'sealed', lastStep: 1, createdAt: later(-900), lastUsedAt: null }
        await storage().secondFactors.setApp(app, { replaces: null, codes: [], notices: [] })
        const form = { id: newDigest(), expiresAt: later(900) }
        const made = { now: later(1), form, notices: [], within }
        return (
          (await storage().secondFactors.replaceRecoveryCodes(subject, [newDigest()], made)) === 'replaced'
        )
      },
      isThere: async ({ subject }) => (await storage().secondFactors.countRecoveryCodes(subject)) > 0,
    },
    {
      name: 'a link to an identity provider',
      make: async ({ subject }, within) => {
        const scheme = providerSchemeSchema.parse('upstream')
        const identity = { scheme, issuer: 'https://upstream.example', subject: newDigest(), label: null }
        const change = { now: later(1), most: 10, notices: [], mayLink: () => true, within }
        return (await storage().users.links.add(subject, identity, change)) === 'added'
      },
      isThere: async ({ subject }) => (await storage().users.links.list(subject)).length > 0,
    },
    {
      name: 'a changed address',
      make: (replaced, within) => {
        const change = { replaced, address: 'thief@example.com', within }
        return storage().users.changeEmail(replaced.subject, change, later(1))
      },
      isThere: async ({ subject }) =>
        (await storage().users.findBySubject(subject))?.claims.email === 'thief@example.com',
    },
    {
      name: 'a planned deletion',
      make: ({ subject }, within) => {
        const planned = { subject, kind: 'delete_account', createdAt: later(1), dueAt: later(99) } as const
        return storage().plannedChanges.plan(planned, [], within)
      },
      isThere: async ({ subject }) => (await storage().plannedChanges.allOf(subject)).length > 0,
    },
  ]

  describe('a change by an attacker whose session ends because the user takes back an earlier change', () => {
    for (const { name, make, isThere } of changes) {
      test(`AU-16 ${name} is stored while the session exists, and not afterwards`, async () => {
        const { user, session } = await attacked()
        assert.equal(await make(user, inSession(session)), true)
        const { user: other, session: ended } = await attacked()
        assert.equal(await takeBack(other), true)
        assert.equal(await make(other, inSession(ended)), false)
        assert.deepEqual([await isThere(user), await isThere(other)], [true, false])
      })

      test(`AU-16 ${name} does not remain if it is stored at the same moment`, async () => {
        for (const _ of Array.from({ length: 15 })) {
          const { user, session } = await attacked()
          const [, isTakenBack] = await Promise.all([make(user, inSession(session)), takeBack(user)])
          assert.deepEqual([isTakenBack, await isThere(user)], [true, false])
        }
      })
    }

    test('a passkey is not stored in an interrupted sign-in that has ended', async () => {
      const [passkey] = changes
      const { user } = await attacked()
      const within = { kind: 'interrupted', digest: newDigest() } as const
      assert.equal(await passkey?.make(user, within), false)
    })

    test('a session that gets a new handle at the same moment ends, also with a custom user service', async () => {
      for (const _ of Array.from({ length: 15 })) {
        const session = sampleSession()
        const { subject } = session
        await storage().sessions.create(session)
        const taking = { now: later(600), expiresAt: later(9000), account: null, notices: [] }
        const change = { id: newDigest(), subject, at: now }
        await Promise.all([
          storage().sessions.replace(session.digest, { ...session, digest: newDigest() }),
          storage().takenBackChanges.takeBack(change, taking),
        ])
        assert.deepEqual(await storage().sessions.allOf(subject, now), [])
      }
    })
  })
}

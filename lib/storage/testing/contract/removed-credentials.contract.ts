/** The contract of sign-ins whose passkey or identity is removed, and of the last ways to sign in. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NamedIdentity, RemainingWays } from '#lib/ports/account-links.ts'
import { inSession } from '#lib/ports/change-source.ts'
import type { CurrentCredentials } from '#lib/ports/sessions.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { Host } from '../host.ts'
import { later, newDigest, newSubject, now, sampleAuditEntry, sampleSession } from '../samples.ts'
import { type Removal, type UserWithWays, waysInOf } from '../ways-in.ts'

type Factors = Required<Pick<CurrentCredentials, 'app' | 'recoveryCode' | 'trustedBrowser'>>

const secondFactors: ReadonlyArray<readonly [string, (factors: Factors) => CurrentCredentials]> = [
  ['a code of an app', ({ app }) => ({ app })],
  ['a recovery code', ({ recoveryCode }) => ({ recoveryCode })],
  ['a trusted browser', ({ trustedBrowser }) => ({ trustedBrowser })],
]

const rounds = Array.from({ length: 12 })

export function removedCredentialsContract(host: () => Host): void {
  const storage = () => host().storage

  const { newUser, addPasskey, unlink } = waysInOf(host)

  const removePasskey = (
    { passkey: { subject, id } }: Pick<UserWithWays, 'passkey'>,
    removal: Removal = {},
  ) =>
    storage().passkeys.remove(
      { subject, id },
      { notices: [], keeps: null, now, mayRemove: () => true, ...removal },
    )

  const passkeySession = ({ subject, passkey }: Pick<UserWithWays, 'subject' | 'passkey'>) => {
    const factor = { methods: ['hwk'], at: now.toISOString(), kind: 'passkey', passkey: passkey.id } as const
    return sampleSession({ subject, details: { factors: [factor] } })
  }
  const providerSession = ({ subject, identity }: UserWithWays) =>
    sampleSession({ subject, idp: identity.scheme })
  /** Stores an authenticator app with a recovery code and a trusted browser. */
  async function addFactors(subject: SubjectId) {
    const app = { subject, sealedSecret: newDigest(), lastStep: 1, createdAt: now, lastUsedAt: null }
    const code = newDigest()
    await storage().secondFactors.setApp(app, { replaces: null, codes: [code], notices: [] })
    const browser = {
      ...{ digest: newDigest(), id: newDigest(), subject, userAgent: null, address: null },
      ...{ createdAt: now, lastUsedAt: now, expiresAt: later(60) },
    }
    assert.equal(await storage().trustedBrowsers.add(browser, [], app), true)
    return { app: app.sealedSecret, recoveryCode: code, trustedBrowser: browser.digest }
  }

  const resetFactors = (subject: SubjectId) => {
    const selection = { subject }
    const reset = { kind: 'reset_factors', subject, passkeys: true, notices: [] } as const
    const writes = [reset, { kind: 'end_sessions', selection }] as const
    return storage().adminStore.commit({ writes, audit: [sampleAuditEntry()] }, now)
  }

  const sessionsOf = (subject: SubjectId) => storage().sessions.allOf(subject, now)

  describe('a sign-in whose credential is removed', () => {
    test('SE-06 a session with a passkey begins only while the user has the passkey', async () => {
      const user = await newUser()
      const begin = (id: string) => storage().sessions.create(passkeySession(user), { passkeys: [id] })
      assert.equal(await begin(user.passkey.id), true)
      assert.equal(await begin((await newUser()).passkey.id), false, 'the passkey of another user')
      assert.equal(await removePasskey(user), 'removed')
      assert.equal(await begin(user.passkey.id), false)
      const kept = sampleSession({ subject: user.subject })
      await storage().sessions.create(kept)
      const replacing = { passkeys: [user.passkey.id] }
      assert.equal(await storage().sessions.replace(kept.digest, passkeySession(user), replacing), 'refused')
      assert.deepEqual(await sessionsOf(user.subject), [kept])
    })

    test('FD-05 a session with an identity begins only while the identity is linked to the account', async () => {
      const user = await newUser()
      const begin = (identity: NamedIdentity) =>
        storage().sessions.create(providerSession(user), { link: identity })
      assert.equal(await begin(user.identity), true)
      assert.equal(await begin({ ...user.identity, issuer: 'https://other.example' }), false)
      assert.equal(await begin((await newUser()).identity), false, 'the identity of another account')
      assert.equal(await unlink(user), 'removed')
      assert.equal(await begin(user.identity), false)
      assert.deepEqual(await sessionsOf(user.subject), [])
    })

    test('SE-06 FD-05 no session survives the removal of its passkey or identity at the same moment', async () => {
      for (const _ of rounds) {
        const user = await newUser()
        const { subject, identity, passkey } = user
        await Promise.all([
          storage().sessions.create(passkeySession(user), { passkeys: [passkey.id] }),
          removePasskey(user),
          storage().sessions.create(passkeySession(user), { passkeys: [passkey.id] }),
        ])
        assert.deepEqual(await sessionsOf(subject), [])
        await Promise.all([
          storage().sessions.create(providerSession(user), { link: identity }),
          unlink(user),
          storage().sessions.create(providerSession(user), { link: identity }),
        ])
        assert.deepEqual(await sessionsOf(subject), [])
      }
    })

    for (const [name, conditionsOf] of secondFactors) {
      test(`SE-06 MF-03 a session with ${name} begins only while the user has it`, async () => {
        const { subject } = await newUser()
        const factors = await addFactors(subject)
        const begin = (given: typeof factors) =>
          storage().sessions.create(sampleSession({ subject }), conditionsOf(given))
        assert.equal(await begin(factors), true)
        assert.equal(await begin(await addFactors(newSubject())), false, `${name} of another user`)
        assert.equal(await storage().secondFactors.removeApp(subject, { notices: [] }), true)
        assert.equal(await begin(factors), false)
        await addFactors(subject)
        assert.equal(await begin(factors), false)
      })

      test(`SE-06 MF-03 MF-07 no session with ${name} survives a reset at the same moment, also with a custom user service`, async () => {
        for (const [round] of rounds.entries()) {
          const subject = round % 2 === 0 ? (await newUser()).subject : newSubject()
          const factors = await addFactors(subject)
          const begin = () => storage().sessions.create(sampleSession({ subject }), conditionsOf(factors))
          const session = sampleSession({ subject })
          await storage().sessions.create(session)
          const raise = () =>
            storage().sessions.replace(
              session.digest,
              { ...session, digest: newDigest() },
              conditionsOf(factors),
            )
          await Promise.all([begin(), resetFactors(subject), begin(), raise()])
          assert.deepEqual(await sessionsOf(subject), [])
        }
      })
    }

    test('FD-05 an administrator and the user unlink an identity at the same moment', async () => {
      for (const _ of rounds) {
        const user = await newUser()
        const { subject: account, identity: key } = user
        const write = { kind: 'unlink', account, key, notices: [] } as const
        const [, outcome] = await Promise.all([
          storage().adminStore.commit({ writes: [write], audit: [sampleAuditEntry()] }, now),
          unlink(user),
        ])
        assert.ok(outcome === 'removed' || outcome === 'unknown')
        assert.deepEqual(await storage().users.links.list(account), [])
      }
    })

    test('SE-06 a session that gets a new handle while its passkey is removed ends, also with a custom user service', async () => {
      for (const _ of rounds) {
        const subject = newSubject()
        const user = { subject, passkey: await addPasskey(subject) }
        const session = passkeySession(user)
        await storage().sessions.create(session)
        await Promise.all([
          storage().sessions.replace(session.digest, { ...session, digest: newDigest() }),
          removePasskey(user),
        ])
        assert.deepEqual(await sessionsOf(subject), [])
      }
    })
  })

  describe('the last ways to sign in', () => {
    const oneRemains = (remaining: RemainingWays | null) =>
      remaining !== null && remaining.links.length + remaining.passkeys.length > 0

    test('a passkey and an identity that are removed at the same moment are not both removed', async () => {
      for (const _ of rounds) {
        const user = await newUser()
        const outcomes = await Promise.all([
          removePasskey(user, { mayRemove: oneRemains }),
          unlink(user, { mayRemove: oneRemains }),
        ])
        assert.deepEqual(outcomes.toSorted(), ['last', 'removed'])
      }
    })

    test('the caller decides about a passkey with the ways to sign in that remain', async () => {
      const { subject, identity, passkey } = await newUser()
      const other = await addPasskey(subject)
      const seen: (RemainingWays | null)[] = []
      const mayRemove = (remaining: RemainingWays | null) => seen.push(remaining) === 0
      assert.equal(await removePasskey({ passkey }, { mayRemove }), 'last')
      const elsewhere = newSubject()
      assert.equal(await removePasskey({ passkey: await addPasskey(elsewhere) }, { mayRemove }), 'last')
      const passkeys = [{ id: other.id, idp: other.idp }]
      assert.deepEqual(seen, [
        { hasPassword: false, links: [{ ...identity, createdAt: now }], passkeys },
        null,
      ])
    })

    test('AU-16 nothing is removed in a session that has ended', async () => {
      const user = await newUser()
      const within = inSession(sampleSession())
      assert.deepEqual(
        [await removePasskey(user, { within }), await unlink(user, { within })],
        ['unknown', 'unknown'],
      )
      const session = sampleSession({ subject: user.subject })
      await storage().sessions.create(session)
      const open = inSession(session)
      assert.deepEqual(
        [await removePasskey(user, { within: open }), await unlink(user, { within: open })],
        ['removed', 'removed'],
      )
    })
  })
}

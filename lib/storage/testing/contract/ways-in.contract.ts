import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NewDelivery } from '#lib/ports/outbox.ts'
import type { Passkey } from '#lib/ports/passkeys.ts'
import type { AuthenticatorApp, TrustedBrowser } from '#lib/ports/second-factors.ts'
import type { Session, SessionDetails } from '#lib/ports/sessions.ts'
import { removeUser } from '../../prisma/identity/put-users.ts'
import type { Host } from '../host.ts'
import { atOnce } from '../races.ts'
import {
  later,
  newDigest,
  newSubject,
  now,
  sampleAuditEntry,
  samplePartialSignIn,
  sampleSession,
  sampleUser,
} from '../samples.ts'

type Factors = NonNullable<SessionDetails['factors']>

export function waysInContract(host: () => Host): void {
  const storage = () => host().storage
  const notice = (): NewDelivery => ({
    id: `w-${newDigest()}`,
    kind: 'mail',
    target: 'alice@example.org',
    content: 'test',
    sealedBody: 'sealed',
    createdAt: now,
    deadlineAt: later(3600),
  })
  const isStored = async ({ id }: NewDelivery) => (await storage().outbox.find(id)) !== null
  const winners = (results: readonly boolean[]) => results.filter(Boolean).length

  describe('passkeys', () => {
    const passkeys = () => storage().passkeys
    const sample = (given: Partial<Passkey> = {}): Passkey => ({
      id: newDigest(),
      subject: newSubject(),
      idp: 'latchkey',
      publicKey: 'key',
      signatureCounter: 4_294_967_295,
      transports: ['internal', 'hybrid'],
      isBackedUp: false,
      canBeBackedUp: true,
      isDiscoverable: null,
      aaguid: '00000000-0000-0000-0000-000000000000',
      name: 'Laptop',
      createdAt: now,
      lastUsedAt: null,
      ...given,
    })
    const added = async (given: Partial<Passkey> = {}) => {
      const passkey = sample(given)
      assert.equal(await passkeys().add(passkey, { most: 10, notices: [] }), 'added')
      return passkey
    }
    const remove = ({ subject, id }: Passkey, keepsOne: boolean, notices: readonly NewDelivery[] = []) =>
      passkeys().remove({ subject, id, keepsOne }, { notices, keeps: null, now })

    test('returns the stored passkeys, the oldest first', async () => {
      const passkey = await added({ createdAt: later(1), transports: [] })
      const first = await added({ subject: passkey.subject })
      assert.deepEqual(await passkeys().find(passkey.id), passkey)
      assert.deepEqual(await passkeys().allOf(passkey.subject), [first, passkey])
      assert.equal(await passkeys().find(newDigest()), null)
    })

    test('MF-05 refuses a credential ID that exists, also for a different subject', async () => {
      const { id } = await added()
      const mail = notice()
      assert.equal(await passkeys().add(sample({ id }), { most: 10, notices: [mail] }), 'duplicate')
      assert.equal(await isStored(mail), false)
    })

    test('refuses a passkey above the limit', async () => {
      const { subject } = await added()
      assert.equal(await passkeys().add(sample({ subject }), { most: 1, notices: [] }), 'too_many')
    })

    test('MF-05 a counter is replaced by one of several callers that read it', async () => {
      const { id, signatureCounter: before } = await added({ signatureCounter: 7 })
      const use = { id, before, signatureCounter: 8, isBackedUp: true }
      assert.equal(winners(await atOnce(20, () => passkeys().recordUse(use, later(1)))), 1)
      const stored = await passkeys().find(id)
      assert.deepEqual(
        [stored?.signatureCounter, stored?.isBackedUp, stored?.lastUsedAt],
        [8, true, later(1)],
      )
    })

    test('renames and removes only a passkey of the subject', async () => {
      const passkey = await added()
      const mail = notice()
      assert.equal(await passkeys().rename(newSubject(), passkey.id, 'Stolen'), false)
      assert.equal(await passkeys().rename(passkey.subject, passkey.id, 'Phone'), true)
      assert.equal((await passkeys().find(passkey.id))?.name, 'Phone')
      assert.equal(await remove({ ...passkey, subject: newSubject() }, false, [notice()]), 'unknown')
      assert.equal(await remove(passkey, false, [mail]), 'removed')
      assert.equal(await passkeys().find(passkey.id), null)
      assert.ok(await isStored(mail))
    })

    test('SE-06 the removal of a passkey ends the sessions of which it is a factor, and interrupted sign-ins', async () => {
      const { id, subject } = await added()
      const { sessions, partialSignIns } = storage()
      const opened = async (factors: Factors, of = subject) => {
        const session = sampleSession({ subject: of, details: { factors } })
        await sessions.create(session)
        return session
      }
      const factor = (kind: 'password' | 'passkey', passkey?: string) => ({
        ...{ methods: [], at: now.toISOString(), kind },
        ...(passkey === undefined ? {} : { passkey }),
      })
      const current = await opened([factor('passkey', id)])
      const ending = [
        await opened([factor('passkey', id)]),
        await opened([factor('password'), factor('passkey', id)]),
        await opened([factor('passkey')]),
      ]
      const staying = [
        await opened([factor('password')]),
        await opened([factor('passkey', newDigest())]),
        await opened([factor('passkey', id)], newSubject()),
      ]
      const partial = samplePartialSignIn({ subject })
      await partialSignIns.create(partial)
      const keeps = current.sessionId
      const isLive = async ({ digest }: Session) => (await sessions.find(digest, now)) !== null
      const left = () => Promise.all([current, ...ending, ...staying].map(isLive))
      assert.equal(
        await passkeys().remove({ subject, id: newDigest(), keepsOne: false }, { notices: [], keeps, now }),
        'unknown',
      )
      assert.deepEqual(await left(), Array(7).fill(true))
      const removal = { notices: [], keeps, now }
      assert.equal(await passkeys().remove({ subject, id, keepsOne: false }, removal), 'removed')
      assert.deepEqual(await left(), [true, false, false, false, true, true, true])
      assert.equal(await partialSignIns.find(partial.digest, partial.browser, now), null)
    })

    test('the last passkey is kept if it must be, also when the last two are removed at the same time', async () => {
      for (const _ of Array.from({ length: 10 })) {
        const one = await added()
        const two = await added({ subject: one.subject })
        const results = await Promise.all([remove(one, true), remove(two, true)])
        assert.deepEqual(results.toSorted(), ['last', 'removed'])
        assert.equal((await passkeys().allOf(one.subject)).length, 1)
      }
    })

    test('counts and deletes the passkeys of all subjects', async () => {
      const before = await passkeys().count()
      await added()
      assert.equal(await passkeys().count(), before + 1)
      assert.equal(await passkeys().removeAll(), before + 1)
      assert.equal(await passkeys().count(), 0)
    })
  })

  describe('answers to offers', () => {
    test('are empty before the first offer, and are replaced', async () => {
      const subject = newSubject()
      const preferences = storage().subjectPreferences
      assert.deepEqual(await preferences.find(subject), { passkeyOfferedAt: null, refusesPasskeys: false })
      await preferences.put(subject, { passkeyOfferedAt: now, refusesPasskeys: false })
      await preferences.put(subject, { passkeyOfferedAt: later(1), refusesPasskeys: true })
      assert.deepEqual(await preferences.find(subject), { passkeyOfferedAt: later(1), refusesPasskeys: true })
    })
  })

  describe('used IDs', () => {
    test('MF-05 one of a hundred callers claims an ID', async () => {
      const id = newDigest()
      assert.equal(winners(await atOnce(100, () => storage().usedIds.claim(id, later(60)))), 1)
      assert.equal(await storage().usedIds.claim(id, later(60)), false)
    })
  })

  describe('authenticator apps and recovery codes', () => {
    const factors = () => storage().secondFactors
    const app = (subject = newSubject()) => ({
      subject,
      sealedSecret: 'sealed',
      lastStep: 100,
      createdAt: now,
      lastUsedAt: null,
    })
    const set = async (codes: readonly ReturnType<typeof newDigest>[] = []) => {
      const stored = app()
      await factors().setApp(stored, { replaces: null, codes, notices: [] })
      return stored
    }

    test('an app is stored with its codes, and replaced with them', async () => {
      const stored = await set([newDigest(), newDigest()])
      const { subject } = stored
      assert.deepEqual(await factors().findApp(subject), stored)
      assert.equal(await factors().countRecoveryCodes(subject), 2)
      const mail = notice()
      const successor = { ...stored, sealedSecret: 'other', lastStep: 1 }
      const setUp = { replaces: stored, codes: [newDigest()], notices: [mail] }
      assert.equal(await factors().setApp(successor, setUp), true)
      assert.deepEqual(await factors().findApp(subject), successor)
      assert.equal(await factors().countRecoveryCodes(subject), 1)
      assert.ok(await isStored(mail))
      assert.equal(await factors().findApp(newSubject()), null)
    })

    test('MF-02 one of ten callers sets up an app, and the codes and the mail of the others are not stored', async () => {
      const subject = newSubject()
      const mails = Array.from({ length: 20 }, notice)
      const set = (replaces: AuthenticatorApp | null, index: number) => {
        const stored = { ...app(subject), sealedSecret: `sealed-${index}` }
        const notices = mails.slice(index, index + 1)
        return factors().setApp(stored, { replaces, codes: [newDigest(), newDigest()], notices })
      }
      const created = await atOnce(10, index => set(null, index))
      assert.equal(winners(created), 1)
      const first = await factors().findApp(subject)
      assert.equal(first?.sealedSecret, `sealed-${created.indexOf(true)}`)
      const replaced = await atOnce(10, index => set(first, index + 10))
      assert.equal(winners(replaced), 1)
      const second = await factors().findApp(subject)
      assert.equal(second?.sealedSecret, `sealed-${replaced.indexOf(true) + 10}`)
      assert.equal(await factors().countRecoveryCodes(subject), 2)
      assert.deepEqual(await Promise.all(mails.map(isStored)), [...created, ...replaced])
      assert.equal(await set(null, 0), false)
      assert.equal(await set(first, 1), false)
    })

    test('MF-01 one of a hundred callers uses the code of a time step, and an earlier one is refused', async () => {
      const { subject } = await set()
      const claim = { now: later(1), notices: [] }
      assert.equal(winners(await atOnce(100, () => factors().claimStep(subject, 101, claim))), 1)
      assert.equal(await factors().claimStep(subject, 100, { ...claim, now: later(2) }), false)
      assert.deepEqual((await factors().findApp(subject))?.lastUsedAt, later(1))
    })

    test('AU-16 the mail about a code is stored only for the caller that uses it', async () => {
      const { subject } = await set()
      const mails = Array.from({ length: 10 }, notice)
      const claims = await atOnce(10, index =>
        factors().claimStep(subject, 101, { now, notices: mails.slice(index, index + 1) }),
      )
      assert.equal(winners(claims), 1)
      assert.deepEqual(await Promise.all(mails.map(isStored)), claims)
    })

    test('MF-02 one of a hundred callers uses a recovery code, and one mail is stored', async () => {
      const code = newDigest()
      const { subject } = await set([code, newDigest()])
      const mails = Array.from({ length: 100 }, notice)
      const use = (index: number) =>
        factors().claimRecoveryCode(subject, code, { now, notices: mails.slice(index, index + 1) })
      assert.equal(winners(await atOnce(100, use)), 1)
      assert.equal(winners(await Promise.all(mails.map(isStored))), 1)
      assert.equal(await factors().countRecoveryCodes(subject), 1)
      assert.equal(await factors().claimRecoveryCode(newSubject(), code, { now, notices: [] }), false)
    })

    test('new recovery codes replace all earlier ones', async () => {
      const [used, unused] = [newDigest(), newDigest()]
      const { subject } = await set([used, unused])
      await factors().claimRecoveryCode(subject, used, { now, notices: [] })
      const codes = [newDigest(), newDigest(), newDigest()]
      await factors().replaceRecoveryCodes(subject, codes, { now, notices: [] })
      assert.equal(await factors().countRecoveryCodes(subject), 3)
      assert.equal(await factors().claimRecoveryCode(subject, unused, { now, notices: [] }), false)
    })

    test('removing the app removes its codes and the trusted browsers', async () => {
      const { subject } = await set([newDigest()])
      const browser = await trusted({ subject })
      const mail = notice()
      assert.equal(await factors().removeApp(subject, [mail]), true)
      assert.equal(await factors().removeApp(subject, [notice()]), false)
      assert.equal(await factors().findApp(subject), null)
      assert.equal(await factors().countRecoveryCodes(subject), 0)
      assert.equal(await storage().trustedBrowsers.use([browser.digest], subject, now), false)
      assert.ok(await isStored(mail))
    })

    test('MF-07 a reset removes the factors of one subject with its mail, and nothing without its audit row', async () => {
      const [{ subject }, { subject: other }] = [await set([newDigest()]), await set([newDigest()])]
      const browser = await trusted({ subject })
      const mail = notice()
      const write = { kind: 'reset_factors', subject, passkeys: true, notices: [mail] } as const
      await assert.rejects(storage().adminStore.commit({ writes: [write], audit: [] }, now), TypeError)
      assert.notEqual(await factors().findApp(subject), null)
      const change = { writes: [write], audit: [sampleAuditEntry()] }
      assert.deepEqual(await storage().adminStore.commit(change, now), { kind: 'done', changed: 1 })
      assert.equal(await factors().findApp(subject), null)
      assert.equal(await factors().countRecoveryCodes(subject), 0)
      assert.equal(await storage().trustedBrowsers.use([browser.digest], subject, now), false)
      assert.ok(await isStored(mail))
      assert.notEqual(await factors().findApp(other), null)
    })

    test('a deleted user leaves no way to sign in behind', async () => {
      const { subject, username } = sampleUser()
      await host().tables.user.upsert({
        where: { subject },
        update: {},
        create: {
          ...{ subject, username, canonicalUsername: subject, enabled: true, claims: '{}' },
          ...{ version: 1, createdAt: now, updatedAt: now },
        },
      })
      await factors().setApp(app(subject), { replaces: null, codes: [newDigest()], notices: [] })
      const browser = await trusted({ subject })
      assert.equal(await removeUser(host().tables, subject, now), true)
      assert.equal(await factors().findApp(subject), null)
      assert.equal(await factors().countRecoveryCodes(subject), 0)
      assert.equal(await storage().trustedBrowsers.use([browser.digest], subject, now), false)
    })
  })

  const trusted = async (given: Partial<TrustedBrowser> = {}): Promise<TrustedBrowser> => {
    const browser = {
      ...{ digest: newDigest(), id: newDigest(), subject: newSubject() },
      ...{ userAgent: 'Mozilla/5.0', address: null, createdAt: now, lastUsedAt: now, expiresAt: later(60) },
      ...given,
    }
    await storage().trustedBrowsers.add(browser, [])
    return browser
  }

  describe('trusted browsers', () => {
    test('a browser is trusted for its subject until it expires, and its use is stored', async () => {
      const { digest, subject } = await trusted()
      const browsers = storage().trustedBrowsers
      assert.equal(await browsers.use([digest], subject, later(1)), true)
      assert.equal(await browsers.use([digest], newSubject(), later(1)), false)
      assert.equal(await browsers.use([digest], subject, later(60)), false)
      assert.deepEqual(
        (await browsers.allOf(subject, now)).map(each => each.lastUsedAt),
        [later(1)],
      )
      assert.deepEqual(await browsers.allOf(subject, later(60)), [])
    })

    test('a new trust in the same browser replaces the earlier one of the subject only', async () => {
      const { subject, digest } = await trusted()
      const other = await trusted()
      const browsers = storage().trustedBrowsers
      const renewed = { ...other, digest: newDigest(), id: newDigest(), subject }
      await browsers.add(renewed, [digest, other.digest])
      assert.deepEqual(
        (await browsers.allOf(subject, now)).map(each => each.digest),
        [renewed.digest],
      )
      assert.equal(await browsers.use([digest], subject, now), false)
      assert.equal(await browsers.use([digest, renewed.digest], subject, now), true)
      assert.equal(await browsers.use([other.digest], other.subject, now), true)
      assert.equal(await browsers.use([], subject, now), false)
    })

    test('removes one browser of the subject, or all', async () => {
      const { subject, id } = await trusted()
      await trusted({ subject })
      await trusted({ subject })
      const browsers = storage().trustedBrowsers
      assert.equal(await browsers.remove(newSubject(), id), 0)
      assert.equal(await browsers.remove(subject, id), 1)
      assert.equal(await browsers.remove(subject, null), 2)
    })
  })
}

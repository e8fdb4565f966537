import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inSession } from '#lib/ports/change-source.ts'
import type { NewDelivery } from '#lib/ports/outbox.ts'
import type { AuthenticatorApp, TrustedBrowser } from '#lib/ports/second-factors.ts'
import { canonicalUsername } from '#lib/protocol/text/user-names.ts'
import { removeUser } from '../../prisma/identity/put-users.ts'
import type { Host } from '../host.ts'
import { atOnce, winners } from '../races.ts'
import {
  later,
  newDigest,
  newSubject,
  now,
  sampleAuditEntry,
  sampleNotice,
  sampleSession,
  sampleUser,
} from '../samples.ts'

/** Authenticator apps with their recovery codes, and trusted browsers. */
export function secondFactorsContract(host: () => Host): void {
  const storage = () => host().storage
  const isStored = async ({ id }: NewDelivery) => (await storage().outbox.find(id)) !== null

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

    const sent = () => ({ now, form: { id: newDigest(), expiresAt: later(60) }, notices: [] })

    test('an app is stored with its codes, and replaced with them', async () => {
      const stored = await set([newDigest(), newDigest()])
      const { subject } = stored
      assert.deepEqual(await factors().findApp(subject), stored)
      assert.equal(await factors().countRecoveryCodes(subject), 2)
      const mail = sampleNotice()
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
      const mails = Array.from({ length: 20 }, sampleNotice)
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
      const stored = await set()
      const { subject } = stored
      const claim = { now: later(1), notices: [] }
      assert.equal(winners(await atOnce(100, () => factors().claimStep(stored, 101, claim))), 1)
      assert.equal(await factors().claimStep(stored, 100, { ...claim, now: later(2) }), false)
      assert.deepEqual((await factors().findApp(subject))?.lastUsedAt, later(1))
    })

    test('AU-16 the mail about a code is stored only for the caller that uses it', async () => {
      const stored = await set()
      const mails = Array.from({ length: 10 }, sampleNotice)
      const claims = await atOnce(10, index =>
        factors().claimStep(stored, 101, { now, notices: mails.slice(index, index + 1) }),
      )
      assert.equal(winners(claims), 1)
      assert.deepEqual(await Promise.all(mails.map(isStored)), claims)
    })

    test('MF-02 one of a hundred callers uses a recovery code, and one mail is stored', async () => {
      const code = newDigest()
      const { subject } = await set([code, newDigest()])
      const mails = Array.from({ length: 100 }, sampleNotice)
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
      assert.equal(await factors().replaceRecoveryCodes(subject, codes, sent()), 'replaced')
      assert.equal(await factors().countRecoveryCodes(subject), 3)
      assert.equal(await factors().claimRecoveryCode(subject, unused, { now, notices: [] }), false)
    })

    test('MF-02 two forms at the same moment leave the codes of one', async () => {
      for (let round = 0; round < 12; round += 1) {
        const { subject } = await set([newDigest(), newDigest()])
        const sets = [1, 2].map(() => [newDigest(), newDigest(), newDigest()])
        const outcomes = await Promise.all(
          sets.map(codes => factors().replaceRecoveryCodes(subject, codes, sent())),
        )
        assert.deepEqual(outcomes, ['replaced', 'replaced'])
        assert.equal(await factors().countRecoveryCodes(subject), 3)
      }
    })

    test('MF-02 one form replaces the codes once, and a form that replaced nothing can be sent again', async () => {
      const { subject } = await set([newDigest()])
      const form = sent()
      const ended = { ...form, within: inSession(sampleSession()) }
      assert.equal(await factors().replaceRecoveryCodes(subject, [newDigest()], ended), 'gone')
      const duplicate = newDigest()
      await assert.rejects(factors().replaceRecoveryCodes(subject, [duplicate, duplicate], form))
      const outcomes = await atOnce(10, () => factors().replaceRecoveryCodes(subject, [newDigest()], form))
      assert.deepEqual(outcomes.toSorted().slice(-2), ['repeated', 'replaced'])
      assert.equal(await factors().countRecoveryCodes(subject), 1)
      await factors().removeApp(subject, { notices: [] })
      assert.equal(await factors().replaceRecoveryCodes(subject, [newDigest()], sent()), 'gone')
      assert.equal(await factors().countRecoveryCodes(subject), 0)
    })

    test('MF-01 the code of an app that was replaced since it was read is refused', async () => {
      const stored = await set()
      const successor = { ...stored, sealedSecret: 'other' }
      await factors().setApp(successor, { replaces: stored, codes: [], notices: [] })
      assert.equal(await factors().claimStep(stored, 101, { now, notices: [] }), false)
      assert.equal(await factors().claimStep(successor, 101, { now, notices: [] }), true)
    })

    test('removing the app removes its codes and the trusted browsers', async () => {
      const { subject } = await set([newDigest()])
      const browser = await trusted({ subject })
      const mail = sampleNotice()
      const ended = { notices: [], within: inSession(sampleSession()) }
      assert.equal(await factors().removeApp(subject, ended), false, 'in a session that has ended')
      assert.equal(await factors().removeApp(subject, { notices: [mail] }), true)
      assert.equal(await factors().removeApp(subject, { notices: [sampleNotice()] }), false)
      assert.equal(await factors().findApp(subject), null)
      assert.equal(await factors().countRecoveryCodes(subject), 0)
      assert.equal(await storage().trustedBrowsers.use([browser.digest], subject, now), null)
      assert.ok(await isStored(mail))
    })

    test('MF-07 a reset removes the factors of one subject with its mail, and nothing without its audit row', async () => {
      const [{ subject }, { subject: other }] = [await set([newDigest()]), await set([newDigest()])]
      const browser = await trusted({ subject })
      const mail = sampleNotice()
      const write = { kind: 'reset_factors', subject, passkeys: true, notices: [mail] } as const
      await assert.rejects(storage().adminStore.commit({ writes: [write], audit: [] }, now), TypeError)
      assert.notEqual(await factors().findApp(subject), null)
      const change = { writes: [write], audit: [sampleAuditEntry()] }
      assert.deepEqual(await storage().adminStore.commit(change, now), { kind: 'done', changed: 1 })
      assert.equal(await factors().findApp(subject), null)
      assert.equal(await factors().countRecoveryCodes(subject), 0)
      assert.equal(await storage().trustedBrowsers.use([browser.digest], subject, now), null)
      assert.ok(await isStored(mail))
      assert.notEqual(await factors().findApp(other), null)
    })

    test('a deleted user leaves no way to sign in behind', async () => {
      const { subject, username } = sampleUser()
      await host().tables.user.upsert({
        where: { subject },
        update: {},
        create: {
          ...{
            subject,
            username,
            canonicalUsername: canonicalUsername(username),
            enabled: true,
            claims: '{}',
          },
          ...{ version: 1, createdAt: now, updatedAt: now },
        },
      })
      await factors().setApp(app(subject), { replaces: null, codes: [newDigest()], notices: [] })
      const browser = await trusted({ subject })
      assert.equal(await removeUser(host().tables, subject, now), true)
      assert.equal(await factors().findApp(subject), null)
      assert.equal(await factors().countRecoveryCodes(subject), 0)
      assert.equal(await storage().trustedBrowsers.use([browser.digest], subject, now), null)
    })
  })

  const trusted = async (given: Partial<TrustedBrowser> = {}): Promise<TrustedBrowser> => {
    const browser = {
      ...{ digest: newDigest(), id: newDigest(), subject: newSubject() },
      ...{ userAgent: 'Mozilla/5.0', address: null, createdAt: now, lastUsedAt: now, expiresAt: later(60) },
      ...given,
    }
    const { subject } = browser
    const app = { subject, sealedSecret: 'sealed', lastStep: 1, createdAt: now, lastUsedAt: null }
    await storage().secondFactors.setApp(app, { replaces: null, codes: [], notices: [] })
    assert.equal(await storage().trustedBrowsers.add(browser, [], app), true)
    return browser
  }

  describe('trusted browsers', () => {
    test('a browser is trusted for its subject until it expires, and its use is stored', async () => {
      const { digest, subject } = await trusted()
      const browsers = storage().trustedBrowsers
      assert.equal(await browsers.use([digest], subject, later(1)), digest)
      assert.equal(await browsers.use([digest], newSubject(), later(1)), null)
      assert.equal(await browsers.use([digest], subject, later(60)), null)
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
      assert.equal(await browsers.add(renewed, [digest, other.digest], { sealedSecret: 'sealed' }), true)
      assert.deepEqual(
        (await browsers.allOf(subject, now)).map(each => each.digest),
        [renewed.digest],
      )
      assert.equal(await browsers.use([digest], subject, now), null)
      assert.equal(await browsers.use([digest, renewed.digest], subject, now), renewed.digest)
      assert.equal(await browsers.use([other.digest], other.subject, now), other.digest)
      assert.equal(await browsers.use([], subject, now), null)
    })

    test('a browser is not trusted with an app that was removed or replaced since its code was verified', async () => {
      const { subject, ...browser } = await trusted()
      const browsers = storage().trustedBrowsers
      const fresh = { ...browser, subject, digest: newDigest(), id: newDigest() }
      assert.equal(await browsers.add(fresh, [], { sealedSecret: 'earlier' }), false)
      await storage().secondFactors.removeApp(subject, { notices: [] })
      assert.equal(await browsers.add(fresh, [], { sealedSecret: 'sealed' }), false)
      assert.deepEqual(await browsers.allOf(subject, now), [])
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

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Host } from '../host.ts'
import { atOnce } from '../races.ts'
import {
  newSubject,
  now,
  sampleClientRecord,
  sampleConsent,
  sampleGrant,
  samplePartialSignIn,
  sampleProvider,
  sampleReferenceToken,
  sampleSession,
} from '../samples.ts'

export function switchingOffContract(host: () => Host): void {
  describe('disabling clients and providers', () => {
    const configuration = () => host().storage.configuration
    const put = (changes: Parameters<ReturnType<typeof configuration>['apply']>[0]['put']) =>
      configuration().apply({ put: changes, remove: {} }, now)

    test('RT-08 disabling a client revokes what was issued to it, also after it is enabled again', async () => {
      const record = sampleClientRecord()
      const switched = (enabled: boolean) => ({ ...record, metadata: { ...record.metadata, enabled } })
      await put({ clients: [record] })
      const { grants, referenceTokens, tokens, revokedTokens, consents } = host().storage
      const { clientId } = record
      const [grant, other, token] = [
        sampleGrant({ clientId }),
        sampleGrant(),
        sampleReferenceToken({ clientId }),
      ]
      const consent = sampleConsent({ clientId })
      await grants.open(grant)
      await grants.open(other)
      await tokens.store({ grantId: null, referenceToken: token })
      await consents.store(consent)
      await put({ clients: [{ ...record, metadata: { ...record.metadata, client_name: 'Other' } }] })
      assert.equal((await grants.find(grant.id))?.revokedAt, null)
      await put({ clients: [switched(false)] })
      await put({ clients: [switched(true)] })
      assert.deepEqual((await grants.find(grant.id))?.revokedAt, now)
      assert.equal((await grants.find(other.id))?.revokedAt, null)
      assert.equal(await referenceTokens.find(token.digest), null)
      assert.deepEqual((await revokedTokens.findOfOwner(clientId, 'none')).allRevokedAt, now)
      assert.deepEqual(await consents.find(consent.subject, clientId, now), consent)
    })

    type ClientRecord = ReturnType<typeof sampleClientRecord>
    const switched = (record: ClientRecord, enabled: boolean, time = now) => {
      const client = { ...record, metadata: { ...record.metadata, enabled } }
      return configuration().apply({ put: { clients: [client] }, remove: {} }, time)
    }
    type Switch = (record: ClientRecord) => Promise<unknown>
    const pairs: ReadonlyArray<readonly [what: string, off: Switch, on: Switch]> = [
      ['disabled', record => switched(record, false), record => switched(record, true)],
      [
        'deleted',
        ({ clientId }) => configuration().apply({ put: {}, remove: { clients: [clientId] } }, now),
        record => put({ clients: [record] }),
      ],
    ]
    for (const [what, off, on] of pairs) {
      test(`RT-08 what was being issued to a client when it was ${what} is not valid when it is back`, async () => {
        const record = sampleClientRecord()
        const { clientId } = record
        const { grants, referenceTokens, tokens } = host().storage
        await put({ clients: [record] })
        await off(record)
        const [grant, other] = [sampleGrant({ clientId }), sampleGrant()]
        const token = sampleReferenceToken({ clientId })
        await grants.open(grant)
        await grants.open(other)
        await tokens.store({ grantId: null, referenceToken: token })
        await on(record)
        assert.deepEqual((await grants.find(grant.id))?.revokedAt, now)
        assert.equal((await grants.find(other.id))?.revokedAt, null)
        assert.equal(await referenceTokens.find(token.digest), null)
      })
    }

    test('RT-08 signed tokens of a client that were issued before the second of its enabling are not valid', async () => {
      const record = sampleClientRecord()
      const enabledAt = new Date('2030-01-02T03:04:10.978Z')
      const { revokedTokens } = host().storage
      const markedAt = async () => (await revokedTokens.findOfOwner(record.clientId, 'none')).allRevokedAt
      await put({ clients: [record] })
      assert.equal(await markedAt(), null)
      await switched(record, false)
      assert.deepEqual(await markedAt(), now)
      await switched(record, true, enabledAt)
      assert.deepEqual(await markedAt(), new Date('2030-01-02T03:04:09.999Z'))
      await switched(record, false, enabledAt)
      await switched(record, true, enabledAt)
      assert.deepEqual(await markedAt(), enabledAt, 'a later mark stays')
    })

    test('RT-08 disabling or removing a provider ends the sessions and grants of its users', async () => {
      const { sessions, grants, partialSignIns } = host().storage
      const ways = [
        (acme: ReturnType<typeof sampleProvider>) => put({ providers: [{ ...acme, enabled: false }] }),
        ({ scheme }: ReturnType<typeof sampleProvider>) =>
          configuration().apply({ put: {}, remove: { providers: [scheme] } }, now),
      ]
      for (const end of ways) {
        const acme = sampleProvider()
        await put({ providers: [acme] })
        const opened = async (idp: string) => {
          const session = sampleSession({ idp })
          const { subject, sessionId } = session
          const [grant, partial] = [
            sampleGrant({ idp, subject, sessionId, isOffline: true }),
            samplePartialSignIn({ idp }),
          ]
          await sessions.create(session)
          await grants.open(grant)
          await partialSignIns.create(partial)
          return async () => [
            (await sessions.find(session.digest, now)) !== null,
            (await grants.find(grant.id))?.revokedAt === null,
            (await partialSignIns.find(partial.digest, partial.browser, now)) !== null,
          ]
        }
        const [theirs, others] = [await opened(acme.scheme), await opened('latchkey')]
        await put({ providers: [{ ...acme, displayName: 'Other' }] })
        assert.deepEqual(await theirs(), [true, true, true])
        const signIns = () => atOnce(5, () => sessions.create(sampleSession({ idp: acme.scheme, subject })))
        const subject = newSubject()
        await Promise.all([signIns(), end(acme), signIns()])
        assert.deepEqual(await sessions.allOf(subject, now), [], 'no concurrent sign-in survives')
        assert.equal(await sessions.create(sampleSession({ idp: acme.scheme })), false)
        assert.deepEqual(
          [await theirs(), await others()],
          [
            [false, false, false],
            [true, true, true],
          ],
        )
      }
    })
  })
}

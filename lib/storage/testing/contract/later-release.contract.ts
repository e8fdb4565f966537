import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NewDelivery } from '#lib/ports/outbox.ts'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import { defaultPolicies } from '#lib/protocol/registration/policies.ts'
import type { Host } from '../host.ts'
import {
  later,
  newDigest,
  newName,
  now,
  sampleClientRecord,
  sampleCode,
  sampleGrant,
  sampleNotice,
  sampleProvider,
} from '../samples.ts'

const added = { added_later: ['value'] }

/** During a rolling upgrade a node reads rows that a node of the next release has written. */
export function laterReleaseContract(host: () => Host): void {
  describe('rows of the next release', () => {
    const storage = () => host().storage
    const put = async (changes: Parameters<Host['storage']['configuration']['apply']>[0]['put']) =>
      (await storage().configuration.apply({ put: changes, remove: {} }, now)).written

    test('UP-02 an unknown field of a client is ignored, and kept when the client is changed', async () => {
      const record = sampleClientRecord({ client_name: 'Before' })
      const { clientId } = record
      await put({ clients: [record] })
      const where = { clientId }
      const document = async () =>
        JSON.parse((await host().tables.client.findUnique({ where }))?.metadata ?? '')
      const text = JSON.stringify({ ...added, ...(await document()) })
      await host().tables.client.update({ where, data: { metadata: text } })
      assert.equal(await put({ clients: [record] }), 0, 'nothing that is known has changed')
      assert.deepEqual((await storage().adminLists.client(clientId))?.metadata, record.metadata)
      const changed = { ...record, metadata: { ...record.metadata, client_name: 'After' } }
      assert.equal(await put({ clients: [changed] }), 1)
      assert.equal((await storage().clients.find(clientId))?.client.clientName, 'After')
      assert.deepEqual(await document(), { ...changed.metadata, ...added })
      const read = (await storage().configuration.read()).clients.find(one => one.clientId === clientId)
      assert.deepEqual(read?.metadata, changed.metadata)
    })

    test('UP-02 an unknown field of a scope is ignored, and kept when the scope is changed', async () => {
      const name = scopeNameSchema.parse(newName())
      const record = { name, metadata: { name, kind: 'resource' }, secrets: [] }
      await put({ scopes: [record] })
      const where = { name }
      const text = JSON.stringify({ ...added, ...record.metadata })
      await host().tables.scope.update({ where, data: { metadata: text } })
      assert.equal(await put({ scopes: [record] }), 0)
      const changed = { ...record, metadata: { ...record.metadata, display_name: 'After' } }
      assert.equal(await put({ scopes: [changed] }), 1)
      assert.equal((await storage().scopes.find(name))?.scope.displayName, 'After')
      assert.deepEqual((await storage().adminLists.scope(name))?.metadata, changed.metadata)
      const row = await host().tables.scope.findUnique({ where })
      assert.deepEqual(JSON.parse(row?.metadata ?? ''), { ...changed.metadata, ...added })
    })

    test('UP-02 an unknown policy is ignored, and kept when the policies are changed', async () => {
      const changed = { ...defaultPolicies, minimum_password_length: 30 }
      await put({ policies: [changed] })
      const [row] = await host().tables.sitePolicies.findMany()
      const text = JSON.stringify({ ...added, ...JSON.parse(row?.document ?? '') })
      await host().tables.sitePolicies.updateMany({ data: { document: text } })
      assert.equal(await put({ policies: [changed] }), 0)
      const again = { ...changed, minimum_password_length: 31 }
      assert.equal(await put({ policies: [again] }), 1)
      assert.deepEqual(await storage().policies.current(), again)
      const [stored] = await host().tables.sitePolicies.findMany()
      assert.deepEqual(JSON.parse(stored?.document ?? ''), { ...again, ...added })
    })

    test('UP-02 an unknown value of a provider’s preset is ignored, and kept when the provider is changed', async () => {
      const provider = sampleProvider()
      const { scheme } = provider
      await put({ providers: [provider] })
      const where = { scheme }
      const values = async () =>
        JSON.parse((await host().tables.identityProvider.findUnique({ where }))?.presetValues ?? '')
      const before = await values()
      const text = JSON.stringify({ ...added, ...before })
      await host().tables.identityProvider.update({ where, data: { presetValues: text } })
      assert.equal(await put({ providers: [provider] }), 0)
      assert.equal(await put({ providers: [{ ...provider, displayName: 'After' }] }), 1)
      const found = await storage().providers.find(scheme)
      assert.deepEqual(found, { ...provider, displayName: 'After' })
      assert.deepEqual(await values(), { ...before, ...added })
    })

    test('UP-02 an unknown detail of a grant is ignored', async () => {
      const grant = sampleGrant()
      await storage().codes.issue(sampleCode(grant), grant)
      const where = { id: grant.id }
      const row = await host().tables.grant.findUnique({ where })
      const text = JSON.stringify({ ...added, ...JSON.parse(row?.details ?? '') })
      await host().tables.grant.update({ where, data: { details: text } })
      assert.deepEqual(await storage().grants.find(grant.id), { ...grant, account: null })
    })

    test('UP-02 a mail that only the next release can write is left to it, until it is of no use', async () => {
      const { outbox } = storage()
      const mail = (given: Partial<NewDelivery>): NewDelivery => ({
        ...{ ...sampleNotice(), id: `later-${newDigest()}`, createdAt: now, deadlineAt: later(600) },
        ...given,
      })
      const unknown = [
        mail({ content: 'added_later' }),
        mail({ content: 'security_change', detail: 'added_later' }),
      ]
      const known = [
        mail({ content: 'security_change', detail: 'password_changed' }),
        mail({ content: 'security_change' }),
        mail({ content: 'test' }),
      ]
      await outbox.put([...unknown, ...known])
      const leasedAt = async (seconds: number) => {
        const ids: string[] = []
        const asked = { kinds: ['mail'], now: later(seconds), until: later(seconds + 60) } as const
        for (;;) {
          const one = await outbox.lease({ lease: newDigest(), ...asked })
          if (one === null) return ids.filter(id => id.startsWith('later-')).toSorted()
          ids.push(one.id)
        }
      }
      assert.deepEqual(await leasedAt(1), known.map(({ id }) => id).toSorted())
      for (const { id } of unknown) {
        const stored = await outbox.find(id)
        assert.deepEqual([stored?.state, stored?.attempts], ['waiting', 0])
      }
      assert.deepEqual(await leasedAt(601), [...unknown, ...known].map(({ id }) => id).toSorted())
    })
  })
}

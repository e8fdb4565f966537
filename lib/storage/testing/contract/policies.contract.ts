import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultPolicies, type Policies, policiesId } from '#lib/protocol/registration/policies.ts'
import type { Host } from '../host.ts'
import { later, now, sampleAuditEntry } from '../samples.ts'

export function policiesContract(host: () => Host): void {
  const storage = () => host().storage
  const put = (record: Policies, expectedVersion: number) =>
    storage().adminStore.commit(
      {
        writes: [{ kind: 'put', of: 'policies', record, expectedVersion }],
        audit: [sampleAuditEntry()],
      },
      now,
    )
  describe('policies', () => {
    test('are those of a new site until they are set, and every change is read next', async () => {
      assert.deepEqual(await storage().policies.current(), defaultPolicies)
      assert.equal(await storage().adminLists.policies(), null)
      const open: Policies = { ...defaultPolicies, registration: 'open' }
      await storage().configuration.apply({ put: { policies: [open] }, remove: {} }, now)
      assert.deepEqual(await storage().policies.current(), open)
      const dates = { version: 1, createdAt: now, updatedAt: now }
      assert.deepEqual(await storage().adminLists.policies(), { ...open, ...dates })
      assert.deepEqual((await storage().configuration.read()).policies, [open])
      const unchanged = { put: { policies: [open] }, remove: {} }
      assert.equal((await storage().configuration.apply(unchanged, later(1))).written, 0)
    })

    test('are changed only by an admin who saw the stored version', async () => {
      const { version = 0 } = (await storage().adminLists.policies()) ?? {}
      const changed: Policies = { ...defaultPolicies, minimum_password_length: 20 }
      assert.equal((await put(changed, version)).kind, 'done')
      assert.deepEqual(await put(defaultPolicies, version), {
        kind: 'conflict',
        expected: { kind: 'policies', id: policiesId, version },
        reason: null,
      })
      assert.deepEqual(await storage().policies.current(), changed)
    })
  })
}

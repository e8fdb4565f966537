import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAuditHash, verifyAuditChain } from '#lib/crypto/audit-chain.ts'
import type { AuditEntry, Change } from '#lib/ports/admin-store.ts'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { createAdminStore } from '../prisma/admin-store.ts'
import type { Host } from './host.ts'
import { atOnce } from './races.ts'

const now = new Date('2026-03-01T12:00:00Z')

function entry(id: string): AuditEntry {
  return {
    action: 'clients.update',
    actor: subjectIdSchema.parse('admin'),
    actorRole: 'owner',
    targetKind: 'client',
    targetId: id,
    before: null,
    after: { name: id },
    referenceId: '7QK4-M2P9',
    address: '192.0.2.1',
  }
}

function putting(id: string, version: number): Change {
  const clientId = clientIdSchema.parse(id)
  const metadata = { client_id: id, client_name: `${id} ${version}`, grant_types: ['client_credentials'] }
  const changes = { put: { clients: [{ clientId, metadata, secrets: [] }] }, remove: {} }
  const expected = [{ kind: 'client', id: clientId, version }] as const
  return { writes: [{ kind: 'configuration', changes }], expected, audit: [entry(id)] }
}

export function adminStoreContract(host: () => Host): void {
  const auditHash = createAuditHash(Buffer.alloc(32, 7))
  const store = () => createAdminStore(host().tables, auditHash)
  const clearedStore = async () => {
    await host().tables.auditRow.deleteMany({})
    await host().tables.auditHead.deleteMany({})
    return store()
  }

  test('of ten admins who saw the same version one changes it, and nobody is overwritten', async () => {
    const { adminStore } = host().storage
    await adminStore.commit(putting('contended', 0), now)
    const results = await atOnce(10, () => adminStore.commit(putting('contended', 1), now))
    const kinds = results.map(({ kind }) => kind).toSorted()
    assert.deepEqual(kinds, [...Array.from({ length: 9 }, () => 'conflict'), 'done'])
  })

  test('LG-04 twenty commits at once leave one chain without a gap', async () => {
    const { commit, audit } = await clearedStore()
    const { adminStore } = host().storage
    const results = await atOnce(20, index => commit(putting(`chained-${index}`, 0), now))
    assert.ok(results.every(({ kind }) => kind === 'done'))
    assert.deepEqual(await verifyAuditChain(audit, auditHash), { kind: 'intact', rows: 20 })
    assert.deepEqual((await adminStore.audit.list({}, null, 100)).length, 20)
  })

  test('a row that cannot be chained leaves nothing written', async () => {
    const failing = createAdminStore(host().tables, () => {
      throw new Error('no hash')
    })
    await assert.rejects(failing.commit(putting('unchained', 0), now))
    assert.equal(await host().tables.client.findUnique({ where: { clientId: 'unchained' } }), null)
  })

  const tampered: ReadonlyArray<readonly [name: string, tamper: () => Promise<unknown>, seq: number]> = [
    ['edited', () => host().tables.auditRow.update({ where: { seq: 2 }, data: { after: '{}' } }), 2],
    ['removed', () => host().tables.auditRow.delete({ where: { seq: 2 } }), 2],
    ['the last one removed', () => host().tables.auditRow.delete({ where: { seq: 3 } }), 3],
    [
      'given to somebody else',
      () => host().tables.auditRow.update({ where: { seq: 1 }, data: { actor: 'x' } }),
      1,
    ],
  ]
  for (const [name, tamper, seq] of tampered) {
    test(`LG-04 verification names the row that was ${name}`, async () => {
      const { commit, audit } = await clearedStore()
      for (const index of [1, 2, 3]) await commit({ writes: [], audit: [entry(`row ${index}`)] }, now)
      await tamper()
      const verified = await verifyAuditChain(audit, auditHash)
      assert.deepEqual([verified.kind, verified.kind === 'broken' && verified.seq], ['broken', seq])
    })
  }
}

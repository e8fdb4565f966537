import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storage as limits } from '#lib/config/limits.ts'
import { createAuditHash, verifyAuditChain } from '#lib/crypto/audit-chain.ts'
import type { AuditEntry, Change } from '#lib/ports/admin-store.ts'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { createAdminStore } from '../../prisma/administration/admin-store.ts'
import type { Host } from '../host.ts'
import { atOnce } from '../races.ts'
import { sampleAuditEntry, sampleUser } from '../samples.ts'

const now = new Date('2026-03-01T12:00:00Z')

function entry(id: string): AuditEntry {
  const actor = subjectIdSchema.parse('admin')
  return sampleAuditEntry({
    actor,
    actorRole: 'owner',
    targetId: id,
    after: { name: id },
    address: '192.0.2.1',
  })
}

function putting(id: string, version: number): Change {
  const clientId = clientIdSchema.parse(id)
  const metadata = { client_id: id, client_name: `${id} ${version}`, grant_types: ['client_credentials'] }
  const record = { clientId, metadata, secrets: [] }
  return { writes: [{ kind: 'put', of: 'client', record, expectedVersion: version }], audit: [entry(id)] }
}

export function adminStoreContract(host: () => Host): void {
  const auditHash = createAuditHash(Buffer.alloc(32, 7))
  const context = { auditHash, revision: { current: async () => 0, forget: () => {} } }
  const store = () => createAdminStore(host().tables, context)
  const clearedStore = async () => {
    await host().tables.auditRow.deleteMany({})
    await host().tables.auditHead.deleteMany({})
    return store()
  }

  test('of ten concurrent changes of the same version one succeeds', async () => {
    const { adminStore } = host().storage
    await adminStore.commit(putting('contended', 0), now)
    const results = await atOnce(10, () => adminStore.commit(putting('contended', 1), now))
    const kinds = results.map(({ kind }) => kind).toSorted()
    assert.deepEqual(kinds, [...Array.from({ length: 9 }, () => 'conflict'), 'done'])
  })

  test('of ten concurrent replacements of a value one succeeds, and the others leave no row in the audit log', async () => {
    const { adminStore, meta } = host().storage
    await meta.replace('replaced', 'before')
    const audit = [sampleAuditEntry({ targetId: 'replaced' })]
    const results = await atOnce(10, index => {
      const write = { kind: 'replace_value', name: 'replaced', from: 'before', to: `after ${index}` } as const
      return adminStore.commit({ writes: [write], audit }, now)
    })
    const winner = results.findIndex(({ kind }) => kind === 'done')
    assert.deepEqual(results.filter(({ kind }) => kind === 'conflict').length, 9)
    assert.equal(await meta.find('replaced'), `after ${winner}`)
    assert.equal((await adminStore.audit.list({ targetId: 'replaced' }, null, 100)).length, 1)
  })

  test('LG-04 twenty concurrent commits create one complete chain', async () => {
    const { commit, audit } = await clearedStore()
    const { adminStore } = host().storage
    const results = await atOnce(20, index => commit(putting(`chained-${index}`, 0), now))
    assert.ok(results.every(({ kind }) => kind === 'done'))
    const verified = await verifyAuditChain(audit, auditHash)
    assert.deepEqual(verified, { kind: 'intact', rows: 20, hash: (await audit.head())?.hash })
    assert.deepEqual((await adminStore.audit.list({}, null, 100)).length, 20)
  })

  test('LG-04 every change has a row in the audit log', async () => {
    const { writes } = putting('untold', 0)
    await assert.rejects(store().commit({ writes, audit: [] }, now), TypeError)
    assert.equal(await host().tables.client.findUnique({ where: { clientId: 'untold' } }), null)
  })

  test('LG-04 a commit is rolled back if its row cannot be added to the chain', async () => {
    const failing = createAdminStore(host().tables, {
      ...context,
      auditHash: () => {
        throw new Error('no hash')
      },
    })
    await assert.rejects(failing.commit(putting('unchained', 0), now))
    assert.equal(await host().tables.client.findUnique({ where: { clientId: 'unchained' } }), null)
  })

  test('every node reads the changes of a commit', async () => {
    const clientId = clientIdSchema.parse('seen-at-once')
    const { clients, configuration } = host().storage
    assert.equal(await clients.find(clientId), null)
    const before = await configuration.revision()
    assert.equal((await host().storage.adminStore.commit(putting(clientId, 0), now)).kind, 'done')
    assert.equal((await clients.find(clientId))?.client.clientName, 'seen-at-once 0')
    assert.equal(await configuration.revision(), before + 1)
    await host().storage.adminStore.commit({ writes: [], audit: [entry('no change')] }, now)
    assert.equal(await configuration.revision(), before + 1)
  })

  test('a name that another admin has taken is a conflict that names it', async () => {
    const { adminStore } = host().storage
    await adminStore.commit(putting('taken', 0), now)
    const expected = { kind: 'client', id: clientIdSchema.parse('taken'), version: 0 }
    assert.deepEqual(await adminStore.commit(putting('taken', 0), now), {
      kind: 'conflict',
      expected,
      reason: null,
    })
  })

  test('a contradiction to the stored configuration is a conflict with a message and changes nothing', async () => {
    const { adminStore, users } = host().storage
    await adminStore.commit(putting('both', 0), now)
    const user = sampleUser({ subject: subjectIdSchema.parse('both') })
    const write = { kind: 'put', of: 'user', record: user, expectedVersion: 0 } as const
    const { kind, ...committed } = await adminStore.commit({ writes: [write], audit: [entry('both')] }, now)
    assert.equal(kind, 'conflict')
    assert.match('reason' in committed ? (committed.reason ?? '') : '', /already a client_id/)
    assert.equal(await users.findBySubject(user.subject), null)
  })

  test('a commit that loses a race is retried a limited number of times', async () => {
    const { tables } = host()
    const givingWay = (times: number) => {
      let left = times
      const giveWay = async () => {
        left -= 1
        throw Object.assign(new Error('write conflict'), { code: 'P2034' })
      }
      const get = (target: typeof tables, name: string | symbol) =>
        name === '$transaction' && left > 0 ? giveWay : Reflect.get(target, name)
      return createAdminStore(new Proxy(tables, { get }), context)
    }
    await clearedStore()
    const change = { writes: [], audit: [entry('in the end')] }
    assert.equal((await givingWay(limits.commitAttempts - 1).commit(change, now)).kind, 'done')
    await assert.rejects(givingWay(limits.commitAttempts).commit(change, now), /write conflict/)
    assert.equal(await tables.auditRow.count({}), 1)
  })

  test('the audit log is listed newest first, paged, with any filter', async () => {
    const { commit, audit } = await clearedStore()
    for (const id of ['a', 'b', 'a', 'c']) await commit({ writes: [], audit: [entry(id)] }, now)
    const seqs = async (...given: Parameters<typeof audit.list>) =>
      (await audit.list(...given)).map(({ seq }) => seq)
    assert.deepEqual(await seqs({}, null, 3), [4, 3, 2])
    assert.deepEqual(await seqs({}, 2, 3), [1])
    assert.deepEqual(await seqs({ targetKind: 'client', targetId: 'a' }, null, 9), [3, 1])
    assert.deepEqual(await seqs({ targetKind: 'client', targetId: 'a' }, 3, 9), [1])
    assert.deepEqual(await seqs({ actor: subjectIdSchema.parse('unknown') }, null, 9), [])
    assert.deepEqual(await seqs({ action: 'clients.update', targetId: undefined }, null, 9), [4, 3, 2, 1])
    assert.deepEqual(await seqs({ from: now, until: new Date(now.getTime() + 1) }, null, 2), [4, 3])
    assert.deepEqual(await seqs({ until: now }, null, 9), [])
    assert.deepEqual(await seqs({ from: new Date(now.getTime() + 1) }, null, 9), [])
    assert.deepEqual((await audit.find(4))?.after, { name: 'c' })
    assert.equal(await audit.find(5), null)
  })

  test('LG-04 changes are refused after the end of the audit log was deleted', async () => {
    const { commit } = await clearedStore()
    await commit({ writes: [], audit: [entry('row 1')] }, now)
    await host().tables.auditHead.deleteMany({})
    await assert.rejects(commit(putting('after the cut', 0), now), /audit:verify/)
    assert.equal(await host().tables.client.findUnique({ where: { clientId: 'after the cut' } }), null)
    await clearedStore()
  })

  const changed = (seq: number, data: Readonly<Record<string, string | null>>) => () =>
    host().tables.auditRow.update({ where: { seq }, data })
  const swapped = async () => {
    const { auditRow } = host().tables
    for (const [from, to] of [
      [1, 9],
      [2, 1],
      [9, 2],
    ] as const)
      await auditRow.update({ where: { seq: from }, data: { seq: to } })
  }
  const tampered: ReadonlyArray<
    readonly [name: string, tamper: () => Promise<unknown>, seq: number, problem: string]
  > = [
    ['edited', changed(2, { after: '{}' }), 2, 'changed'],
    ['edited so that it cannot be read', changed(2, { after: '{' }), 2, 'changed'],
    ['edited to another text of the same document', changed(2, { after: '{ "name":"row 2"}' }), 2, 'changed'],
    ['given a target that there is not', changed(2, { targetKind: 'nothing' }), 2, 'changed'],
    ['given a role that there is not', changed(3, { actorRole: 'emperor' }), 3, 'changed'],
    ['given to a different actor', changed(1, { actor: 'x' }), 1, 'changed'],
    ['given to an impossible actor', changed(1, { actor: 'a b' }), 1, 'changed'],
    ['given another hash', changed(3, { hash: 'x' }), 3, 'changed'],
    ['removed', () => host().tables.auditRow.delete({ where: { seq: 2 } }), 2, 'missing'],
    ['the last one removed', () => host().tables.auditRow.delete({ where: { seq: 3 } }), 3, 'missing'],
    ['put in another place', swapped, 1, 'changed'],
    ['cut off from the end', () => host().tables.auditHead.deleteMany({}), 3, 'end'],
  ]
  for (const [name, tamper, seq, problem] of tampered) {
    test(`LG-04 verification reports the row that was ${name}`, async () => {
      const { commit, audit } = await clearedStore()
      for (const index of [1, 2, 3]) await commit({ writes: [], audit: [entry(`row ${index}`)] }, now)
      assert.equal((await verifyAuditChain(audit, auditHash)).kind, 'intact')
      await tamper()
      assert.deepEqual(await verifyAuditChain(audit, auditHash), { kind: 'broken', seq, problem })
      assert.equal((await audit.page({}, null, 9)).length, await host().tables.auditRow.count({}))
      await audit.list({}, null, 9)
      await clearedStore()
    })
  }
}

/** The contract of the store for changes of accounts that wait. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NewDelivery } from '#lib/ports/outbox.ts'
import type { PlannedChange } from '#lib/ports/planned-changes.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { canonicalUsername } from '#lib/protocol/text/user-names.ts'
import { removeUser } from '../../prisma/identity/put-users.ts'
import type { Host } from '../host.ts'
import { atOnce } from '../races.ts'
import {
  later,
  newDigest,
  newSubject,
  now,
  sampleAuditEntry,
  sampleClientRecord,
  sampleSession,
  sampleUser,
} from '../samples.ts'

export function plannedChangeContract(host: () => Host): void {
  const storage = () => host().storage
  const changes = () => storage().plannedChanges
  const notice = (): NewDelivery => ({
    ...{ id: `p-${newDigest()}`, kind: 'mail', target: 'alice@example.org', content: 'test' },
    ...{ sealedBody: 'sealed', createdAt: now, deadlineAt: later(3600) },
  })
  const isStored = async ({ id }: NewDelivery) => (await storage().outbox.find(id)) !== null
  const winners = (results: readonly boolean[]) => results.filter(Boolean).length
  const planned = async (given: Partial<PlannedChange> = {}) => {
    const waiting = { subject: newSubject(), createdAt: now, dueAt: later(60) }
    const change = { ...waiting, kind: 'remove_passkeys', ...given } as const
    assert.equal(await changes().plan(change, []), true)
    return change
  }
  const addPasskey = async ({ subject, createdAt }: Pick<PlannedChange, 'subject' | 'createdAt'>) => {
    const id = newDigest()
    const passkey = {
      ...{ id, subject, idp: 'latchkey', publicKey: 'key', signatureCounter: 0, transports: [] },
      ...{ isBackedUp: false, canBeBackedUp: true, isDiscoverable: null, aaguid: '', name: 'Laptop' },
      ...{ createdAt, lastUsedAt: null },
    }
    assert.equal(await storage().passkeys.add(passkey, { most: 10, notices: [] }), 'added')
    return id
  }
  const deleteAccount = async (change: PlannedChange) => {
    const entry = sampleAuditEntry({
      action: 'users.delete_own',
      targetKind: 'user',
      targetId: change.subject,
    })
    const writes = [{ kind: 'delete_account', change, notices: [] } as const]
    return (await storage().adminStore.commit({ writes, audit: [entry] }, later(60))).kind === 'done'
  }
  const usePasskey = (id: string, at: Date) =>
    storage().passkeys.recordUse({ id, before: 0, signatureCounter: 0, isBackedUp: false }, at)
  const addUser = async () => {
    const { subject, username } = sampleUser()
    const names = {
      subject,
      username,
      canonicalUsername: canonicalUsername(username),
      enabled: true,
      claims: '{}',
    }
    await host().tables.user.create({ data: { ...names, version: 1, createdAt: now, updatedAt: now } })
    return subject
  }

  describe('planned changes of accounts', () => {
    test('a change is listed for its subject until it is canceled, with the mails about both', async () => {
      const [begin, end] = [notice(), notice()]
      const { subject } = await planned({ dueAt: later(120) })
      const earlier = { subject, kind: 'delete_account', createdAt: now, dueAt: later(60) } as const
      assert.equal(await changes().plan(earlier, [begin]), true)
      assert.deepEqual(
        (await changes().allOf(subject)).map(({ kind }) => kind),
        ['delete_account', 'remove_passkeys'],
      )
      assert.equal(await changes().cancel(earlier, [end]), true)
      assert.equal(await changes().cancel(earlier, [notice()]), false)
      assert.deepEqual(
        (await changes().allOf(subject)).map(({ kind }) => kind),
        ['remove_passkeys'],
      )
      assert.deepEqual(await Promise.all([begin, end].map(isStored)), [true, true])
    })

    test('planning a change again keeps the first one and its time, and stores no mail', async () => {
      const change = await planned()
      const mail = notice()
      assert.equal(await changes().plan({ ...change, createdAt: later(1), dueAt: later(1) }, [mail]), false)
      assert.deepEqual(await changes().allOf(change.subject), [change])
      assert.equal(await isStored(mail), false)
    })

    test('one of twenty concurrent callers plans a change, and one cancels it', async () => {
      const waiting = { subject: newSubject(), createdAt: now, dueAt: later(60) }
      const change = { ...waiting, kind: 'delete_account' } as const
      assert.equal(winners(await atOnce(20, () => changes().plan(change, []))), 1)
      assert.equal(winners(await atOnce(20, () => changes().cancel(change, []))), 1)
    })

    test('lists the due changes, those that have been due longest first', async () => {
      const second = await planned({ dueAt: later(-1) })
      const first = await planned({ dueAt: later(-2) })
      await planned({ dueAt: later(1) })
      const subjects = new Set<string>([first.subject, second.subject])
      await planned({ ...first, kind: 'delete_account' })
      const due = async (after: PlannedChange | null, most = 1000) =>
        (await changes().due('remove_passkeys', { until: now, after, most })).filter(({ subject }) =>
          subjects.has(subject),
        )
      assert.deepEqual(await due(null), [first, second], 'only those of the kind')
      assert.deepEqual(await due(first), [second])
      assert.deepEqual(await due(second), [])
      const one = await changes().due('remove_passkeys', { until: now, after: null, most: 1 })
      assert.equal(one.length, 1)
    })

    test('one of a hundred callers removes lost passkeys, and stores its mail', async () => {
      const change = await planned()
      const other = await addPasskey({ subject: newSubject(), createdAt: now })
      await addPasskey(change)
      const mails = Array.from({ length: 100 }, notice)
      const results = await atOnce(100, index =>
        changes().removePasskeys(change, { now: later(60), notices: mails.slice(index, index + 1) }),
      )
      assert.equal(winners(results), 1)
      assert.deepEqual(await Promise.all(mails.map(isStored)), results)
      assert.deepEqual(await storage().passkeys.allOf(change.subject), [])
      assert.deepEqual(await changes().allOf(change.subject), [])
      assert.notEqual(await storage().passkeys.find(other), null)
    })

    test('a canceled change, and one that was planned again, is not carried out', async () => {
      const change = await planned()
      await addPasskey(change)
      await changes().cancel(change, [])
      assert.equal(await changes().removePasskeys(change, { now: later(60), notices: [] }), false)
      await changes().plan({ ...change, createdAt: later(1) }, [])
      assert.equal(await changes().removePasskeys(change, { now: later(60), notices: [] }), false)
      assert.equal((await storage().passkeys.allOf(change.subject)).length, 1)
    })

    test('the use of a passkey ends the removal, which can then be planned again', async () => {
      const change = await planned()
      const id = await addPasskey(change)
      await usePasskey(id, later(-1))
      assert.equal((await changes().allOf(change.subject)).length, 1)
      await usePasskey(id, later(1))
      assert.deepEqual(await changes().allOf(change.subject), [])
      const again = { ...change, createdAt: later(2), dueAt: later(62) }
      assert.equal(await changes().plan(again, []), true)
      assert.deepEqual(await changes().allOf(change.subject), [again])
      await usePasskey(id, later(3))
      assert.equal(await changes().removePasskeys(again, { now: later(62), notices: [notice()] }), false)
      assert.notEqual(await storage().passkeys.find(id), null)
    })

    test('a passkey that was added after the change was planned stays', async () => {
      const change = await planned()
      const added = await addPasskey({ ...change, createdAt: later(1) })
      const mail = notice()
      assert.equal(await changes().removePasskeys(change, { now: later(60), notices: [mail] }), false)
      assert.notEqual(await storage().passkeys.find(added), null)
      assert.equal(await isStored(mail), false)
    })

    test('deletes the account with its planned changes, also one of another user service, whose sessions and grants end', async () => {
      for (const subject of [await addUser(), newSubject()]) {
        const change = await planned({ subject, kind: 'delete_account' })
        const id = await addPasskey(change)
        await planned({ subject })
        const session = sampleSession({ subject })
        await storage().sessions.create(session)
        assert.equal(await deleteAccount(change), true)
        assert.equal(await storage().users.findBySubject(subject), null)
        assert.equal(await storage().passkeys.find(id), null)
        assert.deepEqual(await storage().sessions.allOf(subject, now), [])
        assert.deepEqual(await changes().allOf(subject), [])
        const [row] = await storage().adminStore.audit.list({ targetId: subject }, null, 1)
        assert.equal(row?.action, 'users.delete_own')
        const client = { ...sampleClientRecord(), clientId: clientIdSchema.parse(subject) }
        const metadata = { ...client.metadata, client_id: subject }
        const put = {
          kind: 'put',
          of: 'client',
          record: { ...client, metadata },
          expectedVersion: 0,
        } as const
        const taken = await storage().adminStore.commit({ writes: [put], audit: [sampleAuditEntry()] }, now)
        assert.equal(taken.kind, 'conflict', 'AD-03: apps still know the subject')
      }
    })

    test('of callers who delete an account and callers who cancel that, one decides, and only a deletion has an audit row', async () => {
      const change = await planned({ kind: 'delete_account' })
      const results = await atOnce(20, index =>
        index % 2 === 0 ? deleteAccount(change) : changes().cancel(change, []),
      )
      assert.equal(winners(results), 1)
      const rows = await storage().adminStore.audit.list({ targetId: change.subject }, null, 10)
      assert.equal(rows.length, winners(results.filter((_, index) => index % 2 === 0)))
    })

    test('one of twenty callers starts a change, which can then not be canceled, and again one after the time', async () => {
      const change = await planned({ kind: 'delete_account' })
      const start = (at: Date) => changes().start(change, { now: at, repeatSeconds: 300 })
      assert.equal(winners(await atOnce(20, () => start(later(60)))), 1)
      assert.equal(await changes().cancel(change, [notice()]), false)
      assert.deepEqual(await changes().allOf(change.subject), [{ ...change, startedAt: later(60) }])
      assert.equal(await start(later(359)), false)
      assert.equal(winners(await atOnce(20, () => start(later(360)))), 1)
      assert.equal(await deleteAccount(change), true)
    })

    test('a canceled change, and one that was planned again, is not started', async () => {
      const change = await planned({ kind: 'delete_account' })
      const start = () => changes().start(change, { now: later(60), repeatSeconds: 300 })
      assert.equal(await changes().cancel(change, []), true)
      assert.equal(await start(), false)
      await changes().plan({ ...change, createdAt: later(1) }, [])
      assert.deepEqual([await start(), await deleteAccount(change)], [false, false])
    })

    test('a deleted user leaves no planned change behind', async () => {
      const subject = await addUser()
      await planned({ subject })
      await removeUser(host().tables, subject, now)
      assert.deepEqual(await changes().allOf(subject), [])
    })
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdminWrite } from '#lib/ports/admin-store.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import type { Digest } from '#lib/protocol/ids.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { Host } from '../host.ts'
import { atOnce } from '../races.ts'
import { sampleAuditEntry, sampleUser } from '../samples.ts'

const now = new Date('2026-03-01T12:00:00Z')
const subject = (name: string) => subjectIdSchema.parse(name)

function audited(writes: readonly AdminWrite[]) {
  return { writes, audit: [sampleAuditEntry({ action: 'administrators.set_role' })] }
}

export function administrationContract(host: () => Host): void {
  const put = (name: string, role: AdminRole): AdminWrite => ({
    kind: 'put_administrator',
    subject: subject(name),
    role,
  })
  const remove = (name: string): AdminWrite => ({ kind: 'remove_administrator', subject: subject(name) })
  const onlyOwners = async (...names: readonly string[]) => {
    await host().tables.administrator.deleteMany({})
    await host().storage.adminStore.commit(audited(names.map(name => put(name, 'owner'))), now)
  }

  test('AD-06 the last owner can be neither removed nor given another role', async () => {
    await onlyOwners('only')
    for (const write of [remove('only'), put('only', 'auditor')]) {
      assert.deepEqual(await host().storage.adminStore.commit(audited([write]), now), { kind: 'last_owner' })
    }
    assert.equal((await host().storage.administrators.find(subject('only')))?.role, 'owner')
  })

  test('AD-06 when two owners remove each other concurrently, one remains', async () => {
    await onlyOwners('left', 'right')
    const { adminStore, administrators } = host().storage
    const results = await atOnce(2, index =>
      adminStore.commit(audited([remove(index === 0 ? 'left' : 'right')]), now),
    )
    assert.deepEqual(results.map(({ kind }) => kind).toSorted(), ['done', 'last_owner'])
    assert.equal((await administrators.all()).length, 1)
  })

  test('AD-06 the last owner cannot be disabled, and a client does not count as an owner', async () => {
    const user = sampleUser({ subject: subject('lone'), username: 'lone', passwordHash: null })
    await host().storage.configuration.apply({ put: { users: [user] }, remove: {} }, now)
    await onlyOwners('lone')
    const record = { ...user, enabled: false }
    const write = { kind: 'put', of: 'user', record, expectedVersion: 1 } as const
    assert.deepEqual(await host().storage.adminStore.commit(audited([write]), now), { kind: 'last_owner' })
    assert.equal((await host().storage.users.findBySubject(user.subject))?.enabled, true)
  })

  test('an invitation that is accepted concurrently creates one administrator', async () => {
    await onlyOwners('owner')
    const digest = 'invitation-digest' as Digest
    const invitation = {
      digest,
      role: 'auditor',
      createdBy: null,
      createdAt: now,
      expiresAt: secondsAfter(now, 60),
    } as const
    const { adminStore, administrators } = host().storage
    await adminStore.commit(audited([{ kind: 'put_invitation', invitation }]), now)
    const results = await atOnce(10, index => {
      const write = {
        kind: 'accept_invitation',
        digest,
        subject: subject(`guest-${index}`),
        newUser: null,
      } as const
      return adminStore.commit(audited([write]), now)
    })
    assert.equal(results.filter(({ kind }) => kind === 'done').length, 1)
    assert.equal(results.filter(({ kind }) => kind === 'gone').length, 9)
    assert.equal((await administrators.all()).length, 2)
  })

  test('stored form state is returned once, to the same admin session', async () => {
    const { adminPageStates } = host().storage
    const [digest, sessionDigest] = ['state-digest' as Digest, 'visit-digest' as Digest]
    await adminPageStates.create({
      digest,
      sessionDigest,
      sealedContent: 'x',
      expiresAt: secondsAfter(now, 60),
    })
    assert.equal(await adminPageStates.take(digest, 'other' as Digest, now), null)
    assert.equal(await adminPageStates.find(digest, sessionDigest, secondsAfter(now, 61)), null)
    const taken = await atOnce(10, () => adminPageStates.take(digest, sessionDigest, now))
    assert.equal(taken.filter(state => state !== null).length, 1)
  })
}

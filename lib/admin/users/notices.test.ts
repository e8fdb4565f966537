/** Tests the mails to a user whose account an administrator changed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryContext } from '#lib/ports/outbox.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { resetFactors } from './factors.ts'
import { resetPassword, updateUser } from './write-users.ts'

test('AU-16 a changed address causes mails to the old and the new one, if they are verified, without a link to take it back', async t => {
  const opened = await openAdminTestPorts()
  t.after(() => opened.close())
  const { ports } = opened
  const support = await opened.caller('user_support')
  const { subject: sub } = await opened.addUser('ann', {
    password: 'a first password',
    claims: { email: 'old@example.org', email_verified: true },
  })
  const change = async (email: string, email_verified: boolean, name = 'Ann') => {
    const version = (await ports.adminLists.user(sub))?.version ?? 0
    const claims = { name, email, email_verified }
    const result = await updateUser.call(ports, { sub, version, username: 'ann', claims }, support)
    assert.equal(result.kind, 'ok')
    return newMails(opened)
  }
  assert.deepEqual(await change('new@example.org', true), [
    'new@example.org email_changed false',
    'old@example.org email_changed false',
  ])
  assert.deepEqual(await change('new@example.org', true, 'Anna'), [])
  assert.deepEqual(await change('unsure@example.org', false), ['new@example.org email_changed false'])
  assert.deepEqual(await change('other@example.org', false), [])
})

test('AU-16 the mails about a reset by an administrator have no link to take it back', async t => {
  const opened = await openAdminTestPorts()
  t.after(() => opened.close())
  const owner = await opened.caller('owner')
  const { subject: sub } = await opened.addUser('ben', {
    password: 'a first password',
    claims: { email: 'ben@example.org', email_verified: true },
  })
  const reset = await resetPassword.call(opened.ports, { sub }, owner)
  assert.equal(reset.kind, 'ok')
  assert.deepEqual(await newMails(opened), ['ben@example.org password_reset false'])
  const createdAt = opened.ports.clock.now()
  const app = { subject: sub, sealedSecret: 'sealed', lastStep: 1, createdAt, lastUsedAt: null }
  await opened.storage.secondFactors.setApp(app, { replaces: null, codes: [], notices: [] })
  const choices = { sub, passkeys: true, sign_out: false }
  assert.equal((await resetFactors.call(opened.ports, choices, owner)).kind, 'ok')
  assert.deepEqual(await newMails(opened), ['ben@example.org factors_reset false app'])
})

test('AU-16 the mail about reset factors names those that were removed', async t => {
  const opened = await openAdminTestPorts()
  t.after(() => opened.close())
  const { ports, storage } = opened
  const owner = await opened.caller('owner')
  const claims = { email: 'cora@example.org', email_verified: true }
  const { subject: sub } = await opened.addUser('cora', { password: 'a first password', claims })
  const createdAt = ports.clock.now()
  const addApp = () => {
    const app = { subject: sub, sealedSecret: 'sealed', lastStep: 1, createdAt, lastUsedAt: null }
    return storage.secondFactors.setApp(app, { replaces: null, codes: [], notices: [] })
  }
  const addPasskey = (id: string) => {
    const flags = { isBackedUp: false, canBeBackedUp: false, isDiscoverable: true, signatureCounter: 0 }
    const facts = { idp: 'latchkey', name: 'Key', publicKey: '', transports: [], aaguid: '' }
    const passkey = { id, subject: sub, ...flags, ...facts, createdAt, lastUsedAt: null }
    return storage.passkeys.add(passkey, { most: 20, notices: [] })
  }
  const reset = async (passkeys: boolean) => {
    assert.equal((await resetFactors.call(ports, { sub, passkeys, sign_out: false }, owner)).kind, 'ok')
    return newMails(opened)
  }
  await addApp()
  await addPasskey('one')
  assert.deepEqual(await reset(false), ['cora@example.org factors_reset false app'])
  assert.deepEqual(await reset(true), ['cora@example.org factors_reset false passkeys'])
  await addApp()
  await addPasskey('two')
  assert.deepEqual(await reset(true), ['cora@example.org factors_reset false both'])
})

/**
 * Returns address, change, whether there is a link to take it back, and the removed factors, of each mail since the last call.
 */
async function newMails({ ports, storage }: AdminTestPorts): Promise<readonly string[]> {
  const sent: string[] = []
  const { now } = ports.clock
  for (;;) {
    const leased = await storage.outbox.lease({ lease: 't', kinds: ['mail'], now: now(), until: now() })
    if (leased === null) return sent.toSorted()
    const { to, values } = JSON.parse(ports.sealing.open(leased.sealedBody, deliveryContext(leased.id)))
    const { change, removed = '' } = values
    sent.push(`${to} ${change} ${'undo' in values} ${removed}`.trim())
    await storage.outbox.settle(
      leased,
      { state: 'delivered', status: 250, answer: 'ok', nextAt: null },
      now(),
    )
  }
}

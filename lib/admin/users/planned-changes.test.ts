import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { MailBody } from '#lib/ports/mail.ts'
import { deliveryContext } from '#lib/ports/outbox.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { Caller } from '../use-case.ts'
import { cancelPlannedChange, listPlannedChanges } from './planned-changes.ts'

let opened: AdminTestPorts
let support: Caller
before(async () => {
  opened = await openAdminTestPorts()
  support = await opened.caller('user_support')
})
after(() => opened.close())

test('admins see what a user has planned, and cancel it once, with an audit row', async () => {
  const { ports } = opened
  const claims = { email: 'planning@example.org', email_verified: true }
  const { subject: sub } = await opened.addUser('planning', { claims })
  const createdAt = ports.clock.now()
  const dueAt = secondsAfter(createdAt, 1000)
  for (const kind of ['remove_passkeys', 'delete_account'] as const)
    assert.ok(await ports.plannedChanges.plan({ subject: sub, kind, createdAt, dueAt }, []))
  const kinds = async () => {
    const listed = await listPlannedChanges.call(ports, { sub }, support)
    assert.ok(listed.kind === 'ok')
    return listed.value.items.map(({ kind }) => kind).toSorted()
  }
  assert.deepEqual(await kinds(), ['delete_account', 'remove_passkeys'])
  const cancel = () => cancelPlannedChange.call(ports, { sub, kind: 'delete_account' }, support)
  assert.equal((await cancel()).kind, 'ok')
  assert.deepEqual(await kinds(), ['remove_passkeys'])
  assert.equal((await cancel()).kind, 'not_found')
  const [row] = await ports.adminStore.audit.list({ targetId: sub }, null, 1)
  assert.equal(row?.action, 'users.cancel_planned_change')
  assert.equal((await cancelPlannedChange.call(ports, { sub, kind: 'remove_passkeys' }, support)).kind, 'ok')
  const mails = await sentTo('planning@example.org')
  assert.deepEqual(
    mails.map(({ content }) => content),
    ['account_deletion', 'security_change'],
  )
  const [deletion, passkeys] = mails.map(({ values }) => values)
  assert.deepEqual([deletion?.occasion, deletion?.link], ['kept_by_administrator', ''])
  assert.deepEqual(Object.keys(passkeys ?? {}).toSorted(), ['at', 'change'], 'no link to take it back')
})

/** Takes the mails to this address out of the outbox. */
async function sentTo(address: string): Promise<readonly MailBody[]> {
  const { clock, sealing, outbox } = opened.ports
  const mails: MailBody[] = []
  for (;;) {
    const now = clock.now()
    const leased = await outbox.lease({ lease: 'test', kinds: ['mail'], now, until: secondsAfter(now, 60) })
    if (leased === null) return mails.filter(({ to }) => to === address)
    mails.push(JSON.parse(sealing.open(leased.sealedBody, deliveryContext(leased.id))))
  }
}

test('a change that has started is listed as such, and cannot be canceled', async () => {
  const { ports } = opened
  const { subject: sub } = await opened.addUser('started')
  const createdAt = ports.clock.now()
  const planned = { subject: sub, kind: 'delete_account', createdAt, dueAt: createdAt } as const
  await ports.plannedChanges.plan(planned, [])
  const listed = async () => {
    const list = await listPlannedChanges.call(ports, { sub }, support)
    assert.ok(list.kind === 'ok')
    return list.value.items.map(({ started_at }) => started_at)
  }
  assert.deepEqual(await listed(), [null])
  assert.ok(await ports.plannedChanges.start(planned, { now: createdAt, repeatSeconds: 9 }))
  assert.deepEqual(await listed(), [createdAt.toISOString()])
  const canceled = await cancelPlannedChange.call(ports, { sub, kind: 'delete_account' }, support)
  assert.deepEqual(canceled, { kind: 'denied', reason: 'It has started, and can no longer be canceled.' })
})

test('AD-03 a change that an administrator planned is canceled only by owners', async () => {
  const { ports } = opened
  const { subject: sub } = (await opened.caller('auditor')).actor
  const createdAt = ports.clock.now()
  const planned = {
    subject: sub,
    kind: 'delete_account',
    createdAt,
    dueAt: secondsAfter(createdAt, 9),
  } as const
  await ports.plannedChanges.plan(planned, [])
  const cancel = (caller: Caller) => cancelPlannedChange.call(ports, { sub, kind: 'delete_account' }, caller)
  assert.equal((await cancel(support)).kind, 'denied')
  assert.equal((await cancel(await opened.caller('owner'))).kind, 'ok')
})

/** Tests the deletion of accounts by their users, with a clock that can be moved. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { context, withPolicies } from '#lib/core/testing/ports.ts'
import type { MailBody } from '#lib/ports/mail.ts'
import { deliveryContext } from '#lib/ports/outbox.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { keepAccountPath } from '#lib/protocol/wire/local-paths.ts'
import { signIn } from '../sign-in.ts'
import { form, openTestSignIn, type TestSignIn } from '../testing/sign-in.ts'
import { carryOutDeletions } from './carry-out.ts'
import { answerKeepAccount, deletionOfLink, keepAccountView, keepByLink } from './keep-account.ts'
import { keepAccount, ownDeletion, planDeletion } from './own-deletion.ts'

const password = 'a quiet harbor at night'
const days = 14
let setup: TestSignIn
let users = 0

before(async () => {
  setup = await openTestSignIn({ mail: { kind: 'folder', folder: 'none' } })
})
after(() => setup.close())

async function newUser() {
  users += 1
  const username = `leaver-${users}`
  const email = `${username}@example.org`
  const { subject } = await setup.addUser(username, { password, claims: { email, email_verified: true } })
  const session = await setup.openSession(subject)
  const exists = async () => (await setup.ports.users.findBySubject(subject)) !== null
  const plan = () => planDeletion(setup.ports, { session, typed: username }, context)
  const mails = async () => (await takeMails()).filter(({ to }) => to === email).map(({ values }) => values)
  return { username, subject, session, exists, plan, mails }
}

/** Takes the mails out of the outbox. */
async function takeMails(): Promise<MailBody[]> {
  const { clock, sealing } = setup.ports
  const mails: MailBody[] = []
  for (;;) {
    const now = clock.now()
    const until = secondsAfter(now, 31_536_000)
    const leased = await setup.storage.outbox.lease({ lease: 'test', kinds: ['mail'], now, until })
    if (leased === null) return mails
    mails.push(JSON.parse(sealing.open(leased.sealedBody, deliveryContext(leased.id))))
  }
}

const carryOut = (ports: Ports) =>
  carryOutDeletions({ ...ports, adminStore: setup.storage.adminStore }, context)
const maintain = () => carryOut(setup.ports)

test('an account is deleted after the days of the policy, and not before', async () => {
  const { plan, exists, subject, mails, session } = await newUser()
  assert.deepEqual(await ownDeletion(setup.ports, session), {
    kind: 'possible',
    username: `leaver-${users}`,
    days,
  })
  assert.equal(await plan(), 'planned')
  assert.equal((await ownDeletion(setup.ports, session))?.kind, 'planned')
  setup.advance(days * 86_400 - 1)
  await maintain()
  assert.equal(await exists(), true)
  setup.advance(1)
  await maintain()
  assert.equal(await exists(), false)
  assert.deepEqual(await setup.ports.sessions.allOf(subject, setup.ports.clock.now()), [])
  assert.deepEqual(await setup.ports.plannedChanges.allOf(subject), [])
  assert.deepEqual(
    (await mails()).map(({ occasion }) => occasion),
    ['planned', 'soon', 'deleted'],
  )
  const { name, subject: named } = setup.events.at(-1) ?? {}
  assert.deepEqual([name, named], ['account_deleted', undefined], 'LG-07')
})

test('the user name must be typed, in any case, and a second request does not move the time', async () => {
  const { session, plan, username } = await newUser()
  const typed = (text: string) => planDeletion(setup.ports, { session, typed: text }, context)
  for (const text of ['', 'alice', `${username}x`]) assert.equal(await typed(text), 'wrong_name')
  assert.equal((await ownDeletion(setup.ports, session))?.kind, 'possible')
  assert.equal(await typed(` ${username.toUpperCase()} `), 'planned')
  const first = await ownDeletion(setup.ports, session)
  setup.advance(3600)
  assert.equal(await plan(), 'planned')
  assert.deepEqual(await ownDeletion(setup.ports, session), first)
})

test('the link of the mail keeps the account once, and does not cancel a later deletion', async () => {
  const { plan, mails, session, exists } = await newUser()
  await plan()
  const [{ link = '' } = {}] = await mails()
  assert.ok(await deletionOfLink(setup.ports, link))
  assert.equal(await keepByLink(setup.ports, link, context), true)
  assert.equal(await keepByLink(setup.ports, link, context), false)
  assert.deepEqual(
    (await mails()).map(({ occasion }) => occasion),
    ['kept'],
  )
  setup.advance(60)
  await plan()
  assert.equal(await deletionOfLink(setup.ports, link), null)
  assert.equal(await keepByLink(setup.ports, link, context), false)
  assert.equal(await deletionOfLink(setup.ports, 'forged'), null)
  assert.equal((await ownDeletion(setup.ports, session))?.kind, 'planned')
  setup.advance(days * 86_400)
  await maintain()
  assert.equal(await exists(), false)
})

test('of many who keep or carry out a due deletion at the same time, one decides', async () => {
  const { plan, exists, subject } = await newUser()
  await plan()
  setup.advance(days * 86_400 - 1)
  const kept = await Promise.all(Array.from({ length: 20 }, () => keepAccount(setup.ports, subject, context)))
  assert.equal(kept.filter(Boolean).length, 1)
  await plan()
  setup.advance(days * 86_400)
  assert.equal(await keepAccount(setup.ports, subject, context), false, 'it is due')
  const before = setup.events.length
  await Promise.all(Array.from({ length: 20 }, maintain))
  assert.equal(await exists(), false)
  const recorded = setup.events.slice(before).filter(({ name }) => name === 'account_deleted')
  assert.equal(recorded.length, 1)
})

test('administrators and users of the configuration file cannot delete their account, and keep it if they become one', async () => {
  const { session, plan, exists, subject } = await newUser()
  const managed = { ...setup.ports, managedUsers: { has: async () => true } }
  assert.deepEqual(await ownDeletion(managed, session), { kind: 'impossible', why: 'managed' })
  const appointed = { subject, role: 'auditor', createdAt: new Date(0), lastSeenAt: null } as const
  const administrators = { find: async () => appointed, all: async () => [appointed] }
  const administered = { ...setup.ports, administrators }
  assert.deepEqual(await ownDeletion(administered, session), { kind: 'impossible', why: 'administrator' })
  const refused = await planDeletion(administered, { session, typed: `leaver-${users}` }, context)
  assert.equal(refused, 'unavailable')
  await plan()
  setup.advance(days * 86_400)
  await carryOut(administered)
  assert.equal(await exists(), true)
  assert.deepEqual(await setup.ports.plannedChanges.allOf(subject), [])
})

test('without the policy, or with a user service that cannot delete, nothing is offered', async () => {
  const { session } = await newUser()
  const off = { ...setup.ports, policies: withPolicies({ users_delete_accounts: false }) }
  assert.equal(await ownDeletion(off, session), null)
  const { deletion: _left, ...others } = setup.ports.userService
  assert.equal(await ownDeletion({ ...setup.ports, userService: others }, session), null)
})

/** Ports with a custom user service whose part of an account `remove` deletes. */
function withRemove(remove: (subject: string) => Promise<void>): Ports {
  const deletion = { nameOf: async () => null, remove }
  return { ...setup.ports, userService: { ...setup.ports.userService, deletion } }
}

test('a custom user service deletes its account first, and is asked again after five minutes if that fails', async () => {
  const { subject, plan, exists, session } = await newUser()
  await plan()
  setup.advance(days * 86_400)
  const asked: string[] = []
  const ports = withRemove(async given => {
    asked.push(given)
    if (asked.length === 1) throw new Error('away')
  })
  await assert.rejects(carryOut(ports), /away/)
  setup.advance(299)
  await carryOut(ports)
  assert.deepEqual([asked, await exists()], [[subject], true])
  assert.equal((await ownDeletion(ports, session))?.kind, 'planned')
  assert.equal(await setup.ports.plannedChanges.cancel({ subject, kind: 'delete_account' }, []), false)
  setup.advance(1)
  await carryOut(ports)
  assert.deepEqual([asked, await exists()], [[subject, subject], false])
})

test('a deletion that is canceled while it is carried out deletes nothing of a custom user service, or everything', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { subject, plan, exists } = await newUser()
    await plan()
    setup.advance(days * 86_400)
    const removed: string[] = []
    const ports = withRemove(async given => {
      assert.equal(await setup.ports.plannedChanges.cancel({ subject, kind: 'delete_account' }, []), false)
      removed.push(given)
    })
    const canceled = setup.ports.plannedChanges.cancel({ subject, kind: 'delete_account' }, [])
    await Promise.all([carryOut(ports), carryOut(ports), canceled])
    assert.deepEqual([removed, await exists()], (await canceled) ? [[], true] : [[subject], false])
  }
})

test('a deletion that fails does not keep later ones, also those behind the first hundred', async () => {
  const { exists, plan } = await newUser()
  const now = setup.ports.clock.now()
  const subjects = Array.from({ length: 100 }, (_, index) =>
    subjectIdSchema.parse(`failing-${users}-${index}`),
  )
  for (const subject of subjects)
    await setup.ports.plannedChanges.plan({ subject, kind: 'delete_account', createdAt: now, dueAt: now }, [])
  await plan()
  setup.advance(days * 86_400)
  const ports = withRemove(async given => {
    if (subjects.some(subject => subject === given)) throw new Error('away')
  })
  await assert.rejects(carryOut(ports), /away/)
  assert.equal(await exists(), false)
})

test('a deletion by the user has an audit row, whose actor is the user', async () => {
  const { subject, plan } = await newUser()
  await plan()
  setup.advance(days * 86_400)
  await Promise.all([maintain(), maintain(), maintain()])
  const rows = await setup.storage.adminStore.audit.list({ targetId: subject }, null, 10)
  assert.deepEqual(
    rows.map(({ action, actor, actorRole, targetKind }) => [action, actor, actorRole, targetKind]),
    [['users.delete_own', subject, null, 'user']],
  )
})

test('a sign-in before the deletion shows a page, and goes on with or without keeping the account', async () => {
  for (const isKept of [false, true]) {
    const { username, plan, session } = await newUser()
    await plan()
    const { ports, browser } = setup
    const interrupted = await signIn(ports, form({ username, password, browser }), context)
    assert.ok(interrupted.kind === 'partial')
    assert.equal(interrupted.path, keepAccountPath)
    const proof = { partial: interrupted.partial, browser }
    assert.equal((await keepAccountView(ports, proof))?.isFinal, false)
    assert.equal(await keepAccountView(ports, { ...proof, browser: ports.random.handle('browser') }), null)
    const answered = { ...proof, previous: [], isKept }
    assert.equal((await answerKeepAccount(ports, answered, context)).kind, 'signed_in')
    assert.equal((await answerKeepAccount(ports, answered, context)).kind, 'expired')
    assert.equal((await ownDeletion(ports, session))?.kind, isKept ? 'possible' : 'planned')
  }
})

test('a deletion that is due can no longer be kept, and the pages know it', async () => {
  const { username, plan, mails, session, subject } = await newUser()
  await plan()
  const [{ link = '' } = {}] = await mails()
  setup.advance(days * 86_400)
  const { ports, browser } = setup
  const interrupted = await signIn(ports, form({ username, password, browser }), context)
  assert.ok(interrupted.kind === 'partial')
  const view = await keepAccountView(ports, { partial: interrupted.partial, browser })
  const own = await ownDeletion(ports, session)
  const linked = await deletionOfLink(ports, link)
  const planned = own?.kind === 'planned' ? own : null
  for (const shown of [view, planned, linked]) assert.equal(shown?.isFinal, true)
  assert.equal(await keepAccount(ports, subject, context), false)
  assert.equal(await keepByLink(ports, link, context), false)
  await maintain()
  assert.equal(await ownDeletion(ports, session), null)
})

test('a sign-in of other users reads nothing about deletions', async () => {
  const { subject } = await newUser()
  await setup.ports.leavingUsers.mayHave(subject)
  const plannedChanges = {
    ...setup.ports.plannedChanges,
    allOf: () => assert.fail('read'),
    due: () => assert.fail('read'),
  }
  const outcome = await signIn({ ...setup.ports, plannedChanges }, form(), context)
  assert.equal(outcome.kind, 'signed_in')
})
